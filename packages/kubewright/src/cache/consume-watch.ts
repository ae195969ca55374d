// Reads a watch and writes what it brings to a store.

import { asApiError, type KubernetesObject } from '../meta/index.js'
import type { LogFields, Logger } from '../rest/index.js'
import type { ReflectorStore } from './reflector-store.js'
import { errorFromEvent, isConnectionLost, VeryShortWatchError, WatchEventError } from './watch-errors.js'
import type { WatchSession } from './watch-session.js'

/** Marks the bookmark after which a stream has brought all objects that there were. */
const initialEventsEnd = 'k8s.io/initial-events-end'

/** The kind that all objects of a resource have. */
export interface ExpectedKind {
  readonly apiVersion: string
  readonly kind: string
}

export interface ConsumeOptions<T> {
  session: WatchSession<T & KubernetesObject>
  store: Pick<ReflectorStore<T>, 'add' | 'update' | 'delete' | 'bookmark'>
  /** Told of the version of each event; `besidesAdded`: the initial objects, whose order means nothing, are past. */
  onVersion: (resourceVersion: string, besidesAdded: boolean) => void
  /** Told of an event that is lost, as the store has thrown. */
  onLost: (err: WatchEventError) => void
  /** Told that the stream is alive: events came that had to be waited for. */
  onArrival?: (() => void) | undefined
  /** Return at the bookmark that ends the initial objects, and leave the session open. */
  untilInitialEventsEnd: boolean
  expectedKind: ExpectedKind | undefined
  reflector: string
  watched: string
  logger: Logger
  logFields: LogFields
}

/**
 * Reads until the watch ends.
 *
 * @returns whether the bookmark that ends the initial objects came.
 * @throws the error of an ERROR event; VeryShortWatchError; the signal's reason when it aborts.
 */
export async function consumeWatch<T extends KubernetesObject>(options: ConsumeOptions<T>): Promise<boolean> {
  const { session, store, onVersion, expectedKind, reflector, watched, logger, logFields } = options
  const report = (message: string, fields?: Record<string, unknown>): void =>
    logger.error(message, { ...logFields, ...fields })
  let sawInitialEventsEnd = false
  let besidesAdded = false
  let events = 0

  for (;;) {
    let event = session.ready()
    if (event === undefined) {
      event = await nextEvent(session, logger, logFields)
      if (event === undefined) break
      options.onArrival?.()
    }
    if (event.type === 'ERROR') throw errorFromEvent(event.object, watched)
    const { apiVersion, kind, metadata } = event.object ?? {}
    if (
      expectedKind &&
      kind &&
      (kind !== expectedKind.kind || (apiVersion && apiVersion !== expectedKind.apiVersion))
    ) {
      report('unexpected kind in a watch event', { expected: expectedKind.kind, actual: kind })
      continue
    }
    if (isTable({ apiVersion, kind })) {
      report('watch events in Table format are not supported')
      continue
    }
    if (!metadata) {
      report('a watch event has an object without metadata', { event: event.type })
      continue
    }
    const resourceVersion = metadata.resourceVersion ?? ''
    if (event.type !== 'ADDED') besidesAdded = true
    try {
      switch (event.type) {
        case 'ADDED':
          store.add(event.object)
          break
        case 'MODIFIED':
          store.update(event.object)
          break
        case 'DELETED':
          store.delete(event.object)
          break
        case 'BOOKMARK':
          if (metadata.annotations?.[initialEventsEnd] === 'true') sawInitialEventsEnd = true
          if (resourceVersion !== '') store.bookmark?.(resourceVersion)
          break
        default:
          report('unknown type of watch event', { event: (event as { type: unknown }).type })
      }
    } catch (err) {
      const { namespace, name } = metadata
      const key = namespace ? `${namespace}/${name}` : (name ?? '(no name)')
      options.onLost(new WatchEventError(event.type, key, err))
    }
    // Without a version, the next watch would begin anywhere, and what was deleted before would never be told.
    if (resourceVersion !== '') onVersion(resourceVersion, besidesAdded)
    events++
    if (options.untilInitialEventsEnd && sawInitialEventsEnd) return true
  }
  if (events === 0 && session.isVeryShort) throw new VeryShortWatchError(reflector)
  logger.debug('watch closed', { ...logFields, events })
  return sawInitialEventsEnd
}

/** Whether an object is a server-side printed table, which some servers answer with when asked wrongly. */
export function isTable({ apiVersion, kind }: { apiVersion?: string | undefined; kind?: string | undefined }): boolean {
  return kind === 'Table' && (apiVersion === 'meta.k8s.io/v1' || apiVersion === 'meta.k8s.io/v1beta1')
}

/** A connection that breaks ends the watch as a close of the server does: the next one goes on where it was. */
async function nextEvent<T extends KubernetesObject>(
  session: WatchSession<T>,
  logger: Logger,
  logFields: LogFields,
): ReturnType<WatchSession<T>['next']> {
  try {
    return await session.next()
  } catch (err) {
    if (asApiError(err) || !isConnectionLost(err)) throw err
    logger.debug('the connection of a watch broke', { ...logFields, err })
    return undefined
  }
}
