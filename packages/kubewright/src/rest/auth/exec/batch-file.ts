// Plugins of Windows that are batch files (gcloud.cmd): only cmd.exe runs those, and it reads a line in its own way.

import { goQuote } from '../../../meta/index.js'

/** What to start. */
export interface Startable {
  readonly file: string
  readonly args: readonly string[]
  /** The arguments are quoted already. */
  readonly verbatim: boolean
}

/** cmd.exe expands `%`, even in quotes, and knows no escape for either; a line ends where a control character is. */
const unquotable = /["%\p{Cc}]/u

/**
 * The program itself; for a batch file on Windows, cmd.exe with a line in which each part is quoted.
 *
 * **Guarantees**: nothing in an argument is a command. What cmd.exe could take for one is refused, which leaves out
 * arguments with `"`, `%` and control characters: in quotes, all others stand for themselves. Delayed expansion (`!`) and
 * what the registry has cmd.exe run first are turned off.
 *
 * @throws Error that says which argument cannot be passed on; it does not show it.
 */
export function startable(
  path: string,
  args: readonly string[],
  { platform, systemRoot }: { platform: string; systemRoot: string | undefined },
): Startable {
  if (platform !== 'win32' || !/\.(bat|cmd)$/i.test(path)) return { file: path, args, verbatim: false }
  if (unquotable.test(path)) throw new Error(`the path ${goQuote(path)} cannot be given to cmd.exe; rename it`)
  const wrong = args.findIndex((arg) => unquotable.test(arg))
  if (wrong >= 0) {
    throw new Error(
      `argument ${wrong + 1} of a batch file has a character that cmd.exe does not take as it stands (", % or a control ` +
        'character); name the program that the batch file runs instead',
    )
  }
  const line = [path, ...args].map(quoted).join(' ')
  return {
    file: `${systemRoot || 'C:\\Windows'}\\System32\\cmd.exe`,
    // The outer quotes are those that /s takes off.
    args: ['/d', '/e:on', '/v:off', '/s', '/c', `"${line}"`],
    verbatim: true,
  }
}

/** Programs count backslashes before a quote by twos. */
function quoted(text: string): string {
  return `"${text.replace(/\\+$/, '$&$&')}"`
}
