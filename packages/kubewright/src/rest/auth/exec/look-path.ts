// Which file a command is: the search that the system does along PATH, with our own PATH, before the program starts.

import { accessSync, constants, statSync } from 'node:fs'
import { delimiter, isAbsolute, join, resolve } from 'node:path'
import type { Environment } from '../../environment.js'

/** The absolute path of the executable file that `command` is; undefined when there is none. */
export function lookPath(command: string, env: Environment): string | undefined {
  if (hasDirectory(command)) return executable(resolve(command), env)
  for (const directory of (env.PATH ?? env.Path ?? '').split(delimiter)) {
    // An empty or relative entry would make what runs depend on the current directory.
    if (!isAbsolute(directory)) continue
    const found = executable(join(directory, command), env)
    if (found !== undefined) return found
  }
  return undefined
}

function hasDirectory(command: string): boolean {
  return command.includes('/') || (process.platform === 'win32' && /[\\:]/.test(command))
}

function executable(path: string, env: Environment): string | undefined {
  const extensions = process.platform === 'win32' ? ['', ...(env.PATHEXT ?? '.COM;.EXE').split(';')] : ['']
  return extensions.map((extension) => path + extension).find(isExecutable)
}

function isExecutable(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return statSync(path).isFile()
  } catch {
    return false
  }
}
