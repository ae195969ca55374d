// What the parts of a reflector share.

import { type Clock, sleep } from '../clock/index.js'
import { type KubernetesObject, type ListOptions, suggestsClientDelay } from '../meta/index.js'
import type { LogFields, Logger } from '../rest/index.js'
import type { Random } from '../wait/index.js'
import type { ExpectedKind } from './consume-watch.js'
import type { ListerWatcher } from './lister-watcher.js'
import type { ReflectorStore } from './reflector-store.js'
import type { ResourceVersions } from './resource-versions.js'
import { WatchSession } from './watch-session.js'

export interface ReflectorSettings {
  readonly name: string
  readonly typeDescription: string
  readonly expectedKind: ExpectedKind | undefined
  readonly versions: ResourceVersions
  readonly pageSize: number | undefined
  readonly minWatchTimeoutMs: number
  readonly maxInternalErrorRetryMs: number
  /** Gives the next wait between attempts, in milliseconds. */
  readonly delay: () => number
  readonly clock: Clock
  readonly random: Random
  readonly logger: Logger
  /** Which reflector it is, in each message. */
  readonly logFields: LogFields
  /** Tells the watch error handler. */
  readonly reportError: (err: unknown) => void
  /** Tells of a failure that is simply tried again; see {@link retryReporter}. */
  readonly reportRetry: (message: string, err: unknown) => void
}

export interface ReflectorContext<T extends KubernetesObject> extends ReflectorSettings {
  readonly listerWatcher: ListerWatcher<T>
  readonly store: ReflectorStore<T>
}

/**
 * Opens a watch, with bookmarks.
 *
 * @param resourceVersion `''`: none is asked for.
 * @throws as {@link WatchSession.open} does.
 */
export function openWatch<T extends KubernetesObject>(
  { listerWatcher, minWatchTimeoutMs, random, clock }: ReflectorContext<T>,
  resourceVersion: string,
  { signal, ...options }: ListOptions & { signal: AbortSignal },
): Promise<WatchSession<T>> {
  const version: ListOptions = resourceVersion === '' ? {} : { resourceVersion }
  // Between the minimum and twice that, so that watches opened together do not all end together.
  const timeoutSeconds = Math.floor((minWatchTimeoutMs * (1 + random())) / 1000)
  return WatchSession.open(
    listerWatcher,
    { ...version, ...options, allowWatchBookmarks: true, timeoutSeconds },
    { signal, clock },
  )
}

/**
 * Keeps streams that bring something, but end at once, from being opened in a loop: a broken proxy may do that. One
 * such stream is no cause to wait; from the second in a row on there is a wait after each.
 */
export class VeryShortStreams {
  readonly #settings: ReflectorSettings
  #inARow = 0

  constructor(settings: ReflectorSettings) {
    this.#settings = settings
  }

  /** To be awaited after each stream that ended without an error. @throws the signal's reason */
  async slowDown({ isVeryShort }: { readonly isVeryShort: boolean }, signal: AbortSignal): Promise<void> {
    this.#inARow = isVeryShort ? this.#inARow + 1 : 0
    if (this.#inARow > 1) await backOff(this.#settings, undefined, signal)
  }
}

/** A failure that goes on is told of once in so many milliseconds. */
const retryWarningMs = 60_000

/**
 * Reports failures after which the same is tried again. They are no errors yet, but somebody who waits for a cache that
 * never fills, because the server's address is wrong, must learn of them; once a minute will do.
 */
export function retryReporter(logFields: LogFields, logger: Logger, clock: Clock): ReflectorSettings['reportRetry'] {
  let quietUntil = -Infinity
  return (message, err) => {
    const now = clock.monotonic()
    if (now < quietUntil) {
      logger.debug(message, { ...logFields, err })
    } else {
      quietUntil = now + retryWarningMs
      logger.warn(message, { ...logFields, err })
    }
  }
}

/** Waits before the next attempt, and at least as long as the server asked for. @throws the signal's reason */
export async function backOff({ delay, clock }: ReflectorSettings, err: unknown, signal: AbortSignal): Promise<void> {
  const askedMs = (suggestsClientDelay(err) ?? 0) * 1000
  await sleep(Math.max(delay(), askedMs), { signal, clock })
}
