// The OIDC provider that a Config asks for.

import { goQuote } from '../../../meta/index.js'
import type { Config } from '../../config.js'
import { type OidcProvider, type OidcProviderOptions, sharedOidcProviders } from './provider.js'

/**
 * The provider of a Config's `authProvider`; undefined when there is none, or when other credentials are there, which
 * win.
 *
 * @throws Error when the stanza is not valid, or there is a plugin as well.
 */
export function oidcProviderFor(
  config: Config,
  { connect }: Pick<OidcProviderOptions, 'connect'>,
): OidcProvider | undefined {
  const { authProvider, authConfigPersister: persister, execProvider, clock, logger } = config
  if (!authProvider) return undefined
  if (execProvider) throw new Error('execProvider and authProvider cannot be used in combination')
  const name: string = authProvider.name
  if (name !== 'oidc') throw new Error(`no Auth Provider found for name ${goQuote(name)}; use an exec plugin`)
  if (config.bearerToken || config.bearerTokenFile || config.username) return undefined
  return sharedOidcProviders.get({ config: authProvider.config, persister, connect, clock, logger })
}
