// What a credential plugin prints, checked.

import { isObject, messageOf, parseTime } from '../../../meta/index.js'
import type { ClientCertificate } from '../../transport/certificate-source.js'

/** A client certificate and its key. Inspection shows neither. */
class PluginCertificate implements ClientCertificate {
  readonly #certData: string
  readonly #keyData: string

  constructor(certData: string, keyData: string) {
    this.#certData = certData
    this.#keyData = keyData
  }

  /** PEM text. */
  get certData(): string {
    return this.#certData
  }

  /** PEM text. */
  get keyData(): string {
    return this.#keyData
  }
}

/** What a run of a plugin gave: a token, a certificate, or both. Inspection shows neither. */
export class ExecCredentials {
  readonly #token: string | undefined
  readonly #certificate: ClientCertificate | undefined
  /** Milliseconds since 1970; undefined: for as long as the server takes them. */
  readonly expiresAt: number | undefined

  constructor(options: {
    token: string | undefined
    certificate: ClientCertificate | undefined
    expiresAt: number | undefined
  }) {
    this.#token = options.token
    this.#certificate = options.certificate
    this.expiresAt = options.expiresAt
  }

  get token(): string | undefined {
    return this.#token
  }

  get certificate(): ClientCertificate | undefined {
    return this.#certificate
  }
}

/**
 * Reads what a plugin printed.
 *
 * @throws Error that says what is wrong with it and quotes nothing of it but its apiVersion.
 */
export function parseExecCredential(stdout: string, apiVersion: string): ExecCredentials {
  const printed = decode(stdout)
  if (printed.apiVersion !== apiVersion) {
    throw new Error(
      `exec plugin is configured to use API version ${apiVersion}, plugin returned version ${printed.apiVersion}`,
    )
  }
  const status = printed.status ?? undefined
  if (status === undefined) throw new Error("exec plugin didn't return a status field")
  if (!isObject(status)) throw undecodable('status is not an object')
  const token = text(status, 'token')
  const certData = text(status, 'clientCertificateData')
  const keyData = text(status, 'clientKeyData')
  const expiresAt = expiry(text(status, 'expirationTimestamp', { emptyIsText: true }))
  if (!token && !certData && !keyData) throw new Error("exec plugin didn't return a token or cert/key pair")
  if (!certData !== !keyData) throw new Error('exec plugin returned only certificate or key, not both')
  return new ExecCredentials({
    token,
    certificate: certData && keyData ? checkedCertificate(certData, keyData) : undefined,
    expiresAt,
  })
}

function decode(stdout: string): Record<string, unknown> & { apiVersion: string } {
  if (stdout.trim() === '') throw undecodable('the plugin printed nothing')
  let printed: unknown
  try {
    printed = JSON.parse(stdout)
  } catch {
    // The parser's own message quotes the text, which may be a credential.
    throw undecodable(`what the plugin printed (${stdout.length} characters) is not JSON`)
  }
  if (!isObject(printed)) throw undecodable('what the plugin printed is not a JSON object')
  if (!printed.kind) throw undecodable("Object 'Kind' is missing")
  if (printed.kind !== 'ExecCredential') throw undecodable('what the plugin printed is not of kind ExecCredential')
  const { apiVersion } = printed
  if (typeof apiVersion !== 'string' || apiVersion === '') throw undecodable("Object 'apiVersion' is missing")
  return { ...printed, apiVersion }
}

function text(status: Record<string, unknown>, field: string, { emptyIsText = false } = {}): string | undefined {
  const value = status[field] ?? undefined
  if (value !== undefined && typeof value !== 'string') throw undecodable(`status.${field} is not a string`)
  return emptyIsText ? value : value || undefined
}

function expiry(timestamp: string | undefined): number | undefined {
  if (timestamp === undefined) return undefined
  try {
    return parseTime(timestamp)
  } catch {
    throw undecodable('status.expirationTimestamp is not an RFC 3339 time, such as 2026-01-02T03:04:05Z')
  }
}

function checkedCertificate(certData: string, keyData: string): ClientCertificate {
  try {
    process.getBuiltinModule('node:tls').createSecureContext({ cert: certData, key: keyData })
  } catch (cause) {
    throw new Error(`failed parsing client key/certificate: ${messageOf(cause)}`, { cause })
  }
  return new PluginCertificate(certData, keyData)
}

function undecodable(problem: string): Error {
  return new Error(`decoding stdout: ${problem}`)
}
