// The body of an answer as a network delivers it: cut into chunks anywhere, late, one by one, broken off, or silent; and
// as a transport hands it on that was told to close it while more was under way.

import type { Clock, Timer } from 'kubewright/clock'
import type { Random } from './random.js'

export interface BodyOptions {
  clock: Clock
  random: Random
  /** Times in a hundred that what is sent waits for a while, and then goes out with what was sent meanwhile. */
  slowPercent: number
}

/** No chunk of a long body is smaller than this part of it: else a run would consist of them. */
const mostChunks = 300

export class Body implements AsyncIterable<Uint8Array> {
  readonly #options: BodyOptions
  readonly #chunks: Uint8Array[] = []
  /** What arrives, one chunk after the other. */
  #arriving: Uint8Array[] = []
  #waiting: Uint8Array[] = []
  #timer: Timer | undefined
  #ending: { err?: unknown } | undefined
  #ended: { err?: unknown } | undefined
  #wake: (() => void) | undefined
  #released = false
  /** What has arrived is handed on though the reader closed. */
  readonly #lingers: boolean
  /** Called once, when nobody reads any more. */
  onRelease: () => void = () => {}

  constructor(options: BodyOptions) {
    this.#options = options
    this.#lingers = options.random.percent(options.slowPercent)
  }

  /** By the server. */
  send(bytes: Uint8Array): void {
    if (this.#released || this.#ending) return
    this.#waiting.push(bytes)
    const { random, slowPercent } = this.#options
    if (this.#timer) return
    if (random.percent(slowPercent)) this.stall(random.int(1, 1500))
    else this.#flush()
  }

  end(): void {
    this.#finish({})
  }

  fail(err: unknown): void {
    this.#finish({ err })
  }

  /** Nothing arrives for so many milliseconds; then all does. */
  stall(ms: number): void {
    if (this.#released || this.#ended) return
    this.#timer?.cancel()
    this.#timer = this.#options.clock.setTimer(ms, () => this.#flush())
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
    if (!this.#lingers) this.#chunks.length = 0
    this.onRelease()
    this.#wake?.()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const chunk = this.#chunks.shift()
        if (chunk) yield chunk
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
    const { random, slowPercent } = this.#options
    const least = Math.ceil(bytes.length / mostChunks)
    // One byte at a time goes through the middle of every character and of every line end.
    const most = random.percent(10) ? 1 : 60
    for (let at = 0; at < bytes.length; ) {
      const size = most > 1 && random.percent(50) ? bytes.length : Math.max(least, random.int(1, most))
      this.#arriving.push(bytes.subarray(at, at + size))
      at += size
    }
    this.#arrive(random.percent(slowPercent))
  }

  /** @param slowly each chunk is late for itself */
  #arrive(slowly: boolean): void {
    this.#timer = undefined
    const { clock, random } = this.#options
    if (slowly && this.#arriving.length > 1) {
      this.#chunks.push(this.#arriving.shift() as Uint8Array)
      this.#timer = clock.setTimer(random.int(0, 200), () => this.#arrive(true))
    } else {
      this.#chunks.push(...this.#arriving)
      this.#arriving = []
      if (this.#waiting.length > 0) return this.#flush()
      this.#ended = this.#ending
    }
    this.#wake?.()
  }
}
