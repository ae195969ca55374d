// One watch request: opened with a deadline, read event by event, released once.

import { abortable, type Clock, type Timer, whenAborted } from '../clock/index.js'
import type { KubernetesObject, ListOptions, Watch, WatchEvent } from '../meta/index.js'
import type { WatchIterator } from '../rest/index.js'
import type { ListerWatcher } from './lister-watcher.js'
import { StalledWatchError } from './watch-errors.js'

/** How long after its timeout the server may still end a watch before its connection counts as dead, in milliseconds. */
const graceMs = 30_000

/** A watch that ends sooner than this is suspect, in milliseconds. */
const veryShortMs = 1000

export interface WatchSessionOptions {
  signal: AbortSignal
  clock: Clock
}

export class WatchSession<T extends KubernetesObject> {
  /** Monotonic time before the request was sent: some proxies hold the answer's head back until the first event. */
  readonly #startedAt: number
  readonly #clock: Clock
  readonly #signal: AbortSignal
  readonly #controller = new AbortController()
  readonly #stopListening: () => void
  readonly #timer: Timer
  #watch: Watch<T> | undefined
  #iterator: WatchIterator<T> | undefined
  #interrupt: (() => void) | undefined
  #ended = false

  private constructor(timeoutSeconds: number, { signal, clock }: WatchSessionOptions) {
    this.#startedAt = clock.monotonic()
    this.#clock = clock
    this.#signal = signal
    this.#timer = clock.setTimer(timeoutSeconds * 1000 + graceMs, () =>
      this.#end(new StalledWatchError(timeoutSeconds)),
    )
    this.#stopListening = whenAborted(signal, () => this.#end(signal.reason))
  }

  /**
   * Sends the request.
   *
   * @throws what `watch` throws; StalledWatchError when there is no answer; the signal's reason when it aborts.
   */
  static async open<T extends KubernetesObject>(
    listerWatcher: ListerWatcher<T>,
    listOptions: ListOptions & { timeoutSeconds: number },
    options: WatchSessionOptions,
  ): Promise<WatchSession<T>> {
    options.signal.throwIfAborted()
    const session = new WatchSession<T>(listOptions.timeoutSeconds, options)
    const { signal } = session.#controller
    try {
      session.#watch = await abortable(
        (async () => listerWatcher.watch({ ...listOptions, signal }))(),
        signal,
        (late) => late.stop(),
      )
      session.#iterator = session.#watch[Symbol.asyncIterator]()
      return session
    } catch (err) {
      session.close()
      throw err
    }
  }

  /** It has lasted less than a second. */
  get isVeryShort(): boolean {
    return this.#clock.monotonic() - this.#startedAt < veryShortMs
  }

  /**
   * The next event; undefined when the watch has ended: the server closed it, or it stalled.
   *
   * @throws what the iteration throws; the signal's reason when it aborts.
   */
  async next(): Promise<WatchEvent<T> | undefined> {
    const result = await new Promise<IteratorResult<WatchEvent<T>> | undefined>((resolve, reject) => {
      this.#interrupt = () => resolve(undefined)
      if (this.#ended || !this.#iterator) resolve(undefined)
      else this.#iterator.next().then(resolve, (err) => (this.#ended ? resolve(undefined) : reject(err)))
    })
    this.#signal.throwIfAborted()
    return result === undefined || result.done ? undefined : result.value
  }

  /** The next event, if it has arrived. Else undefined: {@link WatchSession.next} tells what there is to tell. */
  ready(): WatchEvent<T> | undefined {
    return this.#ended || this.#signal.aborted ? undefined : this.#iterator?.ready?.()
  }

  /** Releases the connection, the deadline and the listener. Idempotent. */
  close(): void {
    this.#ended = true
    this.#timer.cancel()
    this.#stopListening()
    this.#watch?.stop()
    this.#interrupt?.()
  }

  #end(reason: unknown): void {
    this.close()
    this.#controller.abort(reason)
  }
}
