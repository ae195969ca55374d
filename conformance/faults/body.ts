// The body of an answer as a network delivers it: cut into chunks anywhere, late, broken off, or silent.

import type { Clock, Timer } from 'kubewright/clock'
import type { Random } from './random.js'

export interface BodyOptions {
  clock: Clock
  random: Random
  /** Times in a hundred that what is sent waits for a while, and then goes out with what was sent meanwhile. */
  slowPercent: number
}

export class Body implements AsyncIterable<Uint8Array> {
  readonly #options: BodyOptions
  readonly #chunks: Uint8Array[] = []
  #waiting: Uint8Array[] = []
  #timer: Timer | undefined
  #ending: { err?: unknown } | undefined
  #ended: { err?: unknown } | undefined
  #wake: (() => void) | undefined
  #released = false
  /** Called once, when nobody reads any more. */
  onRelease: () => void = () => {}

  constructor(options: BodyOptions) {
    this.#options = options
  }

  /** Nobody reads any more: closed by the reader, or read to its end. */
  get released(): boolean {
    return this.#released
  }

  /** By the server. */
  send(bytes: Uint8Array): void {
    if (this.#released || this.#ending) return
    this.#waiting.push(bytes)
    const { clock, random, slowPercent } = this.#options
    if (this.#timer) return
    if (random.percent(slowPercent)) this.#timer = clock.setTimer(random.int(1, 1500), () => this.#flush())
    else this.#flush()
  }

  end(): void {
    this.#finish({})
  }

  fail(err: unknown): void {
    this.#finish({ err })
  }

  /** The request's signal aborts. */
  abort(reason: unknown): void {
    this.#chunks.length = 0
    this.#ended = { err: reason }
    this.close()
  }

  /** By the reader. Idempotent. */
  close(): void {
    if (this.#released) return
    this.#released = true
    this.#timer?.cancel()
    this.onRelease()
    this.#wake?.()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const chunk = this.#chunks.shift()
        if (chunk && !this.#released) yield chunk
        else if (this.#ended && 'err' in this.#ended) throw this.#ended.err
        else if (this.#ended || this.#released) return
        else await new Promise<void>((resolve) => (this.#wake = resolve))
      }
    } finally {
      this.close()
    }
  }

  #finish(ending: { err?: unknown }): void {
    if (this.#released) return
    this.#ending ??= ending
    if (!this.#timer) this.#flush()
  }

  #flush(): void {
    this.#timer = undefined
    const bytes = Buffer.concat(this.#waiting)
    this.#waiting = []
    const { random } = this.#options
    for (let at = 0; at < bytes.length; ) {
      const size = random.percent(50) ? bytes.length : random.int(1, 60)
      this.#chunks.push(bytes.subarray(at, at + size))
      at += size
    }
    this.#ended = this.#ending
    this.#wake?.()
  }
}
