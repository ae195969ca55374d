// The TLS part of a Config, checked and loaded: what the server must prove, and what we prove to it.

import { readFileSync } from 'node:fs'
import type { SecureContext } from 'node:tls'
import type { TLSClientConfig } from '../config.js'

/** Checked TLS settings. The secrets are inside the context, out of reach of inspection. */
export interface TLSSettings {
  readonly secureContext: SecureContext
  readonly rejectUnauthorized: boolean
  /** Name for SNI and verification, where the Config gives one. */
  readonly serverName: string | undefined
}

/**
 * Loads certificates and keys and checks that they fit together.
 *
 * @throws Error that names the field at fault.
 */
export function loadTLSSettings(config: TLSClientConfig): TLSSettings {
  const ca = pem(config.caData, config.caFile, 'tlsClientConfig.caFile')
  const cert = pem(config.certData, config.certFile, 'tlsClientConfig.certFile')
  const key = pem(config.keyData, config.keyFile, 'tlsClientConfig.keyFile')
  if (ca !== undefined && config.insecure) {
    throw new Error('specifying a root certificates file with the insecure flag is not allowed')
  }
  if ((cert === undefined) !== (key === undefined)) {
    const [there, missing] = cert === undefined ? ['key', 'certificate'] : ['certificate', 'key']
    throw new Error(`tlsClientConfig has a client ${there} without its ${missing}: give both, or neither`)
  }
  if (ca !== undefined) checkRoots(ca)
  const { createSecureContext } = process.getBuiltinModule('node:tls')
  try {
    const secureContext = createSecureContext({
      minVersion: 'TLSv1.2',
      ...(ca !== undefined && { ca }),
      ...(cert !== undefined && key !== undefined && { cert, key }),
    })
    return { secureContext, rejectUnauthorized: !config.insecure, serverName: config.serverName || undefined }
  } catch (cause) {
    throw new Error(
      `cannot use the client certificate and key of tlsClientConfig: ${cause instanceof Error ? cause.message : cause}`,
      { cause },
    )
  }
}

/** Whether a Config says anything about TLS. */
export function hasTLSSettings(config: TLSClientConfig): boolean {
  return Object.values(config).some(Boolean)
}

function pem(data: string | undefined, file: string | undefined, field: string): string | undefined {
  if (data) return data
  if (!file) return undefined
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new Error(`cannot read ${field}: ${cause instanceof Error ? cause.message : cause}`, { cause })
  }
}

/** OpenSSL skips what it cannot read, and would then trust nothing without saying why. */
function checkRoots(ca: string): void {
  const blocks = ca.match(/-----BEGIN CERTIFICATE-----[^-]*-----END CERTIFICATE-----/g)
  if (blocks === null) throw new Error('unable to load root certificates: unable to parse bytes as PEM block')
  const { X509Certificate } = process.getBuiltinModule('node:crypto')
  let problem: unknown
  for (const block of blocks) {
    try {
      new X509Certificate(block)
      return
    } catch (err) {
      problem = err
    }
  }
  const reason = problem instanceof Error ? problem.message : problem
  throw new Error(`unable to load root certificates: failed to parse certificate: ${reason}`, { cause: problem })
}
