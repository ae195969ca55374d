// Keeps a store like the server: list, watch, and again when that ends.

import { type Clock, realClock, type Timer } from '../clock/index.js'
import { isExpiredOrGone, type KubernetesObject } from '../meta/index.js'
import { type Logger, stderrLogger } from '../rest/index.js'
import { type BackoffOptions, backoffUntil, delayWithReset, type Random } from '../wait/index.js'
import type { ExpectedKind } from './consume-watch.js'
import type { ListerWatcher } from './lister-watcher.js'
import { type ReflectorContext, type ReflectorSettings, retryReporter } from './reflector-context.js'
import { ReflectorLister } from './reflector-list.js'
import type { ReflectorStore } from './reflector-store.js'
import { watch } from './reflector-watch.js'
import { watchList } from './reflector-watch-list.js'
import { ResourceVersions } from './resource-versions.js'
import { checkResyncPeriod } from './resync-period.js'
import { WatchEventError } from './watch-errors.js'
import type { WatchSession } from './watch-session.js'

/** Watches shorter than this would put a load on the server for nothing, in milliseconds. */
const defaultMinWatchTimeoutMs = 5 * 60_000

/** Each wait is stretched by up to as much again, so that many clients do not come back at once. */
const defaultBackoff: Readonly<BackoffOptions> = {
  duration: 800,
  factor: 2,
  jitter: 1,
  cap: 30_000,
  steps: Number.POSITIVE_INFINITY,
}

/** The waits start anew when this long has passed since they started, in milliseconds. */
const backoffResetMs = 2 * 60_000

/**
 * Told when a list fails or a watch cannot be started: the reflector then waits and tries again, for ever. And of events that
 * could not be stored, as a {@link WatchEventError}: the watch goes on.
 */
export type WatchErrorHandler = (err: unknown, reflector: { readonly name: string }) => void

/** Options of a {@link Reflector}. */
export interface ReflectorOptions {
  /** For messages. @defaultValue `typeDescription` */
  name?: string | undefined
  /** What is listed, for messages: `deployments.apps`, say. */
  typeDescription?: string | undefined
  /** The kind of the objects: events with any other are skipped. @defaultValue any */
  expectedKind?: ExpectedKind | undefined
  /** Milliseconds between resyncs of the store. @defaultValue 0: none */
  resyncPeriod?: number | undefined
  /** Asked before each resync. @defaultValue always true */
  shouldResync?: (() => boolean) | undefined
  /** Stream the initial objects where the server can; else, and with false, list them. @defaultValue true */
  useWatchList?: boolean | undefined
  /**
   * Items of a page, for every list. What a server answers from its memory it does not page, whatever is asked for; where that
   * is more than `maxResponseBytes` of the Config, the newest version is asked for instead, page by page.
   *
   * @defaultValue 500, and unpaged where the server can answer from memory
   */
  pageSize?: number | undefined
  /** Milliseconds that a watch is to last at least, twice that at most. 5 minutes or less: 5 minutes. */
  minWatchTimeout?: number | undefined
  /** Milliseconds during which watches that end with an internal error are opened again at once. @defaultValue 0 */
  maxInternalErrorRetryDuration?: number | undefined
  /** Waits between attempts, which start anew after 2 minutes. @defaultValue 0.8 s, doubled up to 30 s, with jitter */
  backoff?: Readonly<BackoffOptions> | undefined
  /** @defaultValue logs the error */
  watchErrorHandler?: WatchErrorHandler | undefined
  /** @defaultValue the machine's clock */
  clock?: Clock | undefined
  /** Where jitter comes from. @defaultValue `Math.random` */
  random?: Random | undefined
  /** @defaultValue standard error */
  logger?: Logger | undefined
}

/**
 * Makes a store follow a resource of the server.
 *
 * **Guarantees**: a change of the server gets into the store, late at worst: whatever fails is tried again, with growing
 * delays. Versions never go back, unless the server's own history did.
 */
export class Reflector<T extends KubernetesObject = KubernetesObject> {
  readonly name: string
  readonly #context: ReflectorContext<T>
  readonly #lister: ReflectorLister<T>
  readonly #useWatchList: boolean
  readonly #resyncPeriod: number
  readonly #shouldResync: () => boolean
  readonly #watchErrorHandler: WatchErrorHandler

  /** @throws RangeError for a resync period, a minimum of watches or a back-off that is no number of milliseconds. */
  constructor(listerWatcher: ListerWatcher<T>, store: ReflectorStore<T>, options: ReflectorOptions = {}) {
    const { clock = realClock, random = Math.random, logger = stderrLogger } = options
    const typeDescription = options.typeDescription ?? options.expectedKind?.kind ?? '<unspecified>'
    this.name = options.name ?? typeDescription
    const logFields = { reflector: this.name, ...(typeDescription !== this.name && { type: typeDescription }) }
    this.#context = {
      name: this.name,
      typeDescription,
      expectedKind: options.expectedKind,
      listerWatcher,
      store,
      versions: new ResourceVersions(),
      pageSize: options.pageSize,
      ...timingOf(options),
      maxInternalErrorRetryMs: options.maxInternalErrorRetryDuration ?? 0,
      clock,
      random,
      logger,
      logFields,
      reportError: (err) => this.#reportError(err),
      reportRetry: retryReporter(logFields, logger, clock),
    }
    this.#lister = new ReflectorLister(this.#context)
    this.#useWatchList = (options.useWatchList ?? true) && !listerWatcher.isWatchListSemanticsUnSupported?.()
    this.#resyncPeriod = checkResyncPeriod(options.resyncPeriod ?? 0)
    this.#shouldResync = options.shouldResync ?? (() => true)
    this.#watchErrorHandler = options.watchErrorHandler ?? ((err) => logWatchError(err, this.#context))
  }

  /** The newest version seen; `''` before the first. The store may not be as far yet. */
  lastSyncResourceVersion(): string {
    return this.#context.versions.last
  }

  /** Runs until the signal aborts. Never rejects. */
  async run({ signal }: { signal: AbortSignal }): Promise<void> {
    const { delay, clock } = this.#context
    const round = async (): Promise<void> => {
      try {
        await this.listAndWatch({ signal })
      } catch (err) {
        if (!signal.aborted) this.#reportError(err)
      }
    }
    // The wait after a success too keeps a server whose watches end at once from being asked in a loop.
    await backoffUntil(round, { signal, delay, clock })
  }

  /**
   * One round: gets all objects, then watches until that ends.
   *
   * @throws when the list fails or a watch cannot be started; the signal's reason when it aborts.
   */
  async listAndWatch({ signal }: { signal: AbortSignal }): Promise<void> {
    const { logger, logFields } = this.#context
    signal.throwIfAborted()
    let session: WatchSession<T> | undefined
    if (this.#useWatchList) {
      try {
        session = await watchList(this.#context, signal)
      } catch (err) {
        signal.throwIfAborted()
        logger.debug('initial events could not be streamed, listing instead', { ...logFields, err })
      }
    }
    if (session === undefined) await this.#lister.list(signal)
    logger.debug('caches populated', logFields)
    const stopResync = this.#startResync()
    try {
      await watch(this.#context, session, signal)
    } finally {
      stopResync()
      session?.close()
    }
  }

  #startResync(): () => void {
    const { clock, store, logger, logFields } = this.#context
    if (this.#resyncPeriod <= 0) return () => {}
    let timer: Timer
    const arm = (): void => {
      timer = clock.setTimer(this.#resyncPeriod, () => {
        try {
          if (this.#shouldResync()) store.resync?.()
        } catch (err) {
          logger.error('resync failed', { ...logFields, err })
        }
        arm()
      })
    }
    arm()
    return () => timer.cancel()
  }

  #reportError(err: unknown): void {
    try {
      this.#watchErrorHandler(err, this)
    } catch (thrown) {
      const { logger, logFields } = this.#context
      logger.error('the watch error handler threw', { ...logFields, err: thrown })
    }
  }
}

type Timing = Pick<ReflectorContext<KubernetesObject>, 'minWatchTimeoutMs' | 'delay'>

/**
 * The least that watches are to last, and the waits between attempts.
 *
 * @throws RangeError when the one is not finite, or the other cannot be made of its options.
 */
export function timingOf({ minWatchTimeout = 0, backoff = defaultBackoff, clock, random }: ReflectorOptions): Timing {
  if (!Number.isFinite(minWatchTimeout)) {
    throw new RangeError(`the minimum of watches is a number of milliseconds: got ${minWatchTimeout}`)
  }
  return {
    minWatchTimeoutMs: Math.max(minWatchTimeout, defaultMinWatchTimeoutMs),
    delay: delayWithReset(backoff, { resetInterval: backoffResetMs, clock, random }),
  }
}

function logWatchError(err: unknown, { logger, logFields }: ReflectorSettings): void {
  const fields = { ...logFields, err }
  if (err instanceof WatchEventError) {
    logger.error('a watch event could not be stored', { ...logFields, event: err.type, key: err.key, err: err.cause })
  } else if (isExpiredOrGone(err)) logger.debug('watch closed', fields)
  else logger.error('failed to watch', fields)
}
