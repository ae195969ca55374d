// The certificate authorities to trust, in a file that somebody else renews.

import { readFileSync } from 'node:fs'
import type { Clock } from '../../clock/index.js'
import { messageOf } from '../../meta/index.js'
import type { Logger } from '../logger.js'

/** Milliseconds between looks, whether they succeed or not. */
const refreshMs = 5 * 60_000

/** What is published on the diagnostics channel `kubewright:rest:ca-reload`, once for each look, in client-go's words. */
export interface CAReload {
  readonly result: 'success' | 'failure'
  readonly reason: 'unchanged' | 'updated' | 'read_error' | 'empty' | 'ca_parse_error'
}

/** Options of {@link RootsFile}. */
export interface RootsFileOptions {
  file: string
  /** Its content, read and checked. */
  content: string
  /** Throws when a text holds no certificate. */
  check: (content: string) => void
  clock: Clock
  logger: Logger
}

/** Keeps the old authorities while the file cannot be read, is empty or holds no certificate. */
export class RootsFile {
  readonly #options: RootsFileOptions
  #content: string
  #lookedAt: number

  constructor(options: RootsFileOptions) {
    this.#options = options
    this.#content = options.content
    this.#lookedAt = options.clock.monotonic()
  }

  get content(): string {
    return this.#content
  }

  /** Looks at the file when the last look is five minutes ago; says whether there are others to trust now. */
  refresh(): boolean {
    const { clock, check, file, logger } = this.#options
    const now = clock.monotonic()
    if (now - this.#lookedAt < refreshMs) return false
    this.#lookedAt = now
    const keep = (reason: CAReload['reason'], problem: string): boolean => {
      logger.error('cannot reload the CA; going on with the old one', { file, problem })
      publish({ result: 'failure', reason })
      return false
    }
    let content: string
    try {
      content = readFileSync(file, 'utf8')
    } catch (err) {
      return keep('read_error', messageOf(err))
    }
    if (content === '') return keep('empty', 'the file is empty')
    if (content === this.#content) {
      publish({ result: 'success', reason: 'unchanged' })
      return false
    }
    try {
      check(content)
    } catch (err) {
      return keep('ca_parse_error', messageOf(err))
    }
    this.#content = content
    publish({ result: 'success', reason: 'updated' })
    return true
  }
}

function publish(reload: CAReload): void {
  process.getBuiltinModule('node:diagnostics_channel').channel('kubewright:rest:ca-reload').publish(reload)
}
