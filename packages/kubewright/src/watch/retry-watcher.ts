// A watch that goes on where it was when its connection or the server's patience ends.

import { abortable, type Clock, realClock, sleep, whenAborted } from '../clock/index.js'
import type { Status } from '../gen/api/meta/v1.js'
import {
  asApiError,
  goQuote,
  isForbidden,
  isUnauthorized,
  type KubernetesObject,
  type ListOptions,
  shown,
  type Watch,
  type WatchEvent,
} from '../meta/index.js'
import { ConnectionError, type Logger, RequestTimeoutError, stderrLogger } from '../rest/index.js'
import { contextWithOptionalTimeout } from '../wait/index.js'
import type { Watcher } from './watcher.js'

/** Options of {@link RetryWatcher}. */
export interface RetryWatcherOptions extends Pick<ListOptions, 'labelSelector' | 'fieldSelector' | 'timeoutSeconds'> {
  /** Ends the watch; its iteration ends with the signal's reason. */
  signal?: AbortSignal | undefined
  /** Milliseconds from one request to the next, at least. @defaultValue 1000 */
  minRestartDelay?: number | undefined
  /** @defaultValue the machine's clock */
  clock?: Clock | undefined
  /** Told of what is tried again. @defaultValue one that writes to standard error */
  logger?: Logger | undefined
}

/** How one request ended. */
type SessionEnd = 'for good' | { retryAfterMs: number }

const atOnce: SessionEnd = { retryAfterMs: 0 }

/**
 * A watch that is asked for again, from the last version seen, whenever it ends for a reason that passes: a timeout of
 * the server, a lost connection, an error of the server.
 *
 * ```ts
 * const pods = clientset.coreV1().pods('default')
 * const { metadata } = await pods.list()
 * for await (const event of new RetryWatcher(metadata.resourceVersion, pods, { signal })) console.log(event.type)
 * ```
 *
 * **Guarantees**
 * - Every change since `initialResourceVersion` comes once, in order; bookmarks are used and not passed on.
 * - It ends by itself only with an ERROR event, its last: 410 when the server no longer knows the version, 401 and 403,
 *   and an event without a version. Read with a list what there is then, or use an informer, which does that.
 * - `break`, `stop()` and the signal release the connection.
 *
 * **Caveats**
 * - It reads as it is read, and asks for nothing before. `stop()` one that is never read, or abort its signal.
 * - What else refuses a request is tried again for ever, once a second, and told to the logger: 404 and 410 too.
 */
export class RetryWatcher<T extends KubernetesObject = KubernetesObject> implements Watch<T> {
  /** Resolves when the watch has ended, in whichever way. */
  readonly done: Promise<void>
  readonly #client: Watcher<T>
  readonly #selection: ListOptions
  readonly #minRestartDelay: number
  readonly #clock: Clock
  readonly #logger: Logger
  readonly #parent: AbortSignal | undefined
  readonly #signal: AbortSignal
  /** Ends it. Idempotent. */
  readonly #end: () => void
  #lastResourceVersion: string
  #current: Watch<T> | undefined
  #iterated = false

  /**
   * @param initialResourceVersion the version that the changes are wanted since, usually that of a list.
   * @throws RangeError when that is `''` or `'0'`, or `minRestartDelay` is no number of milliseconds.
   */
  constructor(initialResourceVersion: string, client: Watcher<T>, options: RetryWatcherOptions = {}) {
    const { signal, minRestartDelay = 1000, clock = realClock, logger = stderrLogger, ...selection } = options
    if (!initialResourceVersion || initialResourceVersion === '0') {
      throw new RangeError(
        `initial RV ${goQuote(initialResourceVersion ?? '')} is not supported due to issues with underlying WATCH`,
      )
    }
    if (!(Number.isFinite(minRestartDelay) && minRestartDelay >= 0)) {
      throw new RangeError(
        `the minRestartDelay of a watch is a number of milliseconds, 0 or more: got ${minRestartDelay}`,
      )
    }
    this.#lastResourceVersion = initialResourceVersion
    this.#client = client
    this.#selection = selection
    this.#minRestartDelay = minRestartDelay
    this.#clock = clock
    this.#logger = logger
    this.#parent = signal
    const context = contextWithOptionalTimeout({ signal })
    this.#signal = context.signal
    this.#end = () => context.cancel()
    this.done = new Promise((resolve) => {
      const ended = (): void => {
        this.#current?.stop()
        resolve()
      }
      if (this.#signal.aborted) ended()
      else whenAborted(this.#signal, ended)
    })
  }

  /** The version that the next request will begin at. */
  get lastResourceVersion(): string {
    return this.#lastResourceVersion
  }

  stop(): void {
    this.#end()
  }

  [Symbol.asyncIterator](): AsyncIterator<WatchEvent<T>> {
    if (this.#iterated) throw new Error('a watch can be iterated once; start another watch')
    this.#iterated = true
    const events = this.#events()
    return {
      next: () => events.next(),
      // Ends first: a generator would put the return behind a pending next, which may never come.
      return: async () => {
        this.#end()
        return events.return(undefined)
      },
    }
  }

  async *#events(): AsyncGenerator<WatchEvent<T>, undefined> {
    const options = { signal: this.#signal, clock: this.#clock }
    try {
      while (!this.#signal.aborted) {
        const restartAt = this.#clock.monotonic() + this.#minRestartDelay
        const end = yield* this.#session()
        if (end === 'for good') return
        await sleep(end.retryAfterMs, options)
        await sleep(Math.max(0, restartAt - this.#clock.monotonic()), options)
        this.#logger.debug('restarting a watch', { resourceVersion: this.#lastResourceVersion })
      }
    } catch (err) {
      if (!this.#signal.aborted) throw err
    } finally {
      this.#end()
    }
    // Not where its reader stopped it first.
    if (this.#parent?.aborted && this.#signal.reason === this.#parent.reason) throw this.#parent.reason
  }

  /** One request. */
  async *#session(): AsyncGenerator<WatchEvent<T>, SessionEnd> {
    let watch: Watch<T> | undefined
    try {
      watch = await this.#open()
    } catch (err) {
      this.#signal.throwIfAborted()
      return yield* this.#notOpened(err)
    }
    if (!watch) {
      this.#logger.error('watch returned nil watcher')
      return atOnce
    }
    this.#current = watch
    try {
      const events = watch[Symbol.asyncIterator]()
      for (;;) {
        const event = await this.#next(events)
        if (!event) return atOnce
        const end = yield* this.#handle(event)
        if (end) return end
      }
    } finally {
      this.#current = undefined
      watch.stop()
    }
  }

  #open(): Promise<Watch<T> | undefined> {
    const options: ListOptions = {
      ...this.#selection,
      resourceVersion: this.#lastResourceVersion,
      allowWatchBookmarks: true,
      signal: this.#signal,
    }
    const watch = (async () => this.#client.watch(options))()
    return abortable<Watch<T> | undefined>(watch, this.#signal, (late) => late?.stop())
  }

  async *#notOpened(err: unknown): AsyncGenerator<WatchEvent<T>, SessionEnd> {
    const status = isForbidden(err) || isUnauthorized(err) ? asApiError(err)?.status : undefined
    if (status) {
      this.#logger.error(
        'watch failed: ensure the client has valid credentials and watch permissions on the resource',
        { err },
      )
      return yield* this.#last({ type: 'ERROR', object: status })
    }
    const passes =
      err instanceof RequestTimeoutError ||
      (err instanceof ConnectionError && (err.reason === 'lost' || err.reason === 'timeout'))
    this.#logger[passes ? 'debug' : 'error']('watch failed', { resourceVersion: this.#lastResourceVersion, err })
    return atOnce
  }

  /** Undefined when the watch has ended. */
  async #next(events: AsyncIterator<WatchEvent<T>>): Promise<WatchEvent<T> | undefined> {
    let result: IteratorResult<WatchEvent<T>> | undefined
    try {
      result = await events.next()
    } catch (err) {
      this.#signal.throwIfAborted()
      this.#logger.debug('a watch broke', { resourceVersion: this.#lastResourceVersion, err })
    }
    this.#signal.throwIfAborted()
    return result === undefined || result.done ? undefined : result.value
  }

  /** Passes an event on, or says how the session ends with it. */
  async *#handle(event: WatchEvent<T>): AsyncGenerator<WatchEvent<T>, SessionEnd | undefined> {
    switch (event.type) {
      case 'ADDED':
      case 'MODIFIED':
      case 'DELETED':
      case 'BOOKMARK': {
        const object = event.object as KubernetesObject | null | undefined
        // Going on without a version could leave out a change.
        if (!object?.metadata) return yield* this.#internalError("retryWatcher: doesn't support resourceVersion")
        const { resourceVersion } = object.metadata
        if (!resourceVersion) {
          return yield* this.#internalError(`retryWatcher: object ${nameOf(object)} doesn't support resourceVersion`)
        }
        if (event.type !== 'BOOKMARK') yield event
        this.#lastResourceVersion = resourceVersion
        return undefined
      }
      case 'ERROR': {
        const status = statusOf(event.object)
        if (status?.code === 410) return yield* this.#last(event)
        if (status) {
          this.#logger.debug('restarting a watch after an error', { code: status.code, message: status.message })
        } else
          this.#logger.error('received an error which is no Status', { resourceVersion: this.#lastResourceVersion })
        return { retryAfterMs: retryAfterMsOf(status) }
      }
      default: {
        const { type } = event as { type: unknown }
        this.#logger.error('failed to recognize a watch event', { type })
        return yield* this.#internalError(`retryWatcher failed to recognize Event type ${shown(type, 200)}`)
      }
    }
  }

  #internalError(message: string): AsyncGenerator<WatchEvent<T>, SessionEnd> {
    return this.#last({ type: 'ERROR', object: internalError(message) })
  }

  /** Ends before the event is given out, so that whoever waits for `done` need not wait for the reader to come back. */
  async *#last(event: WatchEvent<T>): AsyncGenerator<WatchEvent<T>, SessionEnd> {
    this.#end()
    yield event
    return 'for good'
  }
}

/** Never the object itself: it may be a Secret. */
function nameOf({ kind, metadata }: KubernetesObject): string {
  const name = [metadata?.namespace, metadata?.name].filter(Boolean).join('/')
  return [kind, name].filter(Boolean).join(' ') || 'without a name'
}

function statusOf(object: unknown): Status | undefined {
  const { kind, status, code } = (object ?? {}) as Partial<Status>
  return kind === 'Status' || (kind === undefined && (status === 'Failure' || typeof code === 'number'))
    ? (object as Status)
    : undefined
}

/** What is no number of seconds, whatever a server may have sent, asks for none. */
function retryAfterMsOf(status: Status | undefined): number {
  const seconds: unknown = status?.details?.retryAfterSeconds
  return typeof seconds === 'number' && seconds > 0 && seconds < 2 ** 31 ? seconds * 1000 : 0
}

function internalError(message: string): Status {
  return {
    apiVersion: 'v1',
    kind: 'Status',
    metadata: {},
    status: 'Failure',
    code: 500,
    reason: 'InternalError',
    message: `Internal error occurred: ${message}`,
    details: { causes: [{ message }] },
  }
}
