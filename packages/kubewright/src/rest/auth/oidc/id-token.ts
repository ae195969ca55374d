// When an ID token ends, by its own word. The server verifies it; we only look.

/** Milliseconds by which a token counts as expired before it is, as clocks differ. */
const leewayMs = 10_000

/**
 * Whether a token can still be used.
 *
 * @throws Error when it is not a JWT.
 */
export function isFresh(idToken: string, now: number): boolean {
  const parts = idToken.split('.')
  if (parts.length !== 3) throw new Error('ID Token is not a valid JWT')
  let claims: { exp?: unknown } | null
  try {
    claims = JSON.parse(Buffer.from(parts[1] as string, 'base64url').toString('utf8')) as typeof claims
  } catch {
    // The parser's own message quotes the token.
    throw new Error('ID Token is not a valid JWT: its claims are not JSON')
  }
  const exp = claims?.exp ?? 0
  if (typeof exp !== 'number') throw new Error('ID Token is not a valid JWT: its claim "exp" is not a number')
  return now + leewayMs < Math.trunc(exp) * 1000
}
