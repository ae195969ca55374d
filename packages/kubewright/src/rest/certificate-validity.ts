// Why a server may not have taken a client certificate: it does not say, but the certificate does.

import { readFileSync } from 'node:fs'
import type { Config } from './config.js'

/** What is wrong with the time of a Config's client certificate; undefined: nothing, or it has none that can be read. */
export function certificateTimeProblem({ tlsClientConfig, clock }: Config): string | undefined {
  const { certData, certFile } = tlsClientConfig
  if (!certData && !certFile) return undefined
  let from: number
  let to: number
  try {
    const { X509Certificate } = process.getBuiltinModule('node:crypto')
    const { validFrom, validTo } = new X509Certificate(certData || readFileSync(certFile ?? ''))
    from = Date.parse(validFrom)
    to = Date.parse(validTo)
  } catch {
    return undefined
  }
  const now = clock.now()
  const where = certData ? 'tlsClientConfig' : certFile
  const at = (ms: number): string => new Date(ms).toISOString()
  if (now > to)
    return `the client certificate of ${where} has expired (${at(to)}): renew it, or check this machine's clock`
  if (now < from)
    return `the client certificate of ${where} is not valid yet (before ${at(from)}): check this machine's clock`
  return undefined
}
