// What can be said of a request's body without reading it.

import type { TransportRequest } from './transport.js'

/** What a request sends; undefined: nothing. */
export type SentBody = TransportRequest['body']

/** Whether the request can be sent a second time: not so one whose body is an iterable. */
export function isReplayable({ body }: { readonly body?: SentBody }): boolean {
  return body === undefined || typeof body === 'string' || body instanceof Uint8Array
}

/** Its size in bytes; undefined: there is none, or nobody knows before it is sent. */
export function bodySize(body: SentBody): number | undefined {
  if (typeof body === 'string') return Buffer.byteLength(body)
  return body instanceof Uint8Array ? body.length : undefined
}
