// Why a server may not have taken a client certificate: it does not say, but the certificate does.

import { readFileSync } from 'node:fs'
import type { Clock } from '../clock/index.js'

/** When a certificate is valid, in milliseconds since 1970. */
export interface Validity {
  from: number
  to: number
}

/** Of the first certificate of a PEM text; undefined when there is none. */
export function validityOf(certData: string): Validity | undefined {
  const { X509Certificate } = process.getBuiltinModule('node:crypto')
  try {
    const { validFrom, validTo } = new X509Certificate(certData)
    return { from: Date.parse(validFrom), to: Date.parse(validTo) }
  } catch {
    return undefined
  }
}

/** Options of {@link certificateTimeProblem}, as a Config has them. */
export interface CertificateOptions {
  readonly tlsClientConfig: { readonly certData?: string | undefined; readonly certFile?: string | undefined }
  readonly clock: Clock
}

/** What is wrong with the time of a Config's client certificate; undefined: nothing, or it has none that can be read. */
export function certificateTimeProblem({ tlsClientConfig, clock }: CertificateOptions): string | undefined {
  const { certData, certFile } = tlsClientConfig
  if (!certData && !certFile) return undefined
  let validity: Validity | undefined
  try {
    validity = validityOf(certData || readFileSync(certFile ?? '', 'utf8'))
  } catch {
    // What cannot be read has been told when the connection was made.
  }
  if (validity === undefined) return undefined
  const { from, to } = validity
  const now = clock.now()
  const where = certData ? 'tlsClientConfig' : certFile
  const at = (ms: number): string => new Date(ms).toISOString()
  if (now > to)
    return `the client certificate of ${where} has expired (${at(to)}): renew it, or check this machine's clock`
  if (now < from)
    return `the client certificate of ${where} is not valid yet (before ${at(from)}): check this machine's clock`
  return undefined
}
