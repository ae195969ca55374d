// Errors as an API server answers them, in apimachinery's words, for reactors to throw.

import type { Status } from '../gen/api/meta/v1.js'
import { ApiError, formatGroupResource, type GroupKind, type GroupResource, goQuote } from '../meta/index.js'

interface Facts {
  readonly code: number
  readonly reason: string
  readonly message: string
  readonly details?: Status['details'] | undefined
}

/** An error that nothing was sent for: its message is the server's alone. Thrown by a reactor, it is sent as an answer. */
function made({ code, reason, message, details }: Facts): ApiError {
  const status: Status = {
    apiVersion: 'v1',
    kind: 'Status',
    metadata: {},
    status: 'Failure',
    message,
    reason,
    ...(details && { details }),
    code,
  }
  const err = new ApiError(status, { method: '', url: '' })
  err.message = message
  return err
}

function detailsOf({ group, resource }: GroupResource, name = ''): Status['details'] {
  return { ...(name && { name }), ...(group && { group }), ...(resource && { kind: resource }) }
}

/** 404: there is no such object. {@link isNotFound} */
export function newNotFound(resource: GroupResource, name: string): ApiError {
  const message = `${formatGroupResource(resource)} ${goQuote(name)} not found`
  return made({ code: 404, reason: 'NotFound', message, details: detailsOf(resource, name) })
}

/** 409: there is such an object already. {@link isAlreadyExists} */
export function newAlreadyExists(resource: GroupResource, name: string): ApiError {
  const message = `${formatGroupResource(resource)} ${goQuote(name)} already exists`
  return made({ code: 409, reason: 'AlreadyExists', message, details: detailsOf(resource, name) })
}

/** 409: the object has changed, or a precondition does not hold. {@link isConflict} */
export function newConflict(resource: GroupResource, name: string, reason: string): ApiError {
  const message = `Operation cannot be fulfilled on ${formatGroupResource(resource)} ${goQuote(name)}: ${reason}`
  return made({ code: 409, reason: 'Conflict', message, details: detailsOf(resource, name) })
}

/** 403. {@link isForbidden} */
export function newForbidden(resource: GroupResource, name: string, reason: string): ApiError {
  const what = formatGroupResource(resource)
  const subject =
    what === '' ? 'forbidden' : name === '' ? `${what} is forbidden` : `${what} ${goQuote(name)} is forbidden`
  return made({ code: 403, reason: 'Forbidden', message: `${subject}: ${reason}`, details: detailsOf(resource, name) })
}

/** What is wrong with a field: `{ field: 'spec.replicas', reason: 'FieldValueInvalid', message: 'Invalid value: -1: …' }`. */
export interface FieldProblem {
  readonly field: string
  /** `FieldValueRequired`, `FieldValueInvalid`, `FieldValueForbidden`, … */
  readonly reason: string
  readonly message: string
}

/** 422: the object is not valid. {@link isInvalid} */
export function newInvalid({ group, kind }: GroupKind, name: string, problems: readonly FieldProblem[]): ApiError {
  const causes = problems.map(({ field, reason, message }) => ({ field, reason, message }))
  const texts = problems.map(({ field, message }) => `${field}: ${message}`)
  const said = texts.length > 1 ? `[${texts.join(', ')}]` : texts.join()
  const subject = `${group === '' ? kind : `${kind}.${group}`} ${goQuote(name)} is invalid`
  return made({
    code: 422,
    reason: 'Invalid',
    message: said === '' ? subject : `${subject}: ${said}`,
    details: { ...(name && { name }), ...(group && { group }), kind, causes },
  })
}

/** 400: the request makes no sense. {@link isBadRequest} */
export function newBadRequest(reason: string): ApiError {
  return made({ code: 400, reason: 'BadRequest', message: reason })
}

/** 401. {@link isUnauthorized} */
export function newUnauthorized(reason: string): ApiError {
  return made({ code: 401, reason: 'Unauthorized', message: reason || 'not authorized' })
}

/** 410: the resource version or continue token is too old. {@link isResourceExpired} */
export function newResourceExpired(message: string): ApiError {
  return made({ code: 410, reason: 'Expired', message })
}

/** 405: the resource has no such verb. {@link isMethodNotSupported} */
export function newMethodNotSupported(resource: GroupResource, action: string): ApiError {
  const message = `${action} is not supported on resources of kind ${goQuote(formatGroupResource(resource))}`
  return made({ code: 405, reason: 'MethodNotAllowed', message, details: detailsOf(resource) })
}

/** 415. {@link isUnsupportedMediaType} */
export function newUnsupportedMediaType(message: string): ApiError {
  return made({ code: 415, reason: 'UnsupportedMediaType', message })
}

/** 429. {@link isTooManyRequests} */
export function newTooManyRequests(message: string, retryAfterSeconds: number): ApiError {
  return made({ code: 429, reason: 'TooManyRequests', message, details: { retryAfterSeconds } })
}

/** 503. {@link isServiceUnavailable} */
export function newServiceUnavailable(reason: string): ApiError {
  return made({ code: 503, reason: 'ServiceUnavailable', message: reason })
}

/** 504. {@link isTimeout} */
export function newTimeoutError(message: string, retryAfterSeconds: number): ApiError {
  return made({ code: 504, reason: 'Timeout', message: `Timeout: ${message}`, details: { retryAfterSeconds } })
}

/** 500: the server asks to try again. {@link isServerTimeout} */
export function newServerTimeout(resource: GroupResource, operation: string, retryAfterSeconds: number): ApiError {
  const message = `The ${operation} operation against ${formatGroupResource(resource)} could not be completed at this time, please try again.`
  const details = { ...detailsOf(resource), name: operation, retryAfterSeconds }
  return made({ code: 500, reason: 'ServerTimeout', message, details })
}

/** 500. {@link isInternalError} */
export function newInternalError(reason: string): ApiError {
  const message = `Internal error occurred: ${reason}`
  return made({ code: 500, reason: 'InternalError', message, details: { causes: [{ message: reason }] } })
}

/** 404 as of a path that the server does not serve. */
export function newUnknownPath(): ApiError {
  return made({
    code: 404,
    reason: 'NotFound',
    message: 'the server could not find the requested resource',
    details: {},
  })
}
