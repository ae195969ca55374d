// The TLS part of a Config, checked and loaded: what the server must prove, and what we prove to it.

import { readFileSync } from 'node:fs'
import type { SecureContext } from 'node:tls'
import type { Clock } from '../../clock/index.js'
import { messageOf } from '../../meta/index.js'
import type { TLSClientConfig } from '../config.js'
import type { Logger } from '../logger.js'
import { CertificateFiles, checkedPair, read } from './certificate-files.js'
import type { CertificateSource, ClientCertificate } from './certificate-source.js'
import { RootsFile } from './roots-file.js'

/** Options of {@link loadTLSSettings}. */
export interface TLSSettingsOptions {
  clock: Clock
  logger: Logger
  /** Where the client certificate comes from when the Config itself has none. */
  certificates?: CertificateSource | undefined
}

/**
 * Loads certificates and keys and checks that they fit together.
 *
 * @throws Error that names the field at fault.
 */
export function loadTLSSettings(config: TLSClientConfig, options: TLSSettingsOptions): TLSSettings {
  const { clock, logger } = options
  const file = config.caData ? undefined : config.caFile || undefined
  const ca = config.caData || (file && read(file, 'tlsClientConfig.caFile'))
  if (ca !== undefined && config.insecure) {
    throw new Error('specifying a root certificates file with the insecure flag is not allowed')
  }
  if (ca !== undefined) checkRoots(ca)
  return new TLSSettings({
    config,
    roots:
      file !== undefined && ca !== undefined
        ? new RootsFile({ file, content: ca, check: checkRoots, clock, logger })
        : ca,
    certificates: ownCertificates(config, options) ?? options.certificates,
  })
}

/** The data wins over the files; with either half given as data, files are read once only. */
function ownCertificates(
  config: TLSClientConfig,
  { clock, logger }: TLSSettingsOptions,
): CertificateSource | undefined {
  const { certData, keyData, certFile, keyFile } = config
  const hasCert = Boolean(certData || certFile)
  const hasKey = Boolean(keyData || keyFile)
  if (!hasCert && !hasKey) return undefined
  if (!hasCert || !hasKey) {
    const [there, missing] = hasCert ? ['certificate', 'key'] : ['key', 'certificate']
    throw new Error(`tlsClientConfig has a client ${there} without its ${missing}: give both, or neither`)
  }
  if (certFile && keyFile && !certData && !keyData) return new CertificateFiles({ certFile, keyFile, clock, logger })
  const pair = checkedPair(
    certData || read(certFile ?? '', 'tlsClientConfig.certFile'),
    keyData || read(keyFile ?? '', 'tlsClientConfig.keyFile'),
  )
  return { currentCertificate: () => pair, onCertificateChange: () => () => {} }
}

/** Checked TLS settings, kept up to date. Inspection shows no secrets. */
export class TLSSettings {
  readonly rejectUnauthorized: boolean
  /** Name for SNI and verification, where the Config gives one. */
  readonly serverName: string | undefined
  /** What the Config says to offer; undefined: what we can. */
  readonly nextProtos: readonly string[] | undefined
  /** Undefined where the certificate is always the same. */
  readonly certificates: CertificateSource | undefined
  readonly #roots: RootsFile | string | undefined
  #context: { secureContext: SecureContext; ca: string | undefined; pair: ClientCertificate | undefined } | undefined
  #proxyContext: { secureContext: SecureContext; ca: string } | undefined

  constructor({
    config,
    roots,
    certificates,
  }: {
    config: TLSClientConfig
    roots: RootsFile | string | undefined
    certificates: CertificateSource | undefined
  }) {
    this.rejectUnauthorized = !config.insecure
    this.serverName = config.serverName || undefined
    this.nextProtos = config.nextProtos?.length ? config.nextProtos : undefined
    this.certificates = certificates
    this.#roots = roots
    // Whatever cannot be used shows now.
    void this.secureContext
  }

  /** For the next connection to the server. */
  get secureContext(): SecureContext {
    const ca = this.#ca
    const pair = this.certificates?.currentCertificate()
    if (this.#context?.ca !== ca || this.#context?.pair !== pair || this.#context === undefined) {
      const secureContext = process.getBuiltinModule('node:tls').createSecureContext({
        minVersion: 'TLSv1.2',
        ...(ca !== undefined && { ca }),
        ...(pair && { cert: pair.certData, key: pair.keyData }),
      })
      this.#context = { secureContext, ca, pair }
    }
    return this.#context.secureContext
  }

  /**
   * For connections to a proxy: it is not the server, so it is not shown who we are, and the system's authorities count
   * beside the Config's own. Undefined: node's default.
   */
  get proxyContext(): SecureContext | undefined {
    const ca = this.#ca
    if (ca === undefined) return undefined
    if (this.#proxyContext?.ca !== ca) {
      const { createSecureContext } = process.getBuiltinModule('node:tls')
      this.#proxyContext = {
        secureContext: createSecureContext({ minVersion: 'TLSv1.2', ca: [...systemRoots(), ca] }),
        ca,
      }
    }
    return this.#proxyContext?.secureContext
  }

  /** Reads the authorities again when it is time to; says whether there are others now. */
  refreshRoots(): boolean {
    return this.#roots instanceof RootsFile && this.#roots.refresh()
  }

  get #ca(): string | undefined {
    return this.#roots instanceof RootsFile ? this.#roots.content : this.#roots
  }
}

/** Whether a Config says anything about TLS. */
export function hasTLSSettings(config: TLSClientConfig): boolean {
  const { nextProtos: _, ...rest } = config
  return Object.values(rest).some(Boolean)
}

/** What node trusts by itself. */
function systemRoots(): readonly string[] {
  const tls = process.getBuiltinModule('node:tls') as typeof import('node:tls') & {
    // From Node 22.15 on.
    getCACertificates?: (type: 'default') => string[]
  }
  if (tls.getCACertificates) return tls.getCACertificates('default')
  const extra = process.env.NODE_EXTRA_CA_CERTS
  if (!extra) return tls.rootCertificates
  try {
    return [...tls.rootCertificates, readFileSync(extra, 'utf8')]
  } catch {
    // Node has said so at its start.
    return tls.rootCertificates
  }
}

/** OpenSSL skips what it cannot read, and would then trust nothing without saying why. */
function checkRoots(ca: string): void {
  // As OpenSSL reads them: each mark has a line of its own.
  const blocks = ca.match(/^-----BEGIN CERTIFICATE-----\s[^-]*^-----END CERTIFICATE-----\s*?$/gm)
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
  throw new Error(`unable to load root certificates: failed to parse certificate: ${messageOf(problem)}`, {
    cause: problem,
  })
}
