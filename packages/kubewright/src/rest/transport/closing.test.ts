// A transport that is closed while something is going on: at each step of a request.

import net from 'node:net'
import tls from 'node:tls'
import { describe, expect, it } from 'vitest'
import { startHttpProxy } from './proxies.test-support.js'
import {
  cleanUp,
  client,
  eventually,
  failure,
  listen,
  listenHttp,
  listenHttp2,
  request,
  serverTLS,
  useServers,
} from './servers.test-support.js'

useServers()

/** Somebody who accepts connections, reads, and says nothing. */
const silent = (scheme?: string) =>
  listen(
    net.createServer((socket) => void socket.resume()),
    scheme,
  )

describe.each(['http', 'https'])('%s: closing ends', (scheme) => {
  it('a connection that the user makes, though that takes for ever; what comes of it is closed', async () => {
    const made: ((socket: net.Socket) => void)[] = []
    const transport = client('', { dial: () => new Promise<net.Socket>((resolve) => made.push(resolve)) })
    const failed = failure(transport.roundTrip(request(`${scheme}://h`)))
    await eventually(() => made.length).toBe(1)
    await transport.close()
    expect((await failed).message).toBe(`GET ${scheme}://h/: the transport was closed`)
    const late = new net.Socket()
    made[0]?.(late)
    await eventually(() => late.destroyed).toBe(true)
  })

  it.each(['socks5', 'http'])('the wait for a proxy that speaks %s and says nothing', async (proxyScheme) => {
    const proxy = await silent(proxyScheme)
    const transport = client('', { proxyUrl: proxy.url })
    const failed = failure(transport.roundTrip(request(`${scheme}://h`)))
    await eventually(() => proxy.connections()).toBe(1)
    await transport.close()
    expect((await failed).message).toContain('the transport was closed')
    await eventually(() => proxy.sockets.size).toBe(0)
  })

  it('the wait for an answer', async () => {
    const server = await silent(scheme)
    const transport = client(server.url)
    const failed = failure(transport.roundTrip(request(server.url)))
    await eventually(() => server.connections()).toBe(1)
    await transport.close()
    expect((await failed).message).toContain('the transport was closed')
    await eventually(() => server.sockets.size).toBe(0)
  })

  it('a body that is being sent, and what gives it', async () => {
    const server = await (scheme === 'http' ? listenHttp : listenHttp2)(
      (req: { resume(): unknown }) => void req.resume(),
    )
    let given = 0
    let left = false
    async function* body(): AsyncGenerator<Uint8Array> {
      try {
        for (;;) {
          given++
          yield new Uint8Array(1000)
          await new Promise(setImmediate)
        }
      } finally {
        left = true
      }
    }
    const transport = client(server.url)
    const failed = failure(transport.roundTrip(request(server.url, '/', { method: 'POST', body: body() })))
    await eventually(() => given).toBeGreaterThan(10)
    await transport.close()
    expect((await failed).message).toContain('the transport was closed')
    await eventually(() => left).toBe(true)
    await eventually(() => server.sockets.size).toBe(0)
  })

  it('an answer that is being read', async () => {
    const server = await (scheme === 'http' ? listenHttp : listenHttp2)(
      (_req, res: { write(text: string): unknown }) => {
        res.write('event')
      },
    )
    const transport = client(server.url)
    const response = await transport.roundTrip(request(server.url))
    const reader = response.body[Symbol.asyncIterator]()
    await reader.next()
    const failed = failure(reader.next())
    await transport.close()
    expect((await failed).reason).toBe('lost')
    await eventually(() => server.sockets.size).toBe(0)
  })
})

it('closing ends a handshake in a tunnel that leads to nobody', async () => {
  const proxy = await startHttpProxy({ onConnect: (socket) => void socket.write('HTTP/1.1 200 OK\r\n\r\n') })
  const transport = client('', { proxyUrl: proxy.url })
  const failed = failure(transport.roundTrip(request('https://h')))
  await eventually(() => proxy.asked).toHaveLength(1)
  await transport.close()
  expect((await failed).message).toContain('the transport was closed')
  await eventually(() => proxy.sockets.size).toBe(0)
})

it('closing ends the making of further connections to a server with TLS that speaks HTTP/1.1', async () => {
  const server = await listen(tls.createServer({ ...serverTLS, ALPNProtocols: ['http/1.1'] }), 'https')
  let dialed = 0
  const transport = client('', {
    dial: ({ port }) => (dialed++ === 0 ? Promise.resolve(net.connect(port, '127.0.0.1')) : new Promise(() => {})),
  })
  const failed = [1, 2, 3].map(() => failure(transport.roundTrip(request(server.url))))
  await eventually(() => dialed).toBe(3)
  await transport.close()
  for (const err of await Promise.all(failed)) expect(err.message).toContain('the transport was closed')
})

it('who leaves while a connection is made for HTTP/1.1 leaves alone', async () => {
  const server = await listenHttp((_req, res) => void res.end('ok'))
  const made: (() => void)[] = []
  const transport = client('', {
    dial: ({ port }) => new Promise<net.Socket>((resolve) => made.push(() => resolve(net.connect(port, '127.0.0.1')))),
  })
  const controller = new AbortController()
  const left = transport.roundTrip(request(server.url, '/', { signal: controller.signal }))
  const stayed = transport.roundTrip(request(server.url))
  await eventually(() => made).toHaveLength(2)
  controller.abort(new Error('enough'))
  await expect(left).rejects.toThrow('enough')
  for (const make of made) make()
  expect((await stayed).status).toBe(200)
  cleanUp(() => transport.close())
})
