// How to reach a cluster and as whom: client-go's rest.Config.

import type { Clock } from '../clock/index.js'
import type { ExecConfig } from './auth/exec-config.js'
import type { Logger } from './logger.js'
import type { RateLimiter } from './rate-limiter.js'
import type { Transport } from './transport/transport.js'

/** TLS of the connection to the server. Data fields win over file fields. */
export interface TLSClientConfig {
  /** Do not verify the server's certificate. For tests only; an error together with a CA. */
  readonly insecure?: boolean | undefined
  /** Name for SNI and for verifying the certificate, where it differs from the host. */
  readonly serverName?: string | undefined
  /** PEM file of the certificate authorities to trust; they replace the system's. */
  readonly caFile?: string | undefined
  readonly certFile?: string | undefined
  readonly keyFile?: string | undefined
  /** PEM text. */
  readonly caData?: string | undefined
  readonly certData?: string | undefined
  readonly keyData?: string | undefined
}

/** Act as somebody else; needs the `impersonate` permission. */
export interface ImpersonationConfig {
  readonly userName?: string | undefined
  readonly uid?: string | undefined
  readonly groups?: readonly string[] | undefined
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined
}

/** The fields of a {@link Config}, all optional. Every client takes either. */
export interface ConfigOptions {
  /** `host`, `host:port` or a URL, which may have a path prefix. @defaultValue `localhost` */
  readonly host?: string | undefined
  /** Prefix of the API group paths. @defaultValue `/api` for the core group, else `/apis` */
  readonly apiPath?: string | undefined
  readonly username?: string | undefined
  readonly password?: string | undefined
  readonly bearerToken?: string | undefined
  /** Re-read about once a minute; wins over `bearerToken` while readable. */
  readonly bearerTokenFile?: string | undefined
  readonly impersonate?: ImpersonationConfig | undefined
  readonly execProvider?: ExecConfig | undefined
  readonly tlsClientConfig?: TLSClientConfig | undefined
  /** @defaultValue {@link defaultUserAgent} */
  readonly userAgent?: string | undefined
  readonly disableCompression?: boolean | undefined
  /** Replaces the library's own transport; then `tlsClientConfig` must be empty. */
  readonly transport?: Transport | undefined
  /** Wraps the transport: for tracing, or an authentication of your own. */
  readonly wrapTransport?: ((transport: Transport) => Transport) | undefined
  /** Requests a second, on average, that a client sends at most. 0 or absent: 5. Negative: no limit. */
  readonly qps?: number | undefined
  /** Requests that may be sent at once before `qps` limits. 0 or absent: 10. */
  readonly burst?: number | undefined
  /** Replaces the limiter made from `qps` and `burst`. */
  readonly rateLimiter?: RateLimiter | undefined
  /** Receives the server's warnings. @defaultValue logs each */
  readonly warningHandler?: WarningHandler | undefined
  /** Milliseconds for each whole call, watches included. 0 or absent: none. */
  readonly timeout?: number | undefined
  /** URL of a proxy: http, https or socks5. */
  readonly proxyUrl?: string | undefined
  /** Time for retries, limits and token expiry. @defaultValue the machine's */
  readonly clock?: Clock | undefined
  /** @defaultValue lines on standard error */
  readonly logger?: Logger | undefined
}

/** One warning that the server attached to an answer (RFC 7234, code 299). */
export interface Warning {
  readonly code: number
  readonly agent: string
  readonly text: string
}

export type WarningHandler = (warning: Warning) => void
