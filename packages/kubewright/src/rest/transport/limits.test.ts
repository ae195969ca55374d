// What connections are allowed to cost: time, memory, and sockets.

import type http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import { gzipSync } from 'node:zlib'
import { describe, expect, it, vi } from 'vitest'
import { FakeClock } from '../../clock/fake-clock.js'
import { noLogger } from '../logger.js'
import { connectionSettings } from './connection-settings.js'
import { HttpTransport } from './http-transport.js'
import {
  caData,
  cleanUp,
  client,
  eventually,
  failure,
  get,
  listen,
  listenHttp,
  listenHttp2,
  request,
  serverTLS,
  startRelay,
  text,
  useServers,
} from './servers.test-support.js'
import { loadTLSSettings } from './tls-settings.js'

useServers()

/** A connection that never comes to be: nobody answers at an address for documentation. */
const nowhere = '192.0.2.1'

describe('time', () => {
  it.each(['http', 'https'])('30 s for a connection: %s', async (scheme) => {
    const clock = new FakeClock()
    // A name server that does not answer, so that no network has a say.
    const { connect } = net
    const spy = vi.spyOn(net, 'connect')
    cleanUp(() => spy.mockRestore())
    spy.mockImplementation(((options: net.TcpNetConnectOpts) =>
      connect({ ...options, host: 'slow.test', lookup: () => {} })) as typeof net.connect)
    const sent = failure(client('', { clock }).roundTrip(request(`${scheme}://${nowhere}:6443`)))
    await eventually(() => clock.pendingTimers).toBe(1)
    await clock.advance(30_000)
    const err = await sent
    expect(err.reason).toBe('timeout')
    expect(err.message).toContain(`cannot connect to ${nowhere}:6443: connecting took more than 30s`)
    expect(clock.pendingTimers).toBe(0)
  })

  it('a name that nobody knows', async () => {
    const err = await failure(client('').roundTrip(request('https://no-such-host.invalid:6443')))
    expect(err.reason).toBe('connect')
    expect(err.message).toMatch(
      /^GET https:\/\/no-such-host\.invalid:6443\/: cannot connect to no-such-host\.invalid:6443: the name /,
    )
  })

  it('a server that sends headers and no more is left at once when the caller says so', async () => {
    const server = await listenHttp2((_req, res) => res.stream.respond({ ':status': 200 }))
    const controller = new AbortController()
    const transport = client(server.url)
    const response = await transport.roundTrip(request(server.url, '/', { signal: controller.signal }))
    const read = text(response)
    controller.abort(new Error('enough'))
    await expect(read).rejects.toThrow('enough')
  })
})

describe('the environment', () => {
  it.each<[string, object, Record<string, string>, string]>([
    ['nothing said', {}, {}, '2.0'],
    ['DISABLE_HTTP2', {}, { DISABLE_HTTP2: '1' }, '1.1'],
    ['nextProtos', { nextProtos: ['http/1.1'] }, {}, '1.1'],
    ['nextProtos of both', { nextProtos: ['h2', 'http/1.1'] }, { DISABLE_HTTP2: '1' }, '2.0'],
  ])('%s', async (_name, tls, env, version) => {
    const server = await listenHttp2((req, res) => res.end(req.httpVersion), { allowHTTP1: true })
    expect(await get(client(server.url, { tlsClientConfig: { caData, ...tls } }, env), server.url)).toBe(version)
  })

  it.each<[string, string, number]>([
    ['5', '2', 7000],
    ['0', '2', 0],
  ])('a silent server after %s and %s seconds', async (idle, ping, expected) => {
    const server = await listenHttp2((_req, res) => void res.write('event'))
    const { url, silence } = await startRelay(server)
    const clock = new FakeClock()
    const env = { HTTP2_READ_IDLE_TIMEOUT_SECONDS: idle, HTTP2_PING_TIMEOUT_SECONDS: ping }
    const response = await client(url, { clock }, env).roundTrip(request(url))
    const reader = response.body[Symbol.asyncIterator]()
    await reader.next()
    if (expected === 0) {
      expect(clock.pendingTimers).toBe(0)
      response.close()
      return
    }
    silence()
    const next = failure(reader.next())
    await clock.advance(expected)
    expect((await next).message).toContain(`no sign of the server for ${expected / 1000}s`)
  })
})

it.each([
  ['HTTP/2', () => listenHttp2((_req, res) => res.end('ok'))],
  [
    'HTTP/1.1 in TLS',
    () =>
      listen(
        https.createServer(serverTLS, (_req, res) => void res.end('ok')),
        'https',
      ),
  ],
  ['HTTP/1.1', () => listenHttp((_req, res) => void res.end('ok'))],
])('an idle connection is closed after its time: %s', async (_name, start) => {
  const server = await start()
  const clock = new FakeClock()
  const transport = new HttpTransport({
    tls: loadTLSSettings({ caData }, { clock, logger: noLogger }),
    clock,
    disableCompression: false,
    settings: { ...connectionSettings({}, noLogger), idleMs: 10 },
    proxyFor: () => undefined,
    connect: undefined,
  })
  expect(await get(transport, server.url)).toBe('ok')
  await eventually(() => server.sockets.size).toBe(0)
  expect(await get(transport, server.url)).toBe('ok')
  await transport.close()
})

it('an HTTP/2 connection is closed when it is idle after a request that was silent for longer', async () => {
  const silent = 100
  const server = await listenHttp2((_req, res) => void setTimeout(() => res.end('ok'), silent))
  const clock = new FakeClock()
  const transport = new HttpTransport({
    tls: loadTLSSettings({ caData }, { clock, logger: noLogger }),
    clock,
    disableCompression: false,
    settings: { ...connectionSettings({}, noLogger), idleMs: silent / 10 },
    proxyFor: () => undefined,
    connect: undefined,
  })
  expect(await get(transport, server.url)).toBe('ok')
  await eventually(() => server.sockets.size).toBe(0)
  await transport.close()
})

describe('HTTP/1.1 sockets', () => {
  it('1,000 requests, one after the other, keep to one, and so do bodies that are closed after their end', async () => {
    const server = await listenHttp((_req, res) => void res.end('ok'))
    const transport = client(server.url)
    for (let i = 0; i < 1000; i++) {
      const response = await transport.roundTrip(request(server.url))
      expect(await text(response)).toBe('ok')
      response.close()
    }
    expect(server.connections()).toBe(1)
  })

  it('25 are kept when they are idle', async () => {
    let waiting: http.ServerResponse[] = []
    const server = await listenHttp((_req, res) => void waiting.push(res))
    const transport = client(server.url)
    const answers = Array.from({ length: 40 }, () => get(transport, server.url))
    await eventually(() => waiting.length).toBe(40)
    for (const res of waiting) res.end('ok')
    await Promise.all(answers)
    await eventually(() => server.sockets.size).toBe(25)
    waiting = []
  })

  it('that the server has closed its half of are not used again', async () => {
    const server = await listenHttp((_req, res) => void res.end('ok'))
    const transport = client(server.url)
    await get(transport, server.url)
    for (const socket of server.sockets) socket.end()
    await eventually(() => server.sockets.size).toBe(0)
    const response = await transport.roundTrip(request(server.url, '/', { method: 'POST', body: 'x' }))
    expect(await text(response)).toBe('ok')
  })

  it('that have all gone stale are gone through until there is a fresh one', async () => {
    let stale = false
    const server = await listen(
      net.createServer((socket) => {
        let first = true
        socket.on('data', () => {
          if (stale && !first) socket.resetAndDestroy()
          else setImmediate(() => socket.write('HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok'))
          first = false
        })
      }),
    )
    const transport = client(server.url)
    await Promise.all(Array.from({ length: 5 }, () => get(transport, server.url)))
    expect(server.connections()).toBe(5)
    stale = true
    expect(await get(transport, server.url)).toBe('ok')
    expect(server.connections()).toBe(6)
  })
})

it.each(['http', 'https'])(
  'a connection that is made while the transport is closed is of no use: %s',
  async (scheme) => {
    const server = await listenHttp((_req, res) => void res.end('ok'))
    let arrive = (_socket: net.Socket): void => {}
    const asked = new Promise<void>((asking) => {
      arrive = () => asking()
    })
    const socket = new net.Socket()
    const transport = client('', {
      dial: () =>
        new Promise((resolve) => {
          arrive(socket)
          arrive = resolve
        }),
    })
    const sent = failure(transport.roundTrip(request(`${scheme}://api.test`)))
    await asked
    await transport.close()
    arrive(socket.connect(server.port, '127.0.0.1'))
    expect((await sent).message).toContain('the transport was closed')
    await eventually(() => socket.destroyed).toBe(true)
  },
)

describe('the size of an answer', () => {
  const body = 'x'.repeat(100_000)

  it.each([
    ['HTTP/1.1', async () => listenHttp((_req, res) => void res.end(body))],
    ['HTTP/2', async () => listenHttp2((_req, res) => res.end(body))],
    [
      'gzip',
      async () =>
        listenHttp((_req, res) => {
          res.setHeader('content-encoding', 'gzip')
          res.end(gzipSync(body))
        }),
    ],
    [
      'TLS',
      async () =>
        listen(
          https.createServer(serverTLS, (_req, res) => void res.end(body)),
          'https',
        ),
    ],
  ])('is limited where the request says so: %s', async (_name, start) => {
    const server = await start()
    const transport = client(server.url)
    const send = async (maxResponseBytes?: number): Promise<string> =>
      text(await transport.roundTrip(request(server.url, '/', { maxResponseBytes })))
    expect((await send()).length).toBe(100_000)
    expect((await send(100_000)).length).toBe(100_000)
    const err = await failure(send(99_999))
    expect(err.reason).toBe('size')
    expect(err.message).toContain('larger than the 99999 bytes that maxResponseBytes of the Config allows')
    expect((await send()).length).toBe(100_000)
  })
})
