// A bearer token that lives in a file which somebody else renews.

import { readFileSync } from 'node:fs'
import type { Clock } from '../../clock/index.js'
import { goQuote, messageOf } from '../../meta/index.js'
import type { Logger } from '../logger.js'

/** Milliseconds for which a token read is used before the file is read again: a minute, less some leeway. */
const freshMs = 50_000

/** Options of {@link TokenFileSource}. */
export interface TokenFileSourceOptions {
  file: string
  clock: Clock
  logger: Logger
}

/** Reads the file again about once a minute; keeps the old token while that fails. */
export class TokenFileSource {
  readonly #options: TokenFileSourceOptions
  #token: string | undefined
  #readAt = Number.NEGATIVE_INFINITY

  constructor(options: TokenFileSourceOptions) {
    this.#options = options
  }

  /** @throws Error when there is no token yet and the file cannot be read or is empty. */
  token(): string {
    const { file, clock, logger } = this.#options
    const now = clock.monotonic()
    if (this.#token !== undefined && now - this.#readAt < freshMs) return this.#token
    try {
      this.#token = readToken(file)
      this.#readAt = now
    } catch (cause) {
      const message = `cannot read the bearer token: ${messageOf(cause)}`
      if (this.#token === undefined) throw new Error(message, { cause })
      logger.error(`${message}; going on with the old one`)
    }
    return this.#token
  }

  /** Has the file read at the next use, unless the token was read after the given time. */
  reset(requestedAt: number): void {
    if (this.#readAt <= requestedAt) this.#readAt = Number.NEGATIVE_INFINITY
  }
}

function readToken(file: string): string {
  const token = readFileSync(file, 'utf8').trim()
  if (token === '') throw new Error(`read empty token from file ${goQuote(file)}`)
  return token
}
