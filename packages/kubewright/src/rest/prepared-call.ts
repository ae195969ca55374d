// A built request, ready to go: what request.ts hands to those who make the call.

import type { RateLimiter } from '../flowcontrol/index.js'
import type { Config, WarningHandler } from './config.js'
import type { ObjectDecoder } from './object-decoder.js'
import type { RequestHeaders } from './transport/headers.js'
import type { SentBody } from './transport/request-body.js'
import type { Transport } from './transport/transport.js'

/** A built request, ready to go. */
export interface PreparedCall {
  method: string
  url: URL
  /** The part of the path that is the server's own prefix. */
  basePath: string
  headers: RequestHeaders
  body: SentBody
  config: Config
  transport: Transport
  /** Undefined: no limit. */
  limiter: RateLimiter | undefined
  /** Milliseconds for the call, which the server is told too; 0: the Config's. */
  timeout: number
  maxRetries: number
  /** @defaultValue the Config's */
  warningHandler: WarningHandler | undefined
  decoder: ObjectDecoder<unknown> | undefined
  /** What the request is about, for messages. */
  target: { group: string | undefined; resource: string; name: string }
}
