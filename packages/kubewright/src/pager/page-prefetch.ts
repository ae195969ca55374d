// Reads pages ahead of their reader.

/** One run through the pages: a background loop that fills a buffer, and the reader that empties it. */
export class PagePrefetch<P> {
  readonly #source: () => AsyncIterable<P>
  readonly #size: number
  readonly #buffer: P[] = []
  #ended = false
  #failure: { err: unknown } | undefined
  /** Wakes whoever waits: the reader for a page, or the loop for room. They never wait both. */
  #wake: (() => void) | undefined

  /** @param size how many pages wait in the buffer; one more may be in the loop's hand. */
  constructor(source: () => AsyncIterable<P>, size: number) {
    this.#source = source
    this.#size = size
  }

  /** @throws what the source throws, after the pages before it; the signal's reason, at once, when it aborts. */
  async *pages(signal: AbortSignal): AsyncGenerator<P> {
    const wake = (): void => this.#notify()
    signal.addEventListener('abort', wake)
    // Never rejects: what it fails with waits for a reader, who may have left.
    void this.#fill(signal)
    try {
      for (;;) {
        signal.throwIfAborted()
        if (this.#buffer.length > 0) {
          const page = this.#buffer.shift() as P
          this.#notify()
          yield page
        } else if (this.#ended) {
          if (this.#failure) throw this.#failure.err
          return
        } else {
          await this.#wait()
        }
      }
    } finally {
      signal.removeEventListener('abort', wake)
    }
  }

  async #fill(signal: AbortSignal): Promise<void> {
    try {
      for await (const page of this.#source()) {
        this.#buffer.push(page)
        this.#notify()
        while (this.#buffer.length > this.#size && !signal.aborted) await this.#wait()
        if (signal.aborted) break
      }
    } catch (err) {
      this.#failure = { err }
    }
    this.#ended = true
    this.#notify()
  }

  #wait(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake = resolve
    })
  }

  #notify(): void {
    const wake = this.#wake
    this.#wake = undefined
    wake?.()
  }
}
