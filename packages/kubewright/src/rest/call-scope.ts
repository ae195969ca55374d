// The lifetime of one call: the caller's signal and the call's timeout in one signal, and what is being done in it.

import { type Clock, type Timer, whenAborted } from '../clock/index.js'
import { RequestTimeoutError } from './timeout-error.js'
import { printableURL } from './transport/connection-error.js'

/** Options of {@link CallScope}. */
export interface CallScopeOptions {
  method: string
  url: URL
  clock: Clock
  /** Milliseconds; 0: none. */
  timeout: number
  signal?: AbortSignal | undefined
}

/** One call's signal. Must be disposed of when the call is over, so that its timer and listener go. */
export class CallScope {
  /** Told in the message when the time is over. */
  doing: string = 'waiting for the response headers'
  readonly signal: AbortSignal | undefined
  readonly #options: CallScopeOptions
  #start = 0
  readonly #controller: AbortController | undefined
  #stopListening: (() => void) | undefined
  #timer: Timer | undefined

  constructor(options: CallScopeOptions) {
    this.#options = options
    const { timeout, signal } = options
    if (!(timeout > 0)) {
      this.signal = signal
      return
    }
    this.#start = options.clock.monotonic()
    const controller = new AbortController()
    this.#controller = controller
    this.signal = controller.signal
    if (signal?.aborted) controller.abort(signal.reason)
    else if (signal) this.#stopListening = whenAborted(signal, () => controller.abort(signal.reason))
    this.#arm(timeout)
  }

  /** From now on the call may take this many milliseconds, counted from its start; 0: any time. Only ever relaxes. */
  relax(timeout: number): void {
    if (this.#controller === undefined || timeout === this.#options.timeout) return
    this.#timer?.cancel()
    if (timeout > 0) this.#arm(timeout)
  }

  /** Idempotent. */
  dispose(): void {
    this.#timer?.cancel()
    this.#stopListening?.()
  }

  #arm(timeout: number): void {
    const { method, url, clock } = this.#options
    const left = this.#start + timeout - clock.monotonic()
    this.#timer = clock.setTimer(left, () =>
      this.#controller?.abort(new RequestTimeoutError({ method, url: printableURL(url), timeout, doing: this.doing })),
    )
  }
}
