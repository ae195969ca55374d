// Errors of the API: one class that carries the server's Status, and predicates named as client-go names them.

import type { Status } from '../gen/api/meta/v1.js'
import { shown } from './shown.js'

/**
 * The server (or something between) refused a request.
 *
 * The message is the server's own, with method and URL; `status` is the whole answer. Tell failures apart with the
 * predicates ({@link isNotFound}, {@link isConflict}, …), not by message. Printed, it shows message, code and reason; the
 * rest of the Status repeats them, and is there for programs.
 */
export class ApiError extends Error {
  override readonly name: string = 'ApiError'
  /** HTTP status code, 0 if unknown. */
  readonly code: number
  /** Machine-readable reason, such as `NotFound`; `''` if unknown. */
  readonly reason: string
  // Behind getters of the class: what prints an error prints its own properties.
  readonly #status: Status
  readonly #method: string
  readonly #url: string

  constructor(status: Status, request: { method: string; url: string }, options?: ErrorOptions) {
    super(`${request.method} ${request.url}: ${messageOf(status)}`, options)
    this.code = status.code ?? 0
    this.reason = status.reason ?? ''
    this.#status = status
    this.#method = request.method
    this.#url = request.url
  }

  /** The server's answer; built from the HTTP status where the body was none of the API's. */
  get status(): Status {
    return this.#status
  }

  /** HTTP method of the request; `WATCH` for an error that arrived inside a watch. */
  get method(): string {
    return this.#method
  }

  /** URL of the request, without credentials. */
  get url(): string {
    return this.#url
  }
}

/** Adds to the message of an error, and to its stack, which is what is printed. */
export function addToMessage(err: Error, text: string): void {
  const { message, stack } = err
  err.message += text
  const at = stack?.indexOf(message) ?? -1
  if (stack !== undefined && at >= 0) err.stack = stack.slice(0, at) + err.message + stack.slice(at + message.length)
}

/** What came from a server may be anything. */
function messageOf({ message, reason, code }: Status): string {
  const said: unknown = message || reason || `status ${code}`
  return typeof said === 'string' ? said : shown(said)
}

/** Finds the ApiError in an error or its chain of causes. */
export function asApiError(err: unknown): ApiError | undefined {
  const seen = new Set<unknown>()
  for (let e = err; e instanceof Error && !seen.has(e); e = e.cause) {
    if (e instanceof ApiError) return e
    seen.add(e)
  }
  return undefined
}

/** Reasons that decide alone; any other leaves the decision to the code (apimachinery's knownReasons). */
const knownReasons = new Set([
  'Unauthorized',
  'Forbidden',
  'NotFound',
  'AlreadyExists',
  'Conflict',
  'Gone',
  'Invalid',
  'ServerTimeout',
  'StorageReadError',
  'Timeout',
  'TooManyRequests',
  'BadRequest',
  'MethodNotAllowed',
  'NotAcceptable',
  'RequestEntityTooLarge',
  'UnsupportedMediaType',
  'InternalError',
  'Expired',
  'ServiceUnavailable',
])

function is(err: unknown, reason: string, code?: number): boolean {
  const e = asApiError(err)
  if (!e) return false
  return e.reason === reason || (code !== undefined && e.code === code && !knownReasons.has(e.reason))
}

/** The object (or the whole resource) does not exist. */
export const isNotFound = (err: unknown): boolean => is(err, 'NotFound', 404)
/** An object of that name exists already. */
export const isAlreadyExists = (err: unknown): boolean => is(err, 'AlreadyExists')
/** The object changed since it was read, or a precondition or field owner is in the way. */
export const isConflict = (err: unknown): boolean => is(err, 'Conflict', 409)
/** The server's validation refused the object; `status.details.causes` names the fields. */
export const isInvalid = (err: unknown): boolean => is(err, 'Invalid', 422)
/** The item is no longer at the server and no forwarding address is known. */
export const isGone = (err: unknown): boolean => is(err, 'Gone', 410)
/** The resource version or continue token asked for is too old. */
export const isResourceExpired = (err: unknown): boolean => is(err, 'Expired')
/** The server has no form of the answer that the request would accept. */
export const isNotAcceptable = (err: unknown): boolean => is(err, 'NotAcceptable', 406)
/** The server does not accept the body's or patch's media type for this kind. */
export const isUnsupportedMediaType = (err: unknown): boolean => is(err, 'UnsupportedMediaType', 415)
/** The resource has no such verb. */
export const isMethodNotSupported = (err: unknown): boolean => is(err, 'MethodNotAllowed', 405)
/** The server cannot serve requests at present. */
export const isServiceUnavailable = (err: unknown): boolean => is(err, 'ServiceUnavailable', 503)
/** The server does not understand the request. */
export const isBadRequest = (err: unknown): boolean => is(err, 'BadRequest', 400)
/** The credentials are missing, wrong or expired. */
export const isUnauthorized = (err: unknown): boolean => is(err, 'Unauthorized', 401)
/** The user is known and may not do this. */
export const isForbidden = (err: unknown): boolean => is(err, 'Forbidden', 403)
/** The request could not be finished in the given time. */
export const isTimeout = (err: unknown): boolean => is(err, 'Timeout', 504)
/** The server could not finish in time and the client should repeat the call. */
export const isServerTimeout = (err: unknown): boolean => is(err, 'ServerTimeout')
/** Something went wrong inside the server. */
export const isInternalError = (err: unknown): boolean => is(err, 'InternalError', 500)
/** What is stored of the object cannot be read: it can neither be decrypted nor decoded, and deleted only by force. */
export const isStoreReadError = (err: unknown): boolean => is(err, 'StorageReadError')
/** The client is asked to slow down. Decided by the code alone too, as in apimachinery. */
export const isTooManyRequests = (err: unknown): boolean =>
  is(err, 'TooManyRequests', 429) || asApiError(err)?.code === 429
/** The object or request is too large. Decided by the code alone too, as in apimachinery. */
export const isRequestEntityTooLarge = (err: unknown): boolean =>
  is(err, 'RequestEntityTooLarge', 413) || asApiError(err)?.code === 413
/** The answer was none of the API's: a proxy's page, say. */
export const isUnexpectedServerError = (err: unknown): boolean => hasStatusCause(err, 'UnexpectedServerResponse')

/** Whether the server's Status lists a cause of this type. */
export function hasStatusCause(err: unknown, type: string): boolean {
  return asApiError(err)?.status.details?.causes?.some((cause) => cause.reason === type) ?? false
}

/** Seconds that the server asks to wait before the next try, or undefined when it asks for nothing. */
export function suggestsClientDelay(err: unknown): number | undefined {
  const status = asApiError(err)?.status
  const asked: unknown = status?.details?.retryAfterSeconds
  const seconds = typeof asked === 'number' ? asked : 0
  if (status?.details && status.reason === 'ServerTimeout') return seconds
  return seconds > 0 ? seconds : undefined
}

/** The version asked for is gone, in either form that the server says it. */
export const isExpiredOrGone = (err: unknown): boolean => isResourceExpired(err) || isGone(err)
