// The library that speaks OAuth: an optional peer, loaded by the first refresh.

export type OAuthLibrary = typeof import('oauth4webapi')

/** @throws Error that says how to install it, when it is missing. */
export async function loadOAuthLibrary(
  load: () => Promise<OAuthLibrary> = () => import('oauth4webapi'),
): Promise<OAuthLibrary> {
  try {
    return await load()
  } catch (cause) {
    if ((cause as { code?: unknown }).code !== 'ERR_MODULE_NOT_FOUND') throw cause
    throw new Error(
      'cannot refresh the OIDC token: the package oauth4webapi is not installed; add it with: npm install oauth4webapi',
      { cause },
    )
  }
}
