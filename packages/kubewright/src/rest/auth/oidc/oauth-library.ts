// The library that speaks OAuth: an optional peer, loaded by the first refresh.

import { loadPackage } from '../../optional-package.js'

/** The module `oauth4webapi`. */
export type OAuthLibrary = typeof import('oauth4webapi')

/** @throws Error that says how to install it, when it is missing. */
export function loadOAuthLibrary(
  load: () => Promise<OAuthLibrary> = () => import('oauth4webapi'),
): Promise<OAuthLibrary> {
  return loadPackage(load, { name: 'oauth4webapi', cannot: 'cannot refresh the OIDC token' })
}
