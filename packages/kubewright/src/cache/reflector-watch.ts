// The reflector's watch: on from the last version seen, again and again, until only a new list can help.

import { isExpiredOrGone, isInternalError, isTooManyRequests, type KubernetesObject } from '../meta/index.js'
import { consumeWatch } from './consume-watch.js'
import { backOff, openWatch, type ReflectorContext, VeryShortStreams } from './reflector-context.js'
import { RetryWindow } from './retry-window.js'
import { isWatchErrorRetriable } from './watch-errors.js'
import type { WatchSession } from './watch-session.js'

/**
 * Watches until something comes up that a new list must answer.
 *
 * A watch that the server closes, as it does every few minutes, is followed by the next at once, from the last version
 * seen, and without a list; only where that happens within a second of the start, again and again, it waits.
 *
 * @param session an open stream to start with, past its initial objects.
 * @throws when a watch cannot be started; the signal's reason when it aborts.
 */
export async function watch<T extends KubernetesObject>(
  context: ReflectorContext<T>,
  session: WatchSession<T> | undefined,
  signal: AbortSignal,
): Promise<void> {
  const { logger, logFields, clock } = context
  const internalErrors = new RetryWindow(context.maxInternalErrorRetryMs, isInternalError, clock)
  const veryShort = new VeryShortStreams(context)
  for (let current = session; ; current = undefined) {
    signal.throwIfAborted()
    const { last } = context.versions
    // A watch from '' or '0' begins with the existing objects, whose versions are in no order.
    const ordered = current !== undefined || (last !== '' && last !== '0')
    if (current === undefined) {
      try {
        current = await openWatch(context, last, { signal })
      } catch (err) {
        signal.throwIfAborted()
        if (!isWatchErrorRetriable(err)) throw err
        context.reportRetry('the watch cannot be opened yet, trying again', err)
        await backOff(context, err, signal)
        continue
      }
    }
    try {
      await consume(context, current, ordered)
      await veryShort.slowDown(current, signal)
    } catch (err) {
      signal.throwIfAborted()
      internalErrors.after(err)
      if (isExpiredOrGone(err)) {
        // A list at our version has at least what we have seen, so it is tried before one at the newest.
        logger.debug('watch closed', { ...logFields, err })
        return
      }
      if (isTooManyRequests(err)) {
        logger.debug('watch ended with 429, backing off', logFields)
        await backOff(context, err, signal)
      } else if (isInternalError(err) && internalErrors.shouldRetry()) {
        logger.debug('watch ended with an internal error, retrying', { ...logFields, err })
      } else {
        logger.warn('watch ended with error', { ...logFields, err })
        return
      }
    } finally {
      current.close()
    }
  }
}

async function consume<T extends KubernetesObject>(
  context: ReflectorContext<T>,
  session: WatchSession<T>,
  ordered: boolean,
): Promise<void> {
  const { store, versions, expectedKind, logger } = context
  await consumeWatch<T>({
    session,
    store,
    onVersion: (resourceVersion, besidesAdded) => {
      if (ordered || besidesAdded) versions.last = resourceVersion
    },
    onLost: context.reportError,
    untilInitialEventsEnd: false,
    expectedKind,
    reflector: context.name,
    watched: context.typeDescription,
    logger,
    logFields: context.logFields,
  })
}
