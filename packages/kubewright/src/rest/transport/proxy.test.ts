// Through proxies of all kinds, to servers with and without TLS; and what their users are told when it does not work.

import net from 'node:net'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../clock/fake-clock.js'
import { Config } from '../config.js'
import { startHttpProxy, startSocksProxy } from './proxies.test-support.js'
import { Proxy, parseProxy } from './proxy.js'
import {
  caData,
  client,
  closedPort,
  eventually,
  failure,
  get,
  listen,
  listenHttp,
  listenHttp2,
  pem,
  request,
  type TestServer,
  useServers,
} from './servers.test-support.js'
import { newTransport } from './transport-for.js'
import { socksTunnel } from './tunnel.js'

useServers()

const https2 = (): Promise<TestServer> => listenHttp2((req, res) => res.end(`${req.httpVersion} ${req.url}`))
const http1 = (): Promise<TestServer> => listenHttp((req, res) => void res.end(`${req.httpVersion} ${req.url}`))
const port = (server: TestServer): string => `127.0.0.1:${server.port}`

describe('an HTTP proxy', () => {
  it('is asked for a tunnel to a server with TLS, in which HTTP/2 is spoken on one connection', async () => {
    const server = await https2()
    const proxy = await startHttpProxy()
    const transport = client(server.url, { proxyUrl: proxy.url })
    const answers = await Promise.all(['/a', '/b', '/c'].map((path) => get(transport, server.url, path)))
    expect(answers).toEqual(['2.0 /a', '2.0 /b', '2.0 /c'])
    expect(proxy.asked).toEqual([`CONNECT ${port(server)}`])
  })

  it('is given the requests for a server without TLS, on a socket that is kept', async () => {
    const server = await http1()
    const proxy = await startHttpProxy()
    const transport = client(server.url, { proxyUrl: proxy.url })
    expect(await get(transport, server.url, '/a?b=1')).toBe('1.1 /a?b=1')
    expect(await get(transport, server.url, '/c')).toBe('1.1 /c')
    expect(proxy.asked).toEqual([`GET ${server.url}/a?b=1`, `GET ${server.url}/c`])
    expect(proxy.connections()).toBe(1)
  })

  it('looks up names itself', async () => {
    const server = await https2()
    const proxy = await startHttpProxy({ to: server.port })
    expect(await get(client('', { proxyUrl: proxy.url }), 'https://api.test')).toBe('2.0 /')
    expect(proxy.asked).toEqual(['CONNECT api.test:443'])
  })

  it.each(['https', 'http'])('takes the credentials in its URL, for %s', async (scheme) => {
    const server = scheme === 'https' ? await https2() : await http1()
    const proxy = await startHttpProxy({ credentials: 'us@er:p:w%' })
    const proxyUrl = proxy.url.replace('//', '//us%40er:p:w%25@')
    expect(await get(client(server.url, { proxyUrl }), server.url)).toMatch(/ \/$/)
    expect(new Set(proxy.credentials)).toEqual(new Set([`Basic ${Buffer.from('us@er:p:w%').toString('base64')}`]))
  })

  it.each(['https', 'http'])('that does not take them is told apart from a server, for %s', async (scheme) => {
    const proxy = await startHttpProxy({ credentials: 'user:right' })
    const proxyUrl = proxy.url.replace('//', '//user:SECRET@')
    const err = await failure(client('', { proxyUrl }).roundTrip(request(`${scheme}://10.0.0.1`, '/version')))
    const target = `10.0.0.1:${scheme === 'https' ? 443 : 80}`
    expect(err.reason).toBe('proxy')
    expect(err.message).toMatch(
      `${scheme}://10.0.0.1/version: cannot connect to ${target} through the proxy ${proxy.url}: `,
    )
    expect(err.message).toContain('407')
    expect(inspect(err, { depth: 20, showHidden: true })).not.toContain('SECRET')
  })

  it('that cannot reach the server says so', async () => {
    const proxy = await startHttpProxy()
    const target = `127.0.0.1:${await closedPort()}`
    const err = await failure(client('', { proxyUrl: proxy.url }).roundTrip(request(`https://${target}`)))
    expect(err.reason).toBe('proxy')
    expect(err.message).toContain(
      `cannot connect to ${target} through the proxy ${proxy.url}: it answered 502 Bad Gateway`,
    )
  })

  it('that refuses connections', async () => {
    const proxyUrl = `http://user:SECRET@127.0.0.1:${await closedPort()}`
    for (const scheme of ['http', 'https']) {
      const err = await failure(client('', { proxyUrl }).roundTrip(request(`${scheme}://10.0.0.1:8443`)))
      expect(err.reason).toBe('connect')
      expect(err.message).toContain(
        `cannot connect to 10.0.0.1:8443 through the proxy ${proxyUrl.replace('user:SECRET@', '')}`,
      )
      expect(err.message).toMatch(/connecting to the proxy: connection refused; is the proxy running/)
      expect(inspect(err, { depth: 20, showHidden: true })).not.toContain('SECRET')
    }
  })

  it('that hangs is given a minute', async () => {
    const clock = new FakeClock()
    const proxy = await startHttpProxy({ onConnect: () => {} })
    const promise = failure(client('', { proxyUrl: proxy.url, clock }).roundTrip(request('https://10.0.0.1')))
    await eventually(() => proxy.asked.length).toBe(1)
    await clock.advance(59_999)
    expect(proxy.sockets.size).toBe(1)
    await clock.advance(1)
    const err = await promise
    expect(err.reason).toBe('timeout')
    expect(err.message).toContain(`through the proxy ${proxy.url}: waiting for its answer took more than 60s`)
    await eventually(() => proxy.sockets.size).toBe(0)
    expect(clock.pendingTimers).toBe(0)
  })

  it('is left at once when nobody waits any more', async () => {
    const clock = new FakeClock()
    const proxy = await startHttpProxy({ onConnect: () => {} })
    const controller = new AbortController()
    const promise = client('', { proxyUrl: proxy.url, clock }).roundTrip(
      request('https://10.0.0.1', '/', { signal: controller.signal }),
    )
    await eventually(() => proxy.asked.length).toBe(1)
    controller.abort(new Error('enough'))
    await expect(promise).rejects.toThrow('enough')
    await eventually(() => proxy.sockets.size).toBe(0)
    expect(clock.pendingTimers).toBe(0)
  })

  it.each<[string, (socket: net.Socket) => void]>([
    ['closes', (socket) => void socket.end()],
    ['resets', (socket) => void socket.resetAndDestroy()],
    ['speaks something else', (socket) => void socket.end('SSH-2.0-x\r\n')],
  ])('that %s instead of an answer', async (_name, onConnect) => {
    const proxy = await startHttpProxy({ onConnect })
    const err = await failure(client('', { proxyUrl: proxy.url }).roundTrip(request('https://10.0.0.1')))
    expect(err.reason).toBe('proxy')
    expect(err.message).toContain(`through the proxy ${proxy.url}: it gave no answer to CONNECT`)
  })

  it('does not hide whom the certificate is for', async () => {
    const server = await https2()
    const proxy = await startHttpProxy({ to: server.port })
    const err = await failure(client('', { proxyUrl: proxy.url }).roundTrip(request('https://other.test')))
    expect(err.reason).toBe('tls')
    expect(err.message).toMatch(
      `cannot connect to other.test:443 through the proxy ${proxy.url}: the server's certificate is not`,
    )
  })
})

describe('a proxy with TLS', () => {
  it.each(['https', 'http'])('is spoken to in TLS, for %s, and is not shown who we are', async (scheme) => {
    const server = scheme === 'https' ? await https2() : await http1()
    const proxy = await startHttpProxy({ tls: { requestCert: true, rejectUnauthorized: false } })
    const tlsClientConfig = { caData, certData: pem('client.pem'), keyData: pem('client.key') }
    const transport = client(server.url, { proxyUrl: proxy.url, tlsClientConfig })
    expect(await get(transport, server.url, '/x')).toMatch(/ \/x$/)
    expect(proxy.certificates).toEqual([undefined])
  })

  it('whose certificate is not trusted', async () => {
    const proxy = await startHttpProxy({ tls: {} })
    const options = { proxyUrl: proxy.url, tlsClientConfig: { caData: pem('other-ca.pem') } }
    const err = await failure(client('', options).roundTrip(request('https://10.0.0.1')))
    expect(err.reason).toBe('tls')
    expect(err.message).toMatch(
      /through the proxy .*: the proxy's certificate is signed by an unknown CA; .*NODE_EXTRA_CA_CERTS/,
    )
  })

  it('that speaks no TLS', async () => {
    const proxy = await startHttpProxy()
    const proxyUrl = proxy.url.replace('http:', 'https:')
    const err = await failure(client('', { proxyUrl }).roundTrip(request('https://10.0.0.1')))
    expect(err.reason).toBe('tls')
    expect(err.message).toContain('should the URL of the proxy begin with http://?')
  })
})

describe('a SOCKS proxy', () => {
  it.each(['https', 'http'])('is given the name of the server, for %s', async (scheme) => {
    const server = scheme === 'https' ? await https2() : await http1()
    const proxy = await startSocksProxy({ to: server.port })
    expect(await get(client('', { proxyUrl: proxy.url }), `${scheme}://api.test:8443`, '/x')).toMatch(/ \/x$/)
    expect(proxy.asked).toEqual(['CONNECT api.test:8443'])
  })

  it.each(['socks5', 'socks5h'])('takes the credentials in its URL: %s', async (scheme) => {
    const server = await https2()
    const proxy = await startSocksProxy({ credentials: 'user:p@ss', to: server.port })
    const proxyUrl = proxy.url.replace('socks5://', `${scheme}://user:p%40ss@`)
    expect(await get(client('', { proxyUrl }), server.url)).toBe('2.0 /')
    expect(proxy.asked).toEqual([`CONNECT ${port(server)}`])
  })

  it('that does not take the credentials, and shows them nowhere', async () => {
    const proxy = await startSocksProxy({ credentials: 'user:right', to: 1 })
    const proxyUrl = proxy.url.replace('//', '//user:SECRET@')
    const err = await failure(client('', { proxyUrl }).roundTrip(request('https://10.0.0.1')))
    expect(err.reason).toBe('proxy')
    expect(err.message).toContain(
      `cannot connect to 10.0.0.1:443 through the proxy ${proxy.url}: Socks5 Authentication failed`,
    )
    expect(inspect(err, { depth: 20, showHidden: true })).not.toContain('SECRET')
    expect(proxy.credentials).toEqual(['user:SECRET'])
  })

  it('that cannot reach the server', async () => {
    const proxy = await startSocksProxy({ to: await closedPort() })
    const err = await failure(client('', { proxyUrl: proxy.url }).roundTrip(request('https://10.0.0.1')))
    expect(err.reason).toBe('proxy')
    expect(err.message).toMatch(/through the proxy .*ConnectionRefused/)
    await eventually(() => proxy.sockets.size).toBe(0)
  })

  it('that hangs is given a minute', async () => {
    const clock = new FakeClock()
    let greeted = false
    const proxy = await listen(
      net.createServer((socket) => void socket.once('data', () => (greeted = true))),
      'socks5',
    )
    const promise = failure(client('', { proxyUrl: proxy.url, clock }).roundTrip(request('https://10.0.0.1')))
    await eventually(() => greeted).toBe(true)
    await clock.advance(60_000)
    expect((await promise).reason).toBe('timeout')
    await eventually(() => proxy.sockets.size).toBe(0)
  })

  it('without the package for it', async () => {
    const load = () => Promise.reject(Object.assign(new Error('x'), { code: 'ERR_MODULE_NOT_FOUND' }))
    const proxy = parseProxy('socks5://user:SECRET@p', 'proxyUrl')
    await expect(socksTunnel({ socket: new net.Socket(), proxy, host: 'h', port: 1 }, load)).rejects.toThrow(
      'cannot use the proxy socks5://p:1080: the package socks is not installed; add it with: npm install socks',
    )
  })
})

describe('which proxy', () => {
  it('the function of the Config says for each URL; it wins', async () => {
    const servers = await Promise.all([https2(), https2()])
    const proxy = await startHttpProxy()
    const transport = client(
      '',
      {
        proxyUrl: 'http://127.0.0.1:1',
        proxy: ({ port }) => (Number(port) === servers[0].port ? new URL(proxy.url) : null),
      },
      { HTTPS_PROXY: 'http://127.0.0.1:1' },
    )
    for (const server of servers) expect(await get(transport, server.url)).toBe('2.0 /')
    expect(proxy.asked).toEqual([`CONNECT ${port(servers[0])}`])
  })

  it('the environment says when the Config does not, and NO_PROXY takes exception', async () => {
    const server = await https2()
    const proxy = await startHttpProxy({ to: server.port })
    const env = { HTTPS_PROXY: proxy.url, NO_PROXY: '.internal, 10.0.0.0/8' }
    expect(await get(client('', {}, env), 'https://api.test')).toBe('2.0 /')
    expect(proxy.asked).toEqual(['CONNECT api.test:443'])
    // Of this machine: never through a proxy of the environment.
    expect(await get(client('', {}, env), server.url)).toBe('2.0 /')
    expect(proxy.asked.length).toBe(1)
  })

  it.each<[object, string]>([
    [
      { proxyUrl: 'ftp://user:SECRET@p' },
      'proxyUrl of the Config: unsupported scheme "ftp" of the proxy, must be http, https, or socks5',
    ],
    [{ proxyUrl: 'http://user:SECRET@p:x' }, 'proxyUrl of the Config: could not parse the URL of the proxy'],
    [{ proxyUrl: 'http://user:SECRET%zz@p' }, 'proxyUrl of the Config: could not parse the URL of the proxy'],
    [{ proxyUrl: 'socks5:///user:SECRET' }, 'proxyUrl of the Config: the URL of the proxy names no host'],
  ])('refuses %j, before anything is sent', (options, message) => {
    let err: unknown
    try {
      newTransport(new Config(options), {})
    } catch (thrown) {
      err = thrown
    }
    expect(String(err)).toContain(message)
    expect(inspect(err)).not.toContain('SECRET')
  })

  it('does not show its credentials', () => {
    const proxy = parseProxy('http://user:SECRET@p', 'proxyUrl')
    expect(proxy.credentials).toEqual({ username: 'user', password: 'SECRET' })
    expect(inspect(proxy, { showHidden: true, depth: 9 }) + JSON.stringify(proxy)).not.toContain('SECRET')
  })

  it.each([
    ['http://p', 80],
    ['https://p', 443],
    ['socks5://p', 1080],
    ['http://[::1]:3128', 3128],
  ])('%s is on port %d', (url, port) => {
    const proxy = new Proxy(new URL(url))
    expect(proxy.port).toBe(port)
    expect(proxy.host).not.toContain('[')
  })
})

describe('connections of the user', () => {
  it('are used for servers and for proxies', async () => {
    const server = await https2()
    const proxy = await startHttpProxy()
    const asked: string[] = []
    const dial = async ({ host, port }: { host: string; port: number }): Promise<net.Socket> => {
      asked.push(`${host}:${port}`)
      return net.connect(host === 'proxy.test' ? proxy.port : server.port, '127.0.0.1')
    }
    expect(await get(client('', { dial }), 'https://api.test')).toBe('2.0 /')
    expect(await get(client('', { dial, proxyUrl: 'http://proxy.test:3128' }), server.url)).toBe('2.0 /')
    expect(asked).toEqual(['api.test:443', 'proxy.test:3128'])
    expect(proxy.asked).toEqual([`CONNECT ${port(server)}`])
  })

  it('that cannot be made', async () => {
    const err = await failure(
      client('', { dial: () => Promise.reject(new Error('the tunnel is down')) }).roundTrip(
        request('https://api.test'),
      ),
    )
    expect(err.reason).toBe('connect')
    expect(err.message).toBe('GET https://api.test/: cannot connect to api.test:443: the tunnel is down')
  })

  it.each([null, 5, {}])('that are none (%j)', async (made) => {
    for (const scheme of ['http', 'https']) {
      const sending = client('', { dial: async () => made as never }).roundTrip(request(`${scheme}://api.test`))
      expect((await failure(sending)).message).toContain('dial of the Config gave no connection')
    }
  })

  it('that come too late are closed', async () => {
    const server = await https2()
    const controller = new AbortController()
    let arrive = (_socket: net.Socket): void => {}
    const dial = (): Promise<net.Socket> => new Promise((resolve) => (arrive = resolve))
    const promise = client('', { dial }).roundTrip(request('https://api.test', '/', { signal: controller.signal }))
    controller.abort(new Error('enough'))
    await expect(promise).rejects.toThrow('enough')
    const socket = net.connect(server.port, '127.0.0.1')
    arrive(socket)
    await eventually(() => socket.destroyed).toBe(true)
  })
})
