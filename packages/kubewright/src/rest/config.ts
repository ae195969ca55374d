// How to reach a cluster and as whom: client-go's rest.Config.

import { readFileSync } from 'node:fs'
import { type Clock, realClock } from '../clock/index.js'
import type { RateLimiter } from '../flowcontrol/index.js'
import type { ExecPluginOptions } from './auth/exec/exec-plugins.js'
import type { ExecConfig } from './auth/exec-config.js'
import type { AuthConfigPersister, AuthProviderConfig } from './auth/oidc/auth-provider.js'
import { checkFields } from './config-fields.js'
import { checkNumbers } from './config-numbers.js'
import { deepFreeze, hide, hiding, inspectAs, printable, redacted, withoutCredentials } from './hidden.js'
import { type Logger, loggerAt, stderrLogger } from './logger.js'
import type { Dial } from './transport/dial-hook.js'
import type { Transport } from './transport/transport.js'
import { defaultUserAgent } from './user-agent.js'

/** TLS of the connection to the server. Data fields win over file fields. */
export interface TLSClientConfig {
  /** Do not verify the server's certificate. For tests only; an error together with a CA. */
  readonly insecure?: boolean | undefined
  /** Name for SNI and for verifying the certificate, where it differs from the host. */
  readonly serverName?: string | undefined
  /** PEM file of the certificate authorities to trust; they replace the system's. Read again every five minutes. */
  readonly caFile?: string | undefined
  /** PEM file of the client certificate; read again when it or its key changes: connections then start anew. */
  readonly certFile?: string | undefined
  /** The key of `certFile`. */
  readonly keyFile?: string | undefined
  /** Protocols to offer to the server, best first. `['http/1.1']` does without HTTP/2. @defaultValue `['h2', 'http/1.1']` */
  readonly nextProtos?: readonly string[] | undefined
  /** PEM text of the certificate authorities to trust. */
  readonly caData?: string | undefined
  /** PEM text of the client certificate. */
  readonly certData?: string | undefined
  /** PEM text of its key. */
  readonly keyData?: string | undefined
}

/** Act as somebody else; needs the `impersonate` permission. */
export interface ImpersonationConfig {
  /** Whom to act as; goes with each of the others. */
  readonly userName?: string | undefined
  readonly uid?: string | undefined
  /** @defaultValue `system:authenticated`, which the server adds */
  readonly groups?: readonly string[] | undefined
  /** What authorizers may look at, by key. */
  readonly extra?: Readonly<Record<string, readonly string[]>> | undefined
}

/** The fields of a {@link Config}, all optional. Every client takes either. */
export interface ConfigOptions {
  /**
   * A URL, which may have a path prefix, or `host` or `host:port`. Without a scheme it is http; or https where
   * `tlsClientConfig` has a CA, a certificate or `insecure`.
   *
   * @defaultValue `localhost`
   */
  readonly host?: string | undefined
  /** Prefix of the API group paths. @defaultValue `/api` for the core group, else `/apis` */
  readonly apiPath?: string | undefined
  /** For basic authentication; an error together with a token. API servers themselves know none since 1.19, proxies do. */
  readonly username?: string | undefined
  readonly password?: string | undefined
  /** A token as it stands; one that expires belongs in a file, or comes from a plugin. */
  readonly bearerToken?: string | undefined
  /** Re-read about once a minute; wins over `bearerToken` while readable. */
  readonly bearerTokenFile?: string | undefined
  /** Act as somebody else than the credentials say. */
  readonly impersonate?: ImpersonationConfig | undefined
  /** A program that prints credentials. Not run when there are others: a token, a password, a client certificate. */
  readonly execProvider?: ExecConfig | undefined
  /** Which programs may run as `execProvider`, and how. */
  readonly execPlugins?: ExecPluginOptions | undefined
  /** OIDC tokens that the library renews. Needs the package `oauth4webapi`. */
  readonly authProvider?: AuthProviderConfig | undefined
  /** Keeps renewed tokens; without one they are used and forgotten. */
  readonly authConfigPersister?: AuthConfigPersister | undefined
  /** @defaultValue the system's authorities and no client certificate */
  readonly tlsClientConfig?: TLSClientConfig | undefined
  /** @defaultValue what {@link defaultUserAgent} gives */
  readonly userAgent?: string | undefined
  /** Do not ask for compressed answers: less work at either end, more to carry. @defaultValue false */
  readonly disableCompression?: boolean | undefined
  /** Replaces the library's own transport; then `tlsClientConfig` must be empty. */
  readonly transport?: Transport | undefined
  /**
   * Wraps the transport: for tracing, or an authentication of your own. The Config's own credentials
   * have been added when it is called.
   *
   * **Caveats**: an exchange that is tried again comes through it again. A request is a value: pass on a changed copy.
   *
   * @example
   * Each exchange in a span of its own, which the server is told of:
   * ```ts
   * import type { Transport } from 'kubewright/rest'
   *
   * const traced = (inner: Transport): Transport => ({
   *   close: () => inner.close(),
   *   roundTrip: (request) =>
   *     tracer.startActiveSpan(`${request.method} ${request.url.pathname}`, async (span) => {
   *       try {
   *         const { traceId, spanId } = span.spanContext()
   *         const headers = { ...request.headers, traceparent: `00-${traceId}-${spanId}-01` }
   *         const response = await inner.roundTrip({ ...request, headers })
   *         span.setAttribute('http.response.status_code', response.status)
   *         return response
   *       } finally {
   *         span.end()
   *       }
   *     }),
   * })
   * const clientset = new Clientset(copyConfig(config, { wrapTransport: traced }))
   * ```
   *
   * @example
   * Tokens from somewhere else, a new one after the server refused the last:
   * ```ts
   * const withTokens = (inner: Transport): Transport => {
   *   let token: Promise<string> | undefined
   *   return {
   *     close: () => inner.close(),
   *     async roundTrip(request) {
   *       const mine = (token ??= fetchToken())
   *       let isUseless = true
   *       try {
   *         const authorization = `Bearer ${await mine}`
   *         const response = await inner.roundTrip({ ...request, headers: { ...request.headers, authorization } })
   *         isUseless = response.status === 401
   *         return response
   *       } finally {
   *         if (isUseless && token === mine) token = undefined
   *       }
   *     },
   *   }
   * }
   * ```
   */
  readonly wrapTransport?: ((transport: Transport) => Transport) | undefined
  /** Requests a second, on average, that a client sends at most. 0 or absent: 5. Negative: no limit. */
  readonly qps?: number | undefined
  /** Requests that may be sent at once before `qps` limits. Absent: 10, and so is 0 unless `qps` is set, where it is refused. */
  readonly burst?: number | undefined
  /** Replaces the limiter made from `qps` and `burst`. */
  readonly rateLimiter?: RateLimiter | undefined
  /** Receives the server's warnings. @defaultValue logs each text once */
  readonly warningHandler?: WarningHandler | undefined
  /** Milliseconds for each whole call, watches included. 0 or absent: none. */
  readonly timeout?: number | undefined
  /**
   * URL of a proxy: http, https or socks5; with user name and password where it asks for them. SOCKS needs the package
   * `socks`.
   *
   * @defaultValue what the environment says: `HTTPS_PROXY`, `HTTP_PROXY`, `NO_PROXY`
   */
  readonly proxyUrl?: string | undefined
  /** Says what each URL is reached through; null: nothing. Wins over `proxyUrl`. */
  readonly proxy?: ((url: URL) => string | URL | null) | undefined
  /** Makes TCP connections instead of node: through a tunnel of your own, say. */
  readonly dial?: Dial | undefined
  /**
   * Bytes above which an answer that is read as a whole is given up, and a watch at a single event; streams have no limit.
   *
   * @defaultValue 512 MiB
   */
  readonly maxResponseBytes?: number | undefined
  /**
   * Whether integers of more than 53 bits are read as `bigint`, in objects, lists and watches: the custom resource with an
   * `int64` field comes back digit by digit. Without it they are rounded to a number; writing such a number is then
   * refused, whoever made it. A `bigint` can be written either way.
   *
   * **Caveats**: types say `number`, as nearly all integers are; `typeof` tells. `JSON.stringify` does not take a bigint.
   *
   * @defaultValue false
   */
  readonly losslessIntegers?: boolean | undefined
  /** Time for retries, limits and token expiry. @defaultValue the machine's */
  readonly clock?: Clock | undefined
  /** @defaultValue lines on standard error */
  readonly logger?: Logger | undefined
  /**
   * How much is logged, on klog's scale (`-v` of `kubectl`). From 1 the default logger writes `info`, from 4 `debug` messages
   * too. From 6 requests are logged, as `debug`: 6 method, URL, status and time; 7 the request's headers; 8 the answer's
   * headers, and 1 KiB of bodies; 9 a curl command, where the time went, and 10 KiB; 10 whole bodies.
   *
   * **Guarantees**: credentials are masked in headers, and the bodies of Secrets and token requests are left out.
   *
   * **Caveats**: other bodies are shown as they are, secrets in ConfigMaps or environment variables included.
   *
   * @defaultValue 0
   */
  readonly verbosity?: number | undefined
}

/** One warning that the server attached to an answer (RFC 7234, code 299). */
export interface Warning {
  /** 299 of an API server. */
  readonly code: number
  /** Who warns; `-` of an API server. */
  readonly agent: string
  readonly text: string
}

/** Receives each warning, repeated ones too, before the call resolves or rejects. What it throws, the call rejects with. */
export type WarningHandler = (warning: Warning) => void

const truncated = '--- TRUNCATED ---'
/** As much as V8 holds in one text, whatever the machine. */
const defaultMaxResponseBytes = 512 * 2 ** 20

/**
 * How to reach a cluster and as whom. Immutable: {@link copyConfig} makes a changed one.
 *
 * **Guarantees**: printing it shows no password, token, key, and nothing of a plugin's arguments and environment: as JSON,
 * through `console.log`, `console.dir` or an error's inspection, alone or inside of something else.
 *
 * **Caveats**
 * - Clients made from the same Config share one connection; a copy has its own.
 * - The secrets are fields like any other to whoever reads fields: `{ ...config }` and `structuredClone(config)` make plain
 *   objects, which work as options but print all they have; {@link copyConfig} makes a Config. `console.table` and
 *   the differences that `node:assert` shows read fields too.
 */
export class Config implements ConfigOptions {
  declare readonly host: string
  readonly apiPath: string | undefined
  readonly username: string | undefined
  declare readonly password: string | undefined
  declare readonly bearerToken: string | undefined
  readonly bearerTokenFile: string | undefined
  readonly impersonate: ImpersonationConfig | undefined
  readonly execProvider: ExecConfig | undefined
  readonly execPlugins: ExecPluginOptions | undefined
  readonly authProvider: AuthProviderConfig | undefined
  readonly authConfigPersister: AuthConfigPersister | undefined
  readonly tlsClientConfig: TLSClientConfig
  readonly userAgent: string | undefined
  readonly disableCompression: boolean
  readonly transport: Transport | undefined
  readonly wrapTransport: ((transport: Transport) => Transport) | undefined
  readonly qps: number | undefined
  readonly burst: number | undefined
  readonly rateLimiter: RateLimiter | undefined
  readonly warningHandler: WarningHandler | undefined
  readonly timeout: number | undefined
  declare readonly proxyUrl: string | undefined
  readonly proxy: ((url: URL) => string | URL | null) | undefined
  readonly dial: Dial | undefined
  readonly maxResponseBytes: number
  readonly losslessIntegers: boolean
  readonly clock: Clock
  readonly logger: Logger
  readonly verbosity: number

  /**
   * @throws TypeError naming the field that is of the wrong type; RangeError naming the number that cannot be one of `qps`,
   * `burst`, `timeout`, `maxResponseBytes`, `verbosity`.
   */
  constructor(options: ConfigOptions = {}) {
    checkFields(options)
    checkNumbers(options)
    hide(this, {
      host: options.host || 'localhost',
      password: options.password,
      bearerToken: options.bearerToken,
      proxyUrl: options.proxyUrl,
    })
    this.apiPath = options.apiPath
    this.username = options.username
    this.bearerTokenFile = options.bearerTokenFile
    this.impersonate = frozenCopy(options.impersonate)
    this.execProvider = options.execProvider && hiding(options.execProvider, ['args', 'env', 'config'])
    this.execPlugins = options.execPlugins
    this.authProvider = options.authProvider && hiding(options.authProvider, ['config'])
    this.authConfigPersister = options.authConfigPersister
    this.tlsClientConfig = hiding(options.tlsClientConfig ?? {}, ['keyData'])
    this.userAgent = options.userAgent
    this.disableCompression = options.disableCompression ?? false
    this.transport = options.transport
    this.wrapTransport = options.wrapTransport
    this.qps = options.qps
    this.burst = options.burst
    this.rateLimiter = options.rateLimiter
    this.warningHandler = options.warningHandler
    this.timeout = options.timeout
    this.proxy = options.proxy
    this.dial = options.dial
    this.maxResponseBytes = options.maxResponseBytes ?? defaultMaxResponseBytes
    this.losslessIntegers = options.losslessIntegers ?? false
    this.clock = options.clock ?? realClock
    this.verbosity = options.verbosity ?? 0
    this.logger = loggerAt(options.logger ?? stderrLogger, this.verbosity)
    Object.freeze(this)
  }

  /** The Config itself, or a new one of the options. */
  static from(options: ConfigOptions): Config {
    return options instanceof Config ? options : new Config(options)
  }

  /** The fields that are data, secrets redacted. */
  toJSON(): Record<string, unknown> {
    const { certData } = this.tlsClientConfig
    const fields = {
      host: withoutCredentials(this.host),
      apiPath: this.apiPath,
      username: this.username,
      password: this.password && redacted,
      bearerToken: this.bearerToken && redacted,
      bearerTokenFile: this.bearerTokenFile,
      impersonate: this.impersonate && printable(this.impersonate),
      execProvider: this.execProvider && printable(this.execProvider),
      authProvider: this.authProvider && printable(this.authProvider),
      tlsClientConfig: { ...printable(this.tlsClientConfig), ...(certData && { certData: truncated }) },
      userAgent: this.userAgent,
      disableCompression: this.disableCompression,
      qps: this.qps,
      burst: this.burst,
      timeout: this.timeout,
      proxyUrl: this.proxyUrl && withoutCredentials(this.proxyUrl),
      losslessIntegers: this.losslessIntegers || undefined,
      verbosity: this.verbosity || undefined,
    }
    return printable(fields)
  }

  static {
    inspectAs(Config.prototype, (config) => ['Config', config.toJSON()])
  }
}

/** A Config with some fields changed: `copyConfig(config, { qps: 50, burst: 100 })`. */
export function copyConfig(config: ConfigOptions, changes: ConfigOptions = {}): Config {
  return new Config({ ...config, ...changes })
}

/** The same server, trust and limits, with every credential dropped. */
export function anonymousClientConfig(config: ConfigOptions): Config {
  const { insecure, serverName, nextProtos, caFile, caData } = config.tlsClientConfig ?? {}
  return copyConfig(config, {
    username: undefined,
    password: undefined,
    bearerToken: undefined,
    bearerTokenFile: undefined,
    impersonate: undefined,
    execProvider: undefined,
    authProvider: undefined,
    authConfigPersister: undefined,
    transport: undefined,
    wrapTransport: undefined,
    tlsClientConfig: { insecure, serverName, nextProtos, caFile, caData },
  })
}

/** A Config whose User-Agent is the default one with `/suffix` behind it, so that servers can tell components apart. */
export function addUserAgent(config: ConfigOptions, suffix: string): Config {
  return copyConfig(config, { userAgent: `${defaultUserAgent()}/${suffix}` })
}

/**
 * A Config with the content of its TLS files in the data fields; the file fields stay.
 *
 * @throws the file system's error, with the path, when a file cannot be read.
 */
export function loadTLSFiles(config: ConfigOptions): Config {
  const tls = config.tlsClientConfig ?? {}
  const load = (data: string | undefined, file: string | undefined): string | undefined =>
    data || (file ? readFileSync(file, 'utf8') : undefined)
  return copyConfig(config, {
    tlsClientConfig: {
      ...tls,
      caData: load(tls.caData, tls.caFile),
      certData: load(tls.certData, tls.certFile),
      keyData: load(tls.keyData, tls.keyFile),
    },
  })
}

function frozenCopy<T extends object | undefined>(value: T): T {
  return value === undefined ? value : deepFreeze(structuredClone(value))
}
