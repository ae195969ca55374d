// The initial objects as a stream, which costs the server less than a list; the same stream then goes on as the watch.

import type { Timer } from '../clock/index.js'
import { isExpiredOrGone, type KubernetesObject, messageOf } from '../meta/index.js'
import { consumeWatch } from './consume-watch.js'
import { type DeletedFinalStateUnknown, deletionHandlingMetaNamespaceKeyFunc } from './keys.js'
import {
  backOff,
  openWatch,
  type ReflectorContext,
  type ReflectorSettings,
  VeryShortStreams,
} from './reflector-context.js'
import type { ReflectorStore, TransformFunc } from './reflector-store.js'
import { isTooLargeResourceVersion, isWatchErrorRetriable } from './watch-errors.js'
import type { WatchSession } from './watch-session.js'

/** After this long without an event or the bookmark that all wait for, one wants to know, in milliseconds. */
const bookmarkWarningMs = 10_000

/**
 * Streams the initial objects, replaces the store's content with them, and hands out the open stream.
 *
 * @throws what the server, or the store, refuses with: the caller then lists instead; the signal's reason when it aborts.
 */
export async function watchList<T extends KubernetesObject>(
  context: ReflectorContext<T>,
  signal: AbortSignal,
): Promise<WatchSession<T>> {
  const { store, versions } = context
  const veryShort = new VeryShortStreams(context)
  for (;;) {
    signal.throwIfAborted()
    const collected = new Collected<T>(store.transform)
    let session: WatchSession<T> | undefined
    try {
      session = await openWatch(context, versions.rewatch(), {
        resourceVersionMatch: 'NotOlderThan',
        sendInitialEvents: true,
        signal,
      })
      const resourceVersion = await collect(context, session, collected)
      if (resourceVersion === undefined) {
        // Closed before it was complete: what came so far is worth nothing.
        session.close()
        await veryShort.slowDown(session, signal)
        continue
      }
      versions.unavailable = false
      try {
        collected.replaceContentOf(store, resourceVersion)
      } catch (err) {
        throw new Error(`unable to sync watch-list result: ${messageOf(err)}`, { cause: err })
      }
      versions.last = resourceVersion
      return session
    } catch (err) {
      session?.close()
      signal.throwIfAborted()
      if (isWatchErrorRetriable(err)) {
        context.reportRetry('the initial objects cannot be had yet, trying again', err)
        await backOff(context, err, signal)
      } else if (!versions.unavailable && (isExpiredOrGone(err) || isTooLargeResourceVersion(err))) {
        versions.unavailable = true
      } else {
        throw err
      }
    }
  }
}

/** @returns the version of the whole; undefined when the stream was closed before it was complete. */
async function collect<T extends KubernetesObject>(
  context: ReflectorContext<T>,
  session: WatchSession<T>,
  collected: Collected<T>,
): Promise<string | undefined> {
  let version = ''
  const warning = new BookmarkWarning(context)
  try {
    const complete = await consumeWatch<T>({
      session,
      store: collected,
      // Versions of the initial objects are in no order: only what comes after them says how far the stream is.
      onVersion: (resourceVersion, besidesAdded) => {
        if (besidesAdded) version = resourceVersion
      },
      onLost: context.reportError,
      onArrival: () => warning.onArrival(),
      untilInitialEventsEnd: true,
      expectedKind: context.expectedKind,
      reflector: context.name,
      watched: context.typeDescription,
      logger: context.logger,
      logFields: context.logFields,
    })
    return complete ? version : undefined
  } finally {
    warning.stop()
  }
}

/** The objects of a stream that is not complete yet. */
class Collected<T> {
  readonly #objects = new Map<string, T>()
  readonly #transform: TransformFunc<T> | undefined

  constructor(transform: TransformFunc<T> | undefined) {
    this.#transform = transform
  }

  add(obj: T): void {
    const key = keyOf(obj)
    this.#objects.set(key, this.#transform ? this.#transform(obj) : obj)
  }

  update(obj: T): void {
    this.add(obj)
  }

  delete(obj: T | DeletedFinalStateUnknown<T>): void {
    this.#objects.delete(keyOf(obj))
  }

  /** To be called once, at the end. */
  replaceContentOf(store: ReflectorStore<T>, resourceVersion: string): void {
    if (store.replaceByKey && !this.#transform) store.replaceByKey(this.#objects, resourceVersion)
    else store.replace([...this.#objects.values()], resourceVersion, { transformed: true })
  }
}

function keyOf(obj: unknown): string {
  return deletionHandlingMetaNamespaceKeyFunc(obj as KubernetesObject)
}

/** Says every ten seconds that the stream is not complete, while it is silent. */
class BookmarkWarning {
  readonly #settings: ReflectorSettings
  #lastEventAt: number | undefined
  #timer: Timer | undefined

  constructor(settings: ReflectorSettings) {
    this.#settings = settings
    this.#arm()
  }

  onArrival(): void {
    this.#lastEventAt = this.#settings.clock.monotonic()
  }

  stop(): void {
    this.#timer?.cancel()
  }

  #arm(): void {
    this.#timer = this.#settings.clock.setTimer(bookmarkWarningMs, () => {
      this.#warn()
      this.#arm()
    })
  }

  #warn(): void {
    const { clock, logger, logFields } = this.#settings
    const silentMs = this.#lastEventAt === undefined ? undefined : clock.monotonic() - this.#lastEventAt
    if (silentMs === undefined) {
      logger.warn('waiting for the bookmark that ends the initial events; no event came yet', logFields)
    } else if (silentMs >= bookmarkWarningMs) {
      logger.warn('waiting for the bookmark that ends the initial events', { ...logFields, silentMs })
    }
  }
}
