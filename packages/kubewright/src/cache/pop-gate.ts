// What the queues in front of a cache have in common: waiting for an entry, closing, and when the first content is through.

/** The queue was closed and is empty. */
export class FIFOClosedError extends Error {
  override readonly name: string = 'FIFOClosedError'

  constructor() {
    super('DeltaFIFO: manipulating with closed queue')
  }
}

/** For any number of consumers: after waiting, each looks again whether there is an entry for it. */
export class PopGate {
  #closed = false
  #populated = false
  #initialPopulation = 0
  #synced = false
  #waiting: (() => void)[] = []

  /** Whether the entries of the first content have been taken; or, where something else was written first, at once. */
  get synced(): boolean {
    return this.#synced
  }

  get closed(): boolean {
    return this.#closed
  }

  /** Something else than a whole content is written. */
  populate(): void {
    this.#populated = true
    this.#checkSynced()
  }

  /** A whole content is written, of so many entries. Counts when it is the first write. */
  populateWith(entries: number): void {
    if (this.#populated) return
    this.#initialPopulation = entries
    this.populate()
  }

  /** One entry of the queue is taken. */
  taken(): void {
    if (this.#initialPopulation === 0) return
    this.#initialPopulation--
    this.#checkSynced()
  }

  /** Resolves when the queue has an entry, at once if it has. @throws FIFOClosedError when it is closed and has none */
  async waitUntil(hasEntry: () => boolean): Promise<void> {
    while (!hasEntry()) {
      if (this.#closed) throw new FIFOClosedError()
      await new Promise<void>((resolve) => {
        this.#waiting.push(resolve)
      })
    }
  }

  /** There may be an entry now. */
  wake(): void {
    if (this.#waiting.length === 0) return
    const waiting = this.#waiting
    this.#waiting = []
    for (const wake of waiting) wake()
  }

  close(): void {
    this.#closed = true
    this.wake()
  }

  #checkSynced(): void {
    if (this.#populated && this.#initialPopulation === 0) this.#synced = true
  }
}
