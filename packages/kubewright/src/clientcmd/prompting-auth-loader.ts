// User name and password asked of the user.

import { writeFile } from 'node:fs/promises'
import type { CredentialReader } from './credential-reader.js'
import { KubeconfigError } from './errors.js'
import type { ReadOptions } from './files.js'
import { type LegacyAuth, legacyAuthNames, loadLegacyAuth } from './legacy-auth.js'
import { terminalReader } from './terminal-reader.js'

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
