// Name and password as HTTP carries them.

/** Value of an `Authorization` or `Proxy-Authorization` header, in UTF-8. */
export function basicAuth(username: string, password: string): string {
  return `Basic ${Buffer.from(`${username}:${password}`, 'utf8').toString('base64')}`
}
