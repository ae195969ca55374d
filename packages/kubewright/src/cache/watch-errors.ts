// What the failures of lists and watches mean to a reflector.

import type { Status } from '../gen/api/meta/v1.js'
import { ApiError, asApiError, hasStatusCause, isTimeout, isTooManyRequests, messageOf } from '../meta/index.js'
import { ConnectionError } from '../rest/index.js'

/** A watch was closed within a second of its start, without an event: something is wrong with it. */
export class VeryShortWatchError extends Error {
  override readonly name: string = 'VeryShortWatchError'

  constructor(reflector: string) {
    super(
      `very short watch: ${reflector}: Unexpected watch close - watch lasted less than a second and no items received`,
    )
  }
}

/** A watch is older than it can be: the connection is dead, and the network did not say so. */
export class StalledWatchError extends Error {
  override readonly name: string = 'StalledWatchError'

  constructor(seconds: number) {
    super(`the watch was not ended by the server within ${seconds} seconds, as it was asked to: its connection is dead`)
  }
}

/** An event could not be stored: a transform has thrown, or its object has no name. The cache goes on without it. */
export class WatchEventError extends Error {
  override readonly name: string = 'WatchEventError'
  /** Of the event: `ADDED`, `MODIFIED` or `DELETED`. */
  readonly type: string
  /** Of its object: `namespace/name`, or what there is of it. */
  readonly key: string

  constructor(type: string, key: string, cause: unknown) {
    super(`the event ${type} of ${key} could not be stored: ${messageOf(cause)}`, { cause })
    this.type = type
    this.key = key
  }
}

/** The error that the object of an ERROR event stands for. */
export function errorFromEvent(object: unknown, watched: string): Error {
  const status = object as Partial<Status> | null | undefined
  if (status?.kind === 'Status') return new ApiError(status as Status, { method: 'WATCH', url: watched })
  return new Error(`unexpected object in an error event of the watch of ${watched}: kind ${status?.kind ?? 'unknown'}`)
}

/** The answer is larger than `maxResponseBytes` of the Config allows. */
export function isAnswerTooLarge(err: unknown): boolean {
  return err instanceof ConnectionError && err.reason === 'size'
}

/** The server has not come as far as the version asked for: a restored or lagging one. */
export function isTooLargeResourceVersion(err: unknown): boolean {
  if (hasStatusCause(err, 'ResourceVersionTooLarge')) return true
  // Servers older than 1.19 say it in words only.
  const status = asApiError(err)?.status
  if (!isTimeout(err) || !status?.details) return false
  return (
    status.details.causes?.some((cause) => cause.message === 'Too large resource version') ||
    (status.message ?? '').includes('Too large resource version')
  )
}

/**
 * The server is not there, or has too much to do: it will probably know our version still when it is back, so that
 * watching on is enough, and listing again would only add to its load.
 */
export function isWatchErrorRetriable(err: unknown): boolean {
  return isTooManyRequests(err) || err instanceof StalledWatchError || hasCode(err, (code) => code === 'ECONNREFUSED')
}

const lostConnection =
  /^(ECONNRESET|ECONNABORTED|EPIPE|ETIMEDOUT|ENETUNREACH|EHOSTUNREACH|ENETRESET|UND_ERR_.*|ERR_HTTP2_.*|ERR_STREAM_PREMATURE_CLOSE)$/

/** The connection broke: as good as the server closing the stream. */
export function isConnectionLost(err: unknown): boolean {
  if (asApiError(err)) return false
  if (err instanceof ConnectionError && (err.reason === 'lost' || err.reason === 'timeout')) return true
  return hasCode(err, (code) => lostConnection.test(code))
}

/** Looks for a system error's code in an error, in its causes, and in those of all addresses that were tried. */
function hasCode(err: unknown, matches: (code: string) => boolean, depth = 0): boolean {
  if (!(err instanceof Error) || depth > 8) return false
  const { code, errors } = err as { code?: unknown; errors?: unknown }
  if (typeof code === 'string' && matches(code)) return true
  if (Array.isArray(errors) && errors.some((e) => hasCode(e, matches, depth + 1))) return true
  return hasCode(err.cause, matches, depth + 1)
}
