// Asks on the terminal, as programs do that log in.

import { whenAborted } from '../clock/index.js'
import type { CredentialReader, PromptedField } from './credential-reader.js'

/** @internal Standard input and error, or a test's. */
export interface Terminal {
  input: NodeJS.ReadableStream & { isTTY?: boolean }
  output: { write(text: string): unknown }
  /** What Ctrl-C does. */
  interrupt(): void
}

/**
 * Asks on the terminal: questions go to standard error, so that standard output stays the program's own. `read` throws where
 * standard input is no terminal or ends, and at Ctrl-C, which the process gets as SIGINT.
 */
export function terminalReader(): CredentialReader {
  return {
    read: (field, options) =>
      askOn(
        { input: process.stdin, output: process.stderr, interrupt: () => process.kill(process.pid, 'SIGINT') },
        field,
        options,
      ),
  }
}

/** @internal One question, and the line that answers it. */
export async function askOn(
  { input, output, interrupt }: Terminal,
  field: PromptedField,
  { hidden, signal }: { hidden: boolean; signal?: AbortSignal | undefined },
): Promise<string> {
  signal?.throwIfAborted()
  const failed = (why: string): Error => new Error(`error reading input for ${field}: ${why}`)
  if (!input.isTTY) throw failed('standard input is not a terminal')
  const { createInterface } = process.getBuiltinModule('node:readline')
  const { Writable } = process.getBuiltinModule('node:stream')
  const silent = new Writable({ write: (_chunk, _encoding, done) => done() })
  output.write(`Please enter ${field}: `)
  // What may be seen is echoed, edited and interrupted by the terminal itself, which hands out a line at a time: who pastes
  // two lines answers two questions. What may not be seen is edited by readline, on a terminal that echoes nothing.
  const lines = createInterface({ input, output: silent, terminal: hidden, historySize: 0 })
  return new Promise<string>((resolve, reject) => {
    let settle = (): void => reject(failed('there was none'))
    // Closes at once, so that no more is read than the line.
    const end = (how: () => void): void => {
      settle = how
      lines.close()
    }
    const stopListening = signal && whenAborted(signal, () => end(() => reject(signal.reason)))
    lines.once('line', (answer) => end(() => resolve(answer)))
    lines.once('SIGINT', () => {
      end(() => reject(failed('it was interrupted')))
      interrupt()
    })
    // Also the end of input.
    lines.once('close', () => {
      stopListening?.()
      if (hidden) output.write('\n')
      settle()
    })
  })
}
