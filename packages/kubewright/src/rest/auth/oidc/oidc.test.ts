// An OIDC user, against an identity provider on this machine.

import { readFileSync } from 'node:fs'
import https from 'node:https'
import type { AddressInfo } from 'node:net'
import { inspect } from 'node:util'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { FakeClock } from '../../../clock/fake-clock.js'
import { realClock } from '../../../clock/index.js'
import { Config, type ConfigOptions, type TLSClientConfig } from '../../config.js'
import { fakeTransport } from '../../fake-transport.test-support.js'
import { noLogger } from '../../logger.js'
import { connectionSettings } from '../../transport/connection-settings.js'
import { HttpTransport } from '../../transport/http-transport.js'
import { loadTLSSettings } from '../../transport/tls-settings.js'
import type { TransportRequest } from '../../transport/transport.js'
import type { AuthConfigPersister, AuthProviderConfig } from './auth-provider.js'
import { oidcProviderFor } from './for-config.js'
import { isFresh } from './id-token.js'
import { loadOAuthLibrary } from './oauth-library.js'
import { OidcProvider, type OidcProviderOptions, OidcProviders } from './provider.js'
import { withOidcToken } from './wrapper.js'

const file = (name: string): URL => new URL(`../../transport/testdata/${name}`, import.meta.url)
const pem = (name: string): string => readFileSync(file(name), 'utf8')
const base64 = (text: string): string => Buffer.from(text).toString('base64')

// Generous: nothing here depends on how fast the machine is.
vi.setConfig({ testTimeout: 60_000 })
const cleanups: (() => unknown)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

// Tokens that the identity provider gives are checked by the real time, so the fake one starts there.
const start = Date.now()
const hour = 3600

function jwt(claims: object): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url')
  return `${part({ alg: 'RS256' })}.${part(claims)}.c2ln`
}

/** Like one that expires after so many seconds. */
function idToken(seconds: number, claims: object = {}): string {
  const now = Math.floor(start / 1000)
  return jwt({ sub: 'jane', aud: 'client', iat: now, exp: now + seconds, ...claims })
}

interface TokenCall {
  authorization: string | undefined
  form: Record<string, string>
}

/** An identity provider. */
class Issuer {
  url = ''
  discoveries = 0
  metadata: object = {}
  readonly calls: TokenCall[] = []
  /** Gives the answer to a call of the token endpoint. */
  answer: (call: TokenCall) => { status?: number; body: unknown } | Promise<{ status?: number; body: unknown }> =
    () => ({
      body: this.tokens(),
    })

  static async start(): Promise<Issuer> {
    const issuer = new Issuer()
    const server = https.createServer({ cert: pem('server.pem'), key: pem('server.key') }, (request, response) => {
      const send = (status: number, body: unknown): void => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
      }
      if (request.url === '/realm/.well-known/openid-configuration') {
        issuer.discoveries++
        send(200, { issuer: issuer.url, token_endpoint: `${issuer.url}/token`, ...issuer.metadata })
        return
      }
      if (request.url !== '/realm/token') {
        send(404, 'S3CRET')
        return
      }
      let body = ''
      request.setEncoding('utf8')
      request.on('data', (text: string) => {
        body += text
      })
      request.on('end', async () => {
        const { authorization } = request.headers
        const call = { authorization, form: Object.fromEntries(new URLSearchParams(body)) }
        issuer.calls.push(call)
        const answer = await issuer.answer(call)
        send(answer.status ?? 200, answer.body)
      })
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    cleanups.push(() => {
      server.closeAllConnections()
      return new Promise((resolve) => server.close(resolve))
    })
    issuer.url = `https://127.0.0.1:${(server.address() as AddressInfo).port}/realm`
    return issuer
  }

  tokens(fields: object = {}): object {
    return {
      access_token: 'access',
      token_type: 'Bearer',
      id_token: idToken(hour, { iss: this.url }),
      refresh_token: 'refresh-2',
      ...fields,
    }
  }

  config(fields: Record<string, string> = {}): Record<string, string> {
    return {
      'idp-issuer-url': this.url,
      'client-id': 'client',
      'id-token': idToken(-1),
      'refresh-token': 'refresh-1',
      'idp-certificate-authority-data': base64(pem('ca.pem')),
      ...fields,
    }
  }
}

const connect = (tls: TLSClientConfig): HttpTransport =>
  new HttpTransport({
    tls: loadTLSSettings(tls, { clock: realClock, logger: noLogger }),
    clock: realClock,
    disableCompression: false,
    settings: connectionSettings({}, noLogger),
    proxyFor: () => undefined,
    connect: undefined,
  })

function options(config: Record<string, string>, more: Partial<OidcProviderOptions> = {}): OidcProviderOptions {
  return { config, connect, clock: new FakeClock(start), logger: noLogger, ...more }
}

const fail = async (promise: Promise<unknown>): Promise<Error> => {
  const err = await promise.then(
    () => new Error('did not fail'),
    (err: Error) => err,
  )
  expect(inspect(err, { depth: 9, showHidden: true })).not.toMatch(/refresh-1|S3CRET|access/)
  return err
}

describe('an ID token', () => {
  it.each<[string, unknown, number, boolean]>([
    ['is fresh more than ten seconds before it expires', 100, 89_999, true],
    ['is not fresh ten seconds before it expires', 100, 90_000, false],
    ['may have a fraction', 100.9, 89_999, true],
    ['without expiry is not fresh', undefined, 0, false],
  ])('%s', (_name, exp, now, expected) => {
    expect(isFresh(jwt({ exp }), now)).toBe(expected)
  })

  it.each<[string, string]>([
    ['S3CRET', 'ID Token is not a valid JWT'],
    ['a.S3CRET.c', 'ID Token is not a valid JWT: its claims are not JSON'],
    [jwt({ exp: 'S3CRET' }), 'ID Token is not a valid JWT: its claim "exp" is not a number'],
  ])('%s is none', async (text, message) => {
    const provider = new OidcProvider(options({ 'idp-issuer-url': 'https://i', 'client-id': 'c', 'id-token': text }))
    expect((await fail(provider.idToken())).message).toBe(message)
  })

  it('is used while it is fresh, and the identity provider is left alone', async () => {
    const issuer = await Issuer.start()
    const token = idToken(60)
    expect(await new OidcProvider(options(issuer.config({ 'id-token': token }))).idToken()).toBe(token)
    expect(issuer.discoveries).toBe(0)
  })

  it.each(['idp-issuer-url', 'client-id'])('needs %s', (field) => {
    const config = { 'idp-issuer-url': 'https://i', 'client-id': 'c', [field]: '' }
    expect(() => new OidcProvider(options(config))).toThrow(`auth-provider "oidc": must provide ${field}`)
  })

  it('cannot be had without a refresh token', async () => {
    const provider = new OidcProvider(options({ 'idp-issuer-url': 'https://i', 'client-id': 'c' }))
    expect((await fail(provider.idToken())).message).toBe('No valid id-token, and cannot refresh without refresh-token')
  })
})

describe('a refresh', () => {
  it('is made once for all who wait; its tokens are used and persisted', async () => {
    const issuer = await Issuer.start()
    const persisted: unknown[] = []
    const persister = { persist: (config: unknown) => void persisted.push(config) }
    const clock = new FakeClock(start)
    const config = issuer.config({ 'client-secret': 'S3CRET' })
    const provider = new OidcProvider(options(config, { persister, clock }))
    const fresh = idToken(hour, { iss: issuer.url })
    expect(await Promise.all(Array.from({ length: 5 }, () => provider.idToken()))).toEqual(Array(5).fill(fresh))
    for (let i = 0; i < 5; i++) expect(await provider.idToken()).toBe(fresh)
    expect(persisted).toEqual([{ ...config, 'id-token': fresh, 'refresh-token': 'refresh-2' }])
    expect([issuer.discoveries, issuer.calls.length, clock.pendingTimers]).toEqual([1, 1, 0])

    const later = idToken(9 * hour, { iss: issuer.url })
    issuer.answer = () => ({ body: issuer.tokens({ id_token: later, refresh_token: undefined }) })
    await clock.advance((hour - 11) * 1000 - (start % 1000))
    expect(await provider.idToken()).toBe(fresh)
    await clock.advance(1000)
    expect(await provider.idToken()).toBe(later)
    expect(issuer.calls.map(({ form }) => form['refresh_token'])).toEqual(['refresh-1', 'refresh-2'])
    expect(persisted[1]).toEqual({ ...config, 'id-token': later, 'refresh-token': 'refresh-2' })
    expect(inspect(provider, { depth: 9, showHidden: true })).not.toMatch(/refresh-|S3CRET/)
  })

  it.each<[string, Record<string, string>, string[] | undefined, Partial<TokenCall>]>([
    ['no secret', {}, undefined, { authorization: undefined, form: { client_id: 'client' } }],
    ['a secret', { 'client-secret': 'p:w' }, undefined, { authorization: `Basic ${base64('client:p%3Aw')}`, form: {} }],
    [
      'a secret in the form',
      { 'client-secret': 'p:w' },
      ['client_secret_post'],
      { authorization: undefined, form: { client_id: 'client', client_secret: 'p:w' } },
    ],
  ])('authenticates with %s', async (_name, fields, supported, expected) => {
    const issuer = await Issuer.start()
    issuer.metadata = { token_endpoint_auth_methods_supported: supported }
    await new OidcProvider(options(issuer.config(fields))).idToken()
    const form = { ...expected.form, grant_type: 'refresh_token', refresh_token: 'refresh-1' }
    expect(issuer.calls).toEqual([{ ...expected, form }])
  })

  it('trusts a certificate authority in a file, and no other', async () => {
    const issuer = await Issuer.start()
    const trusting = (name: string): OidcProvider =>
      new OidcProvider(
        options(
          issuer.config({ 'idp-certificate-authority-data': '', 'idp-certificate-authority': file(name).pathname }),
        ),
      )
    expect(await trusting('ca.pem').idToken()).toBe(idToken(hour, { iss: issuer.url }))
    expect((await fail(trusting('other-ca.pem').idToken())).message).toContain(
      `cannot refresh the OIDC token at ${issuer.url}: `,
    )
    expect(issuer.calls).toHaveLength(1)
  })

  it.each<[string, (issuer: Issuer) => { status?: number; body: unknown }, string]>([
    [
      'is refused',
      () => ({ status: 400, body: { error: 'invalid_grant', error_description: 'no such token: refresh-1' } }),
      'invalid_grant: no such token: (redacted)',
    ],
    ['fails', () => ({ status: 500, body: 'S3CRET' }), '(HTTP status 500)'],
    ['gives no ID token', (issuer) => ({ body: issuer.tokens({ id_token: undefined }) }), 'has no id_token'],
    [
      'gives the token of another client',
      (issuer) => ({ body: issuer.tokens({ id_token: idToken(hour, { iss: issuer.url, aud: 'other' }) }) }),
      '"aud"',
    ],
    ['gives no tokens', () => ({ body: {} }), '"access_token"'],
  ])('that %s says so and tells no secret', async (_name, answer, message) => {
    const issuer = await Issuer.start()
    issuer.answer = () => answer(issuer)
    const provider = new OidcProvider(options(issuer.config({ 'client-secret': 'S3CRET' })))
    const err = await provider.idToken().catch((err: Error) => err)
    expect((err as Error).message).toContain(`cannot refresh the OIDC token at ${issuer.url}: `)
    expect((err as Error).message).toContain(message)
    expect(inspect(err, { depth: 9, showHidden: true })).not.toMatch(/refresh-[12]|S3CRET|eyJ/)
    issuer.answer = () => ({ body: issuer.tokens() })
    expect(await provider.idToken()).toBe(idToken(hour, { iss: issuer.url }))
  })

  it.each<[string, object, string]>([
    ['has no token endpoint', { token_endpoint: undefined }, "discovery object doesn't contain a token_endpoint"],
    ['is of another issuer', { issuer: 'https://other' }, '"issuer"'],
  ])('whose discovery %s fails', async (_name, metadata, message) => {
    const issuer = await Issuer.start()
    issuer.metadata = metadata
    expect((await fail(new OidcProvider(options(issuer.config())).idToken())).message).toContain(message)
  })

  it('of an issuer that is not there fails', async () => {
    const issuer = await Issuer.start()
    const config = issuer.config({ 'idp-issuer-url': `${issuer.url}/elsewhere?S3CRET` })
    expect((await fail(new OidcProvider(options(config)).idToken())).message).toContain('(HTTP status 404)')
  })

  it('whose tokens cannot be persisted is good, and the logger is told', async () => {
    const issuer = await Issuer.start()
    const lines: string[] = []
    const logger = { ...noLogger, error: (line: string) => void lines.push(line) }
    const persister = { persist: () => Promise.reject(new Error('read-only')) }
    const provider = new OidcProvider(options(issuer.config(), { logger, persister }))
    const fresh = idToken(hour, { iss: issuer.url })
    expect([await provider.idToken(), await provider.idToken()]).toEqual([fresh, fresh])
    expect(lines).toEqual([expect.stringContaining('could not persist new OIDC tokens')])
    expect(issuer.calls).toHaveLength(1)
  })

  it('goes on when those who waited have left, as the old refresh token may be void', async () => {
    const issuer = await Issuer.start()
    let open = (): void => {}
    const gate = new Promise<void>((resolve) => {
      open = resolve
    })
    issuer.answer = async () => {
      await gate
      return { body: issuer.tokens() }
    }
    const provider = new OidcProvider(options(issuer.config()))
    const controller = new AbortController()
    const left = provider.idToken({ signal: controller.signal })
    await expect.poll(() => issuer.calls.length, { timeout: 30_000 }).toBe(1)
    controller.abort(new Error('left'))
    await expect(left).rejects.toThrow('left')
    const next = provider.idToken()
    open()
    expect(await next).toBe(idToken(hour, { iss: issuer.url }))
    expect(issuer.calls).toHaveLength(1)
    await expect(provider.idToken({ signal: AbortSignal.abort(new Error('gone')) })).rejects.toThrow('gone')
  })

  it('ends after thirty seconds', async () => {
    const issuer = await Issuer.start()
    issuer.answer = () => new Promise(() => {})
    const clock = new FakeClock(start)
    const failure = fail(new OidcProvider(options(issuer.config(), { clock })).idToken())
    await expect.poll(() => issuer.calls.length, { timeout: 30_000 }).toBe(1)
    await clock.advance(30_000)
    expect((await failure).message).toBe('refreshing the OIDC token took more than 30s')
  })

  it('needs a package, and says how to install it', async () => {
    const missing = Object.assign(new Error('Cannot find package'), { code: 'ERR_MODULE_NOT_FOUND' })
    await expect(loadOAuthLibrary(() => Promise.reject(missing))).rejects.toThrow('npm install oauth4webapi')
    await expect(loadOAuthLibrary(() => Promise.reject(new Error('broken')))).rejects.toThrow('broken')
  })
})

describe('a provider', () => {
  it('is shared by all who hold the same tokens, before a refresh and after', async () => {
    const issuer = await Issuer.start()
    const providers = new OidcProviders()
    const clock = new FakeClock(start)
    let config = issuer.config()
    const persister = { persist: (renewed: Readonly<Record<string, string>>) => void (config = { ...renewed }) }
    const get = (fields: Record<string, string> = {}): OidcProvider =>
      providers.get(options({ ...config, ...fields }, { clock, persister }))
    const provider = get()
    expect(get({ 'id-token': 'other' })).toBe(provider)
    expect(get({ 'refresh-token': 'other' })).not.toBe(provider)
    expect(get({ 'client-id': 'other' })).not.toBe(provider)
    expect(get({ 'idp-issuer-url': 'https://other' })).not.toBe(provider)
    expect(get({ 'refresh-token': '', 'id-token': 'a' })).not.toBe(get({ 'refresh-token': '', 'id-token': 'b' }))
    await provider.idToken()
    expect(config['refresh-token']).toBe('refresh-2')
    expect(get()).toBe(provider)
  })

  const authProvider: AuthProviderConfig = {
    name: 'oidc',
    config: { 'idp-issuer-url': 'https://issuer', 'client-id': 'client', 'id-token': idToken(60) },
  }
  const clock = new FakeClock(start)
  type Fields = ConfigOptions & { authProvider?: AuthProviderConfig; authConfigPersister?: AuthConfigPersister }
  const of = ({ authProvider, authConfigPersister, ...options }: Fields): OidcProvider | undefined =>
    oidcProviderFor(new Config({ clock, ...options, authProvider, authConfigPersister }), {
      connect,
    })

  it('is made for a Config, and shared', () => {
    expect(of({ authProvider })).toBeInstanceOf(OidcProvider)
    expect(of({ authProvider, host: 'other' })).toBe(of({ authProvider }))
  })

  it.each<[string, Fields]>([
    ['no stanza', {}],
    ['a token', { authProvider, bearerToken: 'a' }],
    ['a token file', { authProvider, bearerTokenFile: 'a' }],
    ['a name', { authProvider, username: 'a' }],
  ])('is none with %s', (_name, fields) => {
    expect(of(fields)).toBeUndefined()
  })

  it.each<[string, Fields, string]>([
    [
      'a plugin as well',
      { authProvider, execProvider: { command: 'aws', apiVersion: 'v1' } },
      'execProvider and authProvider cannot be used in combination',
    ],
    [
      'another provider',
      { authProvider: { ...authProvider, name: 'gcp' as 'oidc' } },
      'no Auth Provider found for name "gcp"; use an exec plugin',
    ],
  ])('is refused for %s', (_name, fields, message) => {
    expect(() => of(fields)).toThrow(message)
  })

  it('lets requests that wait for it end when the transport is closed, and goes on itself', async () => {
    const issuer = await Issuer.start()
    let answer: (() => void) | undefined
    issuer.answer = () => new Promise((resolve) => (answer = () => resolve({ body: issuer.tokens() })))
    const persisted: unknown[] = []
    const persister = { persist: (config: unknown) => void persisted.push(config) }
    const provider = new OidcProvider(options(issuer.config(), { persister }))
    const inner = { close: async () => {}, roundTrip: () => expect.fail('was sent') }
    const transport = withOidcToken(inner, provider)
    const send = (): Promise<unknown> => transport.roundTrip({ method: 'GET', url: new URL('http://h/'), headers: {} })
    const sent = [send(), send()].map((request) => request.catch((err: Error) => err.message))
    await vi.waitUntil(() => answer)
    await transport.close()
    const closed = 'GET http://h: the transport of this Config was closed'
    expect(await Promise.all(sent)).toEqual([closed, closed])
    await expect(send()).rejects.toThrow(closed)
    answer?.()
    await vi.waitUntil(() => persisted.length === 1)
  })

  it('gives requests its token, unless they name credentials', async () => {
    const inner = fakeTransport()
    const transport = withOidcToken(inner, of({ authProvider }) as OidcProvider)
    const send = (headers: TransportRequest['headers']): Promise<unknown> =>
      transport.roundTrip({ method: 'GET', url: new URL('http://h/'), headers })
    await send({ accept: 'x' })
    await send({ authorization: 'own' })
    expect(inner.sent.map(({ headers }) => headers)).toEqual([
      { accept: 'x', authorization: `Bearer ${authProvider.config['id-token']}` },
      { authorization: 'own' },
    ])
  })
})
