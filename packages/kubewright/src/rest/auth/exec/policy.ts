// Which credential plugins may run: client-go's PluginPolicy.

import { basename, normalize } from 'node:path'
import { goQuote } from '../../../meta/index.js'
import type { Environment } from '../../environment.js'
import { lookPath } from './look-path.js'

/** An entry of an allowlist. */
export interface ExecPluginAllowlistEntry {
  /** A program's name, to be found along PATH, or its path, normalized. */
  readonly command: string
}

/** Which credential plugins may run. */
export interface ExecPluginPolicy {
  /** @defaultValue `AllowAll` */
  readonly policyType?: 'AllowAll' | 'DenyAll' | 'Allowlist' | undefined
  /** Must be given with `Allowlist`, and with nothing else. */
  readonly allowlist?: readonly ExecPluginAllowlistEntry[] | undefined
}

/**
 * Checks that a policy says what may run without a doubt.
 *
 * @throws Error that names the mistake.
 */
export function validateExecPluginPolicy({ policyType, allowlist }: ExecPluginPolicy): void {
  const problem = policyProblem(policyType, allowlist)
  if (problem) throw new Error(`invalid plugin policy: ${problem}`)
}

function policyProblem(policyType: string = '', allowlist: ExecPluginPolicy['allowlist']): string | undefined {
  if (['', 'AllowAll', 'DenyAll'].includes(policyType)) {
    if (allowlist === undefined) return undefined
    return `misconfigured credential plugin allowlist: plugin policy is "${policyType}" but allowlist is non-nil`
  }
  if (policyType !== 'Allowlist') return `unknown plugin policy: ${goQuote(policyType)}`
  // Also what a misspelled field looks like.
  if (!allowlist) return 'credential plugin policy set to "Allowlist", but allowlist is unspecified'
  if (allowlist.length === 0) {
    return 'credential plugin policy set to "Allowlist", but allowlist is empty; use "DenyAll" policy instead'
  }
  for (const [index, { command }] of allowlist.entries()) {
    if (!command) return `misconfigured credential plugin allowlist: empty allowlist entry #${index + 1}`
    const cleaned = clean(command)
    if (cleaned !== command) {
      return `non-normalized file path: ${goQuote(command)} vs ${goQuote(cleaned)}`
    }
  }
  return undefined
}

/** Without what makes two spellings of one path differ. */
function clean(path: string): string {
  const normal = normalize(path)
  return normal.length > 1 && /[/\\]$/.test(normal) ? normal.slice(0, -1) : normal
}

/**
 * Why a plugin may not run; undefined when it may.
 *
 * @param path the file that would run, where there is one.
 */
export function refusal(
  { policyType = 'AllowAll', allowlist = [] }: ExecPluginPolicy,
  { command, path, env }: { command: string; path: string | undefined; env: Environment },
): string | undefined {
  if (policyType === 'AllowAll') return undefined
  if (policyType === 'DenyAll') return `plugin ${goQuote(command)} not allowed: policy set to "DenyAll"`
  const cleaned = clean(command)
  if (allowlist.some((entry) => entry.command === cleaned || entry.command === path)) return undefined
  if (path === undefined) {
    return `plugin path ${goQuote(command)} cannot be resolved for credential plugin allowlist check: no such executable file`
  }
  const alike = allowlist.filter((entry) => basename(entry.command) === basename(path))
  if (alike.some((entry) => lookPath(entry.command, env) === path)) return undefined
  return `plugin path ${goQuote(path)} is not permitted by the credential plugin allowlist`
}
