// The `auth-provider` stanza of a kubeconfig user, of which clients still have one: OIDC.

/** Credentials that the library itself renews. */
export interface AuthProviderConfig {
  readonly name: 'oidc'
  /**
   * `idp-issuer-url` and `client-id`, which must be there; `client-secret`, `id-token`, `refresh-token`,
   * `idp-certificate-authority` (a file) and `idp-certificate-authority-data` (base64).
   */
  readonly config: Readonly<Record<string, string>>
}

/** Where renewed credentials are kept. */
export interface AuthConfigPersister {
  /** @param config takes the place of the stanza's `config`. */
  persist(config: Readonly<Record<string, string>>): Promise<void> | void
}
