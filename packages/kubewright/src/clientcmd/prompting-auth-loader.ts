// User name and password asked of the user.

import { writeFile } from 'node:fs/promises'
import { whenAborted } from '../clock/index.js'
import { KubeconfigError } from './errors.js'
import type { ReadOptions } from './files.js'
import { type LegacyAuth, legacyAuthNames, loadLegacyAuth } from './legacy-auth.js'

/** What is asked for. */
export type PromptedField = 'Username' | 'Password'

/** Asks the user: on a terminal, in a window. */
export interface CredentialReader {
  /**
   * Resolves to the answer.
   *
   * @param options `hidden`: do not show what is typed.
   */
  read(field: PromptedField, options: { hidden: boolean; signal?: AbortSignal | undefined }): Promise<string>
}

/** What the user said. */
export interface PromptedCredentials {
  user: string
  password: string
}

/** Asks for a user name and a password. */
export async function promptForCredentials(
  reader: CredentialReader,
  { signal }: ReadOptions = {},
): Promise<PromptedCredentials> {
  const user = (await reader.read('Username', { hidden: false, signal })).trim()
  return { user, password: await reader.read('Password', { hidden: true, signal }) }
}

/** Credentials from a file, or from the user where there is none yet: client-go's PromptingAuthLoader. */
export class PromptingAuthLoader {
  readonly #reader: CredentialReader

  /** @param reader @defaultValue the terminal */
  constructor(reader: CredentialReader = terminalReader()) {
    this.#reader = reader
  }

  /**
   * What the file holds. Where it does not exist the user is asked, and the file written, for its owner alone.
   *
   * @throws KubeconfigError when the file cannot be read; what the reader throws.
   */
  async loadAuth(path: string, options: ReadOptions = {}): Promise<LegacyAuth> {
    try {
      return await loadLegacyAuth(path, options)
    } catch (err) {
      if (!(err instanceof KubeconfigError) || err.code !== 'ENOENT') throw err
    }
    const auth = await this.prompt(options)
    const written = { [legacyAuthNames.user]: auth.user, [legacyAuthNames.password]: auth.password }
    // Never over a file that has come meanwhile.
    await writeFile(path, JSON.stringify(written), { mode: 0o600, flag: 'wx' })
    return auth
  }

  /** Asks for user name and password. */
  prompt(options: ReadOptions = {}): Promise<LegacyAuth> {
    return promptForCredentials(this.#reader, options)
  }
}

/** Asks on the terminal: questions go to standard error, so that standard output stays the program's own. */
export function terminalReader(): CredentialReader {
  return {
    async read(field, { hidden, signal }) {
      signal?.throwIfAborted()
      if (!process.stdin.isTTY) {
        throw new Error(`error reading input for ${field}: standard input is not a terminal`)
      }
      const { createInterface } = process.getBuiltinModule('node:readline')
      const { Writable } = process.getBuiltinModule('node:stream')
      const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
      process.stderr.write(`Please enter ${field}: `)
      const lines = createInterface({ input: process.stdin, output: hidden ? silent : process.stderr, terminal: true })
      const stopListening = signal && whenAborted(signal, () => lines.close())
      try {
        return await new Promise<string>((resolve, reject) => {
          lines.once('line', resolve)
          // The end of input, and an abort.
          lines.once('close', () => {
            reject(signal?.aborted ? signal.reason : new Error(`error reading input for ${field}: there was none`))
          })
        })
      } finally {
        stopListening?.()
        lines.close()
        if (hidden) process.stderr.write('\n')
      }
    },
  }
}
