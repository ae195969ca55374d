// Users hold credentials: what console.log prints of one does not.

import type { AuthInfo } from './types.js'

// What may be shown, and not what may not: a token is one also in a field whose name is misspelt.
const open = new Set([
  'client-certificate',
  'client-key',
  'tokenFile',
  'as',
  'as-uid',
  'as-groups',
  'as-user-extra',
  'username',
  'locationOfOrigin',
])
const openOfExec = new Set(['command', 'apiVersion', 'installHint', 'provideClusterInfo', 'interactiveMode'])
const openOfAuthProvider = new Set(['name'])
const inspectCustom = Symbol.for('nodejs.util.inspect.custom')

function redacted(stanza: object, shown: ReadonlySet<string>): Record<string, unknown> {
  const fields = Object.entries(stanza).map(([name, value]) => [name, shown.has(name) || !value ? value : 'REDACTED'])
  return Object.fromEntries(fields)
}

function inspectAuthInfo(this: AuthInfo): Record<string, unknown> {
  const shown = redacted(this, open)
  if (this.exec) shown.exec = redacted(this.exec, openOfExec)
  if (this['auth-provider']) shown['auth-provider'] = redacted(this['auth-provider'], openOfAuthProvider)
  return shown
}

/** The user, with its secrets kept out of `util.inspect`. */
export function hideSecrets<T extends AuthInfo>(user: T): T {
  return Object.defineProperty(user, inspectCustom, { value: inspectAuthInfo, configurable: true })
}
