// The User-Agent: which program this is. Servers take the field manager's name from its first part.

import { readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** What {@link defaultUserAgent} is made of. */
export interface UserAgentFacts {
  /** Path of the program's main file. @defaultValue `process.argv[1]` */
  program?: string | undefined
  /** Node's name of the system. @defaultValue `process.platform` */
  platform?: string | undefined
  /** Node's name of the processor. @defaultValue `process.arch` */
  arch?: string | undefined
}

/** Go's names, which are what API servers' logs and managers of fields are read by. */
const goSystems: Readonly<Record<string, string>> = { win32: 'windows', sunos: 'solaris' }
const goProcessors: Readonly<Record<string, string>> = { x64: 'amd64', ia32: '386', ppc64: 'ppc64le' }

const cached = new Map<string, string>()

/**
 * `<program>/<version> (<os>/<arch>) kubewright/<version>`.
 *
 * The program is the main file's name without its extension, the version that of the nearest package.json above it.
 * What is not known reads `unknown`.
 */
export function defaultUserAgent(facts: UserAgentFacts = {}): string {
  const { program = process.argv[1] ?? '', platform = process.platform, arch = process.arch } = facts
  const key = `${program}\n${platform}\n${arch}`
  let userAgent = cached.get(key)
  if (userAgent === undefined) {
    const name = token(basename(program).replace(/\.[^.]+$/, ''))
    const version = token(program === '' ? '' : versionAbove(dirname(program)))
    const system = `${goSystems[platform] ?? platform}/${goProcessors[arch] ?? arch}`
    const own = token(versionAbove(dirname(fileURLToPath(import.meta.url))))
    userAgent = `${name}/${version} (${system}) kubewright/${own}`
    cached.set(key, userAgent)
  }
  return userAgent
}

/** What a Config's requests name themselves. */
export function userAgentOf({ userAgent }: { readonly userAgent?: string | undefined }): string {
  return userAgent || defaultUserAgent()
}

/** The version in the nearest package.json at or above a directory; `''` if there is none. */
function versionAbove(directory: string): string {
  for (let dir = directory; ; dir = dirname(dir)) {
    try {
      const { version } = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'))
      return typeof version === 'string' ? version : ''
    } catch {
      if (dirname(dir) === dir) return ''
    }
  }
}

/** Keeps what may stand in a product name or version of a header. */
function token(text: string): string {
  return text.replace(/[^\w.+-]/g, '') || 'unknown'
}
