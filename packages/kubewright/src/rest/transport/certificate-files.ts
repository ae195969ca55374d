// A client certificate in files that somebody else renews.

import { readFileSync } from 'node:fs'
import type { Clock, Timer } from '../../clock/index.js'
import { messageOf } from '../../meta/index.js'
import type { Logger } from '../logger.js'
import type { CertificateSource, ClientCertificate } from './certificate-source.js'

/** Milliseconds for which a pair is taken for current when a connection is made. */
const freshMs = 1000
/** Milliseconds between looks while requests are open. */
const checkMs = 5 * 60_000
/** The same after a look that failed: somebody may be in the middle of writing. */
const retryMs = 10_000

/** Options of {@link CertificateFiles}. */
export interface CertificateFilesOptions {
  certFile: string
  keyFile: string
  clock: Clock
  logger: Logger
}

/**
 * The pair in two files, read again when a connection is made, and every five minutes while requests are open.
 *
 * **Guarantees**: what cannot be read, or does not fit together, is never taken; the pair before it is.
 */
export class CertificateFiles implements CertificateSource {
  readonly #options: CertificateFilesOptions
  readonly #listeners = new Set<() => void>()
  #current: ClientCertificate
  #readAt: number
  #problem: string | undefined
  #users = 0
  #timer: Timer | undefined

  /** @throws Error when the pair cannot be used. */
  constructor(options: CertificateFilesOptions) {
    this.#options = options
    this.#current = readPair(options)
    this.#readAt = options.clock.monotonic()
  }

  currentCertificate(): ClientCertificate {
    if (this.#options.clock.monotonic() - this.#readAt >= freshMs) this.#read()
    return this.#current
  }

  onCertificateChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  /**
   * Looks every five minutes until the returned function is called. Only open requests ask for it: they need to be told,
   * whereas a timer of our own would keep a program running that has nothing left to do.
   */
  watch(): () => void {
    if (this.#users++ === 0) this.#lookWhenDue()
    return () => {
      if (--this.#users === 0) this.#timer?.cancel()
    }
  }

  #lookWhenDue(): void {
    const { clock } = this.#options
    const left = (): number => this.#readAt + (this.#problem === undefined ? checkMs : retryMs) - clock.monotonic()
    if (left() <= 0) this.#read()
    if (this.#users > 0) this.#timer = clock.setTimer(left(), () => this.#lookWhenDue())
  }

  #read(): void {
    const { clock, logger } = this.#options
    this.#readAt = clock.monotonic()
    let pair: ClientCertificate
    try {
      pair = readPair(this.#options)
      this.#problem = undefined
    } catch (err) {
      const problem = `${messageOf(err)}; going on with the old one`
      if (problem !== this.#problem) logger.error(problem)
      this.#problem = problem
      return
    }
    if (pair.certData === this.#current.certData && pair.keyData === this.#current.keyData) return
    this.#current = pair
    for (const listener of this.#listeners) listener()
  }
}

function readPair({ certFile, keyFile }: CertificateFilesOptions): ClientCertificate {
  const certData = read(certFile, 'tlsClientConfig.certFile')
  const keyData = read(keyFile, 'tlsClientConfig.keyFile')
  return checkedPair(certData, keyData)
}

/** @throws Error that names the field. */
export function read(file: string, field: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (cause) {
    throw new Error(`cannot read ${field}: ${messageOf(cause)}`, { cause })
  }
}

/** @throws Error when they do not fit together. */
export function checkedPair(certData: string, keyData: string): ClientCertificate {
  try {
    // OpenSSL takes no text at all for none wanted, which a file that is just being written would be.
    if (!certData.includes('-----BEGIN ')) throw new Error('there is no PEM block in the certificate')
    if (!keyData.includes('-----BEGIN ')) throw new Error('there is no PEM block in the key')
    process.getBuiltinModule('node:tls').createSecureContext({ cert: certData, key: keyData })
  } catch (cause) {
    throw new Error(`cannot use the client certificate and key of tlsClientConfig: ${messageOf(cause)}`, { cause })
  }
  return { certData, keyData }
}
