// From an answer that is no success to an ApiError: the server's own Status, or one made from the code.

import type { Status } from '../gen/api/meta/v1.js'
import { ApiError, addToMessage, goQuote } from '../meta/index.js'
import { textOf } from './bytes.js'
import { parseJSON } from './parse-json.js'
import { asStatus, isJSON } from './result.js'
import type { ResponseHeaders } from './transport/headers.js'
import { retryAfterSeconds } from './with-retry.js'

/** What is known of a failed request. */
export interface FailedRequest {
  method: string
  url: string
  group?: string | undefined
  resource?: string | undefined
  name?: string | undefined
}

/** Longest part of a body that goes into a message. */
const maxTextLength = 2048

/** The error of an answer outside 2xx. */
export function errorFromResponse(
  request: FailedRequest,
  response: { status: number; headers: ResponseHeaders },
  body: Uint8Array,
): ApiError {
  const contentType = response.headers.get('content-type') ?? ''
  const status = isJSON(contentType) ? parseStatus(body) : undefined
  if (status) return withHint(new ApiError(status, request))
  const said = serverMessage(contentType, body)
  const generic = newGenericServerResponse({
    ...request,
    code: response.status,
    serverMessage: said ?? 'unknown',
    retryAfterSeconds: retryAfterSeconds(response.headers) ?? 0,
    isUnexpectedResponse: true,
  })
  const err = new ApiError(generic, request)
  // In the Status only some codes have it.
  if (said !== undefined && !mentions(generic.message, said)) addToMessage(err, `: ${said}`)
  return withHint(err)
}

/** Says what to do where the server leaves that to be guessed: from its list of media types, or from nothing. */
function withHint(err: ApiError): ApiError {
  if (err.method === 'PATCH' && err.code === 422 && err.status.message === invalid.message) {
    addToMessage(
      err,
      '; an operation of the JSON patch does not apply (a path that is not there, a test that fails): applyJsonPatch of kubewright/patch says which',
    )
  }
  if (err.method === 'PATCH' && err.code === 415) {
    addToMessage(
      err,
      '; strategic merge patches are for built-in kinds only: use mergePatch, jsonPatch or apply for custom resources',
    )
  }
  return err
}

function mentions(message: string | undefined, said: string): boolean {
  return message !== undefined && (message.includes(said) || message.includes(goQuote(said)))
}

function parseStatus(body: Uint8Array): Status | undefined {
  if (body.length === 0) return undefined
  try {
    // Servers of old did not tell its version; client-go takes it for this one as well.
    const status = asStatus({ apiVersion: 'v1', ...(parseJSON(body) as object) })
    return status?.status === 'Failure' ? status : undefined
  } catch {
    return undefined
  }
}

/** What the server said, where that is text. */
function serverMessage(contentType: string, body: Uint8Array): string | undefined {
  if (contentType !== '' && !/^text\//i.test(contentType)) return undefined
  const text = textOf(body.subarray(0, maxTextLength)).trim()
  if (!/^text\/html/i.test(contentType) && !/^<(!doctype|html)\b/i.test(text)) return text || undefined
  const title = /<title[^>]*>([^<]*)/i.exec(text)?.[1]?.trim()
  return title ? `an HTML page titled ${goQuote(title)}` : 'an HTML page'
}

/** What {@link newGenericServerResponse} is given. */
export interface GenericServerResponse {
  code: number
  method: string
  group?: string | undefined
  resource?: string | undefined
  name?: string | undefined
  serverMessage: string
  retryAfterSeconds: number
  /** The answer was none of the API's. */
  isUnexpectedResponse: boolean
}

/** The Status that a code stands for, in apimachinery's words. */
export function newGenericServerResponse(facts: GenericServerResponse): Status {
  const { code, method, group = '', resource = '', name = '', serverMessage } = facts
  let { reason, message } = meaningOf(code, method, serverMessage)
  if (resource !== '') {
    const qualified = group === '' ? resource : `${resource}.${group}`
    message += ` (${[method.toLowerCase(), qualified, name].filter((part) => part !== '').join(' ')})`
  }
  return {
    apiVersion: 'v1',
    kind: 'Status',
    metadata: {},
    status: 'Failure',
    message,
    reason,
    details: {
      ...(name && { name }),
      ...(group && { group }),
      ...(resource && { kind: resource }),
      ...(facts.isUnexpectedResponse && { causes: [{ reason: 'UnexpectedServerResponse', message: serverMessage }] }),
      ...(facts.retryAfterSeconds > 0 && { retryAfterSeconds: facts.retryAfterSeconds }),
    },
    code,
  }
}

const invalid = { reason: 'Invalid', message: 'the server rejected our request due to an error in our request' }

function meaningOf(code: number, method: string, serverMessage: string): { reason: string; message: string } {
  switch (code) {
    case 400:
      return { reason: 'BadRequest', message: 'the server rejected our request for an unknown reason' }
    case 401:
      return { reason: 'Unauthorized', message: 'the server has asked for the client to provide credentials' }
    case 403:
      return { reason: 'Forbidden', message: serverMessage }
    case 404:
      return { reason: 'NotFound', message: 'the server could not find the requested resource' }
    case 405:
      return { reason: 'MethodNotAllowed', message: 'the server does not allow this method on the requested resource' }
    case 406: {
      const message = 'the server was unable to respond with a content type that the client supports'
      return { reason: 'NotAcceptable', message: serverMessage === 'unknown' ? message : serverMessage }
    }
    case 409:
      return { reason: method === 'POST' ? 'AlreadyExists' : 'Conflict', message: 'the server reported a conflict' }
    case 415:
      return { reason: 'UnsupportedMediaType', message: serverMessage }
    case 422:
      return invalid
    case 429: {
      const message = 'the server has received too many requests and has asked us to try again later'
      return { reason: 'TooManyRequests', message }
    }
    case 503:
      return { reason: 'ServiceUnavailable', message: 'the server is currently unable to handle the request' }
    case 504: {
      const message =
        'the server was unable to return a response in the time allotted, but may still be processing the request'
      return { reason: 'Timeout', message }
    }
    default:
      if (code >= 500) {
        const message = `an error on the server (${goQuote(serverMessage)}) has prevented the request from succeeding`
        return { reason: 'InternalError', message }
      }
      return {
        reason: '',
        message: `the server responded with the status code ${code} but did not return more information`,
      }
  }
}
