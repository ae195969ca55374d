// An ID token that is renewed when it is about to expire.

import { abortable, type Clock, SingleFlight } from '../../../clock/index.js'
import type { TLSClientConfig } from '../../config.js'
import type { Logger } from '../../logger.js'
import type { Transport } from '../../transport/transport.js'
import { SharedByClock } from '../keyed-sharing.js'
import type { AuthConfigPersister, AuthProviderConfig } from './auth-provider.js'
import { isFresh } from './id-token.js'
import { loadOAuthLibrary } from './oauth-library.js'
import { refreshTokens } from './refresh.js'

/** Milliseconds that a refresh may take. */
const refreshTimeoutMs = 30_000

type Settings = AuthProviderConfig['config']

/** Options of {@link OidcProvider} and {@link OidcProviders}. */
export interface OidcProviderOptions {
  config: Settings
  /** @defaultValue new tokens are kept in memory only */
  persister?: AuthConfigPersister | undefined
  /** Makes the transport to the identity provider; closed after each refresh. */
  connect: (tls: TLSClientConfig) => Transport
  clock: Clock
  logger: Logger
}

/**
 * The ID token of one user.
 *
 * **Guarantees**
 * - A token is used until 10 s before it expires; then one refresh serves all who wait.
 * - Tokens that cannot be persisted are used all the same, and the logger is told.
 */
export class OidcProvider {
  readonly #options: OidcProviderOptions
  readonly #flight = new SingleFlight<string>(() => this.#refresh())
  readonly #onRefreshed: (config: Settings) => void
  #config: Settings

  /** @throws Error when the stanza names no issuer or no client. */
  constructor(options: OidcProviderOptions, onRefreshed: (config: Settings) => void = () => {}) {
    for (const field of ['idp-issuer-url', 'client-id']) {
      if (!options.config[field]) throw new Error(`auth-provider "oidc": must provide ${field}`)
    }
    this.#options = options
    this.#config = options.config
    this.#onRefreshed = onRefreshed
  }

  /**
   * A token that the server should take.
   *
   * @throws Error when there is none and none can be had; the signal's reason when it aborts.
   */
  async idToken({ signal }: { signal?: AbortSignal | undefined } = {}): Promise<string> {
    signal?.throwIfAborted()
    const token = this.#config['id-token']
    if (token && isFresh(token, this.#options.clock.now())) return token
    // Once begun it goes on though nobody waits: its answer may hold the only refresh token that still works.
    return abortable(this.#flight.run(undefined), signal)
  }

  async #refresh(): Promise<string> {
    const { connect, clock } = this.#options
    const config = this.#config
    const oldRefreshToken = config['refresh-token']
    if (!oldRefreshToken) throw new Error('No valid id-token, and cannot refresh without refresh-token')
    const oauth = await loadOAuthLibrary()
    const overdue = new AbortController()
    const timer = clock.setTimer(refreshTimeoutMs, () =>
      overdue.abort(new Error(`refreshing the OIDC token took more than ${refreshTimeoutMs / 1000}s`)),
    )
    const transport = connect(identityProviderTLS(config))
    try {
      const { idToken, refreshToken } = await refreshTokens(oauth, {
        issuer: config['idp-issuer-url'] as string,
        clientId: config['client-id'] as string,
        clientSecret: config['client-secret'],
        refreshToken: oldRefreshToken,
        transport,
        signal: overdue.signal,
      })
      this.#config = Object.freeze({
        ...config,
        'id-token': idToken,
        ...(refreshToken && { 'refresh-token': refreshToken }),
      })
      this.#onRefreshed(this.#config)
      await this.#persist()
      return idToken
    } finally {
      timer.cancel()
      await transport.close()
    }
  }

  /** The old refresh token may be void by now, so failing here would throw away the only good one. */
  async #persist(): Promise<void> {
    const { persister, logger } = this.#options
    try {
      await persister?.persist(this.#config)
    } catch (err) {
      logger.error(
        'could not persist new OIDC tokens; other programs, and the next run of this one, may have to log in',
        {
          error: err,
        },
      )
    }
  }
}

function identityProviderTLS(config: Settings): TLSClientConfig {
  const data = config['idp-certificate-authority-data']
  return {
    caFile: config['idp-certificate-authority'] || undefined,
    caData: data ? Buffer.from(data, 'base64').toString('utf8') : undefined,
  }
}

/** Gives one provider to all who hold the same tokens, so that a refresh token that works once is used once. */
export class OidcProviders {
  readonly #shared = new SharedByClock<OidcProvider>()

  /** @throws Error when the stanza names no issuer or no client. */
  get(options: OidcProviderOptions): OidcProvider {
    const { config, clock } = options
    const shared = this.#shared.of(clock)
    return shared.getOrCreate(keyOf(config), () => {
      // Whoever reads the kubeconfig after a refresh comes with the new tokens.
      const provider: OidcProvider = new OidcProvider(options, (renewed) => shared.set(keyOf(renewed), provider))
      return provider
    })
  }
}

/** The user: by the refresh token, which outlives ID tokens, where there is one. */
function keyOf(config: Settings): readonly unknown[] {
  const { 'id-token': idToken, 'refresh-token': refreshToken, ...rest } = config
  return [Object.entries(rest).sort(([a], [b]) => (a < b ? -1 : 1)), refreshToken || ['id-token', idToken]]
}

/** Of the process: the default. */
export const sharedOidcProviders: OidcProviders = new OidcProviders()
