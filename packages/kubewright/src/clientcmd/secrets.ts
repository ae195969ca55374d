// Users hold credentials: what console.log prints of one does not.

import type { AuthInfo } from './types.js'

const secretFields = ['client-certificate-data', 'client-key-data', 'token', 'password'] as const
const inspectCustom = Symbol.for('nodejs.util.inspect.custom')

function inspectAuthInfo(this: AuthInfo): Record<string, unknown> {
  const shown: Record<string, unknown> = { ...this }
  for (const field of secretFields) if (shown[field]) shown[field] = 'REDACTED'
  if (this['auth-provider']?.config) shown['auth-provider'] = { ...this['auth-provider'], config: 'REDACTED' }
  if (this.exec?.args) shown.exec = { ...(shown.exec as object), args: 'REDACTED' }
  if (this.exec?.env) shown.exec = { ...(shown.exec as object), env: 'REDACTED' }
  return shown
}

/** The user, with its secrets kept out of `util.inspect`. */
export function hideSecrets<T extends AuthInfo>(user: T): T {
  return Object.defineProperty(user, inspectCustom, { value: inspectAuthInfo, configurable: true })
}
