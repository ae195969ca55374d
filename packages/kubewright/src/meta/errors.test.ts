import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import type { Status } from '../gen/api/meta/v1.js'
import {
  ApiError,
  addToMessage,
  asApiError,
  hasStatusCause,
  isAlreadyExists,
  isBadRequest,
  isConflict,
  isExpiredOrGone,
  isForbidden,
  isGone,
  isInternalError,
  isInvalid,
  isMethodNotSupported,
  isNotAcceptable,
  isNotFound,
  isRequestEntityTooLarge,
  isResourceExpired,
  isServerTimeout,
  isServiceUnavailable,
  isStoreReadError,
  isTimeout,
  isTooManyRequests,
  isUnauthorized,
  isUnexpectedServerError,
  isUnsupportedMediaType,
  suggestsClientDelay,
} from './errors.js'

function apiError(status: Partial<Status>): ApiError {
  return new ApiError(
    { apiVersion: 'v1', kind: 'Status', metadata: {}, ...status },
    { method: 'GET', url: 'https://server/api' },
  )
}

it('shows message, code and reason when it is printed, and what was added to the message', () => {
  const err = apiError({
    message: 'no such thing',
    reason: 'NotFound',
    code: 404,
    details: { causes: [{ message: 'cause' }] },
  })
  addToMessage(err, '; try another')
  expect(err.message).toBe('GET https://server/api: no such thing; try another')
  const lines = inspect(err).split('\n')
  expect(lines[0]).toBe('ApiError: GET https://server/api: no such thing; try another')
  expect(lines.filter((line) => !line.startsWith('    at ')).slice(1)).toEqual([
    '  code: 404,',
    "  reason: 'NotFound'",
    '}',
  ])
  expect([err.status.details?.causes?.[0]?.message, err.method, err.url]).toEqual([
    'cause',
    'GET',
    'https://server/api',
  ])
})

describe('predicates', () => {
  it.each<[name: string, is: (err: unknown) => boolean, reason: string, code: number | undefined]>([
    ['isNotFound', isNotFound, 'NotFound', 404],
    ['isAlreadyExists', isAlreadyExists, 'AlreadyExists', undefined],
    ['isConflict', isConflict, 'Conflict', 409],
    ['isInvalid', isInvalid, 'Invalid', 422],
    ['isGone', isGone, 'Gone', 410],
    ['isResourceExpired', isResourceExpired, 'Expired', undefined],
    ['isNotAcceptable', isNotAcceptable, 'NotAcceptable', 406],
    ['isUnsupportedMediaType', isUnsupportedMediaType, 'UnsupportedMediaType', 415],
    ['isMethodNotSupported', isMethodNotSupported, 'MethodNotAllowed', 405],
    ['isServiceUnavailable', isServiceUnavailable, 'ServiceUnavailable', 503],
    ['isBadRequest', isBadRequest, 'BadRequest', 400],
    ['isUnauthorized', isUnauthorized, 'Unauthorized', 401],
    ['isForbidden', isForbidden, 'Forbidden', 403],
    ['isTimeout', isTimeout, 'Timeout', 504],
    ['isServerTimeout', isServerTimeout, 'ServerTimeout', undefined],
    ['isInternalError', isInternalError, 'InternalError', 500],
    ['isTooManyRequests', isTooManyRequests, 'TooManyRequests', 429],
    ['isRequestEntityTooLarge', isRequestEntityTooLarge, 'RequestEntityTooLarge', 413],
  ])('%s goes by the reason, and by the code where the reason says nothing', (_name, is, reason, code) => {
    expect(is(apiError({ reason, code: 0 }))).toBe(true)
    expect(is(new Error('failed', { cause: apiError({ reason }) }))).toBe(true)
    expect(is(apiError({ reason: 'StorageReadError' }))).toBe(false)
    expect(is(new Error(reason))).toBe(false)
    if (code === undefined) return
    expect(is(apiError({ code }))).toBe(true)
    expect(is(apiError({ code, reason: 'Unheard' }))).toBe(true)
    // Of two codes apimachinery looks at nothing else.
    expect(is(apiError({ code, reason: 'StorageReadError' }))).toBe(code === 429 || code === 413)
  })

  it('isStoreReadError goes by the reason alone', () => {
    expect(isStoreReadError(apiError({ reason: 'StorageReadError' }))).toBe(true)
    expect(isStoreReadError(apiError({ reason: 'InternalError', code: 500 }))).toBe(false)
  })

  it('isExpiredOrGone is either', () => {
    expect([{ reason: 'Expired' }, { reason: 'Gone' }, { code: 410 }].map((s) => isExpiredOrGone(apiError(s)))).toEqual(
      [true, true, true],
    )
    expect(isExpiredOrGone(apiError({ code: 404 }))).toBe(false)
  })

  it('a cause of the Status is found by its type', () => {
    const err = apiError({ details: { causes: [{ reason: 'UnexpectedServerResponse' }] } })
    expect([isUnexpectedServerError(err), hasStatusCause(err, 'FieldValueInvalid')]).toEqual([true, false])
    expect(isUnexpectedServerError(apiError({}))).toBe(false)
  })
})

describe('asApiError', () => {
  it('follows causes, and ends where they run in a circle', () => {
    const inner = apiError({ code: 409 })
    expect(asApiError(new Error('a', { cause: new Error('b', { cause: inner }) }))).toBe(inner)
    const circle: Error & { cause?: unknown } = new Error('round')
    circle.cause = new Error('and round', { cause: circle })
    expect(asApiError(circle)).toBeUndefined()
    expect(asApiError('text')).toBeUndefined()
  })
})

describe('ApiError', () => {
  it.each<[Partial<Status>, string]>([
    [{ message: 'pods "web" not found', reason: 'NotFound' }, 'pods "web" not found'],
    [{ reason: 'NotFound' }, 'NotFound'],
    [{ code: 502 }, 'status 502'],
  ])('%j says %s', (status, message) => {
    expect(apiError(status).message).toBe(`GET https://server/api: ${message}`)
  })
})

describe('suggestsClientDelay', () => {
  it.each<[Partial<Status>, number | undefined]>([
    [{ details: { retryAfterSeconds: 3 } }, 3],
    [{ reason: 'ServerTimeout', details: {} }, 0],
    [{ reason: 'ServerTimeout' }, undefined],
    [{ details: {} }, undefined],
    [{}, undefined],
  ])('%j: %s seconds', (status, seconds) => {
    expect(suggestsClientDelay(apiError(status))).toBe(seconds)
  })
})
