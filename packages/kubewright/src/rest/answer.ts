// What is done with every answer, whole or streamed: its kind, its warnings, its body, and the error that it may be.

import { type ApiError, addToMessage } from '../meta/index.js'
import type { CallScope } from './call-scope.js'
import { certificateTimeProblem } from './certificate-validity.js'
import type { Warning } from './config.js'
import { jsonParserFor } from './parse-json.js'
import type { PreparedCall } from './prepared-call.js'
import { ResponseBody } from './response-body.js'
import { errorFromResponse } from './status-error.js'
import { printableURL } from './transport/connection-error.js'
import type { TransportResponse } from './transport/transport.js'
import { parseWarningHeaders, warningHandlerFor } from './warnings.js'

/** Whether the content is what was asked for: client-go's bounds. */
export function isSuccess({ status }: TransportResponse): boolean {
  return status >= 200 && status <= 206
}

/** Media type with its parameters; `''` when the server named none. */
export function contentTypeOf({ headers }: TransportResponse): string {
  return headers.get('content-type') ?? ''
}

/** Hands each of the server's warnings to the call's handler, and gives them back. */
export function handleWarnings(call: PreparedCall, response: TransportResponse): readonly Warning[] {
  const values = response.headers.getAll('warning')
  if (values.length === 0) return []
  const warnings = parseWarningHeaders(values)
  const handler = call.warningHandler ?? warningHandlerFor(call.config)
  for (const warning of warnings) handler(warning)
  return warnings
}

/** The content, to be read once. `keep`: bytes from its beginning that can be had again. */
export function newBody(call: PreparedCall, response: TransportResponse, scope: CallScope, keep: number): ResponseBody {
  const { clock } = call.config
  const parse = jsonParserFor(call.config)
  return new ResponseBody({ request: call, response, signal: scope.signal, clock, parse, keep, decoder: call.decoder })
}

/** The error of an answer that is no success. A 401 says what is wrong with the client certificate, where something is. */
export function refusal(
  { method, url, target, config }: PreparedCall,
  response: TransportResponse,
  body: Uint8Array,
): ApiError {
  const err = errorFromResponse({ method, url: printableURL(url), ...target }, response, body)
  const problem = response.status === 401 ? certificateTimeProblem(config) : undefined
  if (problem !== undefined) addToMessage(err, `; ${problem}`)
  return err
}
