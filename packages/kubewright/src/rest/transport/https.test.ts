// The transport over TLS, against servers on this machine.

import http from 'node:http'
import http2 from 'node:http2'
import https from 'node:https'
import net from 'node:net'
import tls from 'node:tls'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../clock/fake-clock.js'
import { unversionedRestClientFor } from '../client.js'
import { Config } from '../config.js'
import {
  caData,
  cleanUp,
  client,
  eventually,
  failure,
  get,
  type Http2Handler,
  listen,
  listenHttp2,
  pem,
  request,
  serverTLS,
  startRelay,
  type TestServer,
  text,
  useServers,
} from './servers.test-support.js'
import { transportFor } from './transport-for.js'

useServers()

/** Speaks TLS and agrees to HTTP/2, and then says something else for the first connections. */
async function startBabbler(babble: string, { times }: { times: number }): Promise<TestServer> {
  const inner = http2.createServer((_req, res) => void res.end('ok'))
  const server = tls.createServer({ ...serverTLS, ALPNProtocols: ['h2'] }, (socket) => {
    socket.on('error', () => {})
    if (times-- > 0) socket.end(babble)
    else inner.emit('connection', socket)
  })
  return listen(server, 'https')
}

describe('what is not what it says', () => {
  it('is told at once after HTTP/2 was agreed on, and does not count as a lost connection; the next request works', async () => {
    const server = await startBabbler('HTTP/1.1 400 Bad Request\r\n\r\n'.repeat(20), { times: 1 })
    const config = new Config({ host: server.url, tlsClientConfig: { caData }, qps: -1 })
    cleanUp(() => transportFor(config).close())
    const pods = (): Promise<Uint8Array> => unversionedRestClientFor(config).get().absPath('/x').doRaw()
    const err = await failure(pods())
    expect(err.reason).toBe('protocol')
    expect(err.message).toMatch(/agreed to HTTP\/2 and did not answer in it \(.*\); is there a proxy in between\?$/)
    expect(server.connections()).toBe(1)
    expect(Buffer.from(await pods()).toString()).toBe('ok')
  })

  it.each([
    ['broken', Buffer.from('this is not gzip at all, is it'), 'protocol'],
    ['cut off', gzipSync('{"a":1}').subarray(0, 15), 'lost'],
  ])('as a gzip body that is %s fails the request; the next works', async (_how, body, reason) => {
    const server = await listenHttp2((req, res) => {
      if (req.url === '/ok') res.end('ok')
      else res.writeHead(200, { 'content-encoding': 'gzip' }).end(body)
    })
    const transport = client(server.url)
    expect((await failure(get(transport, server.url))).reason).toBe(reason)
    expect(await get(transport, server.url, '/ok')).toBe('ok')
  })
})

describe('HTTP/2', () => {
  it('carries 100 requests that start at once on one connection', async () => {
    const server = await listenHttp2((req, res) => res.end(`${req.httpVersion} ${req.url}`))
    const transport = client(server.url)
    const answers = await Promise.all(Array.from({ length: 100 }, (_, i) => get(transport, server.url, `/${i}`)))
    expect(answers).toEqual(Array.from({ length: 100 }, (_, i) => `2.0 /${i}`))
    expect(server.connections()).toBe(1)
  })

  it('carries 1,000 on one connection where the server allows them', async () => {
    const server = await listenHttp2((req, res) => res.end(req.url), { settings: { maxConcurrentStreams: 2000 } })
    const transport = client(server.url)
    const answers = await Promise.all(Array.from({ length: 1000 }, (_, i) => get(transport, server.url, `/${i}`)))
    expect(answers).toEqual(Array.from({ length: 1000 }, (_, i) => `/${i}`))
    expect(server.connections()).toBe(1)
  })

  it('sends method, path, headers and body, and gives status, headers and body', async () => {
    const server = await listenHttp2((req, res) => {
      let body = ''
      req.on('data', (chunk) => {
        body += chunk
      })
      req.on('end', () => {
        const { method, url, headers } = req
        res.statusCode = 201
        res.setHeader('warning', ['299 - "a"', '299 - "b"'])
        res.setHeader('content-type', 'application/json')
        res.end(JSON.stringify({ method, url, host: headers[':authority'], group: headers['impersonate-group'], body }))
      })
    })
    const response = await client(server.url).roundTrip(
      request(server.url, '/x%2Fy?a=1&a=2', {
        method: 'DELETE',
        headers: { 'impersonate-group': ['g1', 'g2'], host: 'ignored' },
        body: '{"ü":1}',
      }),
    )
    expect(response.status).toBe(201)
    expect(response.headers.get('Content-Type')).toBe('application/json')
    expect(response.headers.getAll('warning')).toEqual(['299 - "a"', '299 - "b"'])
    expect(JSON.parse(await text(response))).toEqual({
      method: 'DELETE',
      url: '/x%2Fy?a=1&a=2',
      host: new URL(server.url).host,
      group: 'g1, g2',
      body: '{"ü":1}',
    })
  })

  it('sends a body from an iterable', async () => {
    const server = await listenHttp2((req, res) => void req.pipe(res))
    async function* parts(): AsyncGenerator<Uint8Array> {
      yield Buffer.from('one ')
      yield Buffer.from('two')
    }
    const response = await client(server.url).roundTrip(request(server.url, '/', { method: 'POST', body: parts() }))
    expect(await text(response)).toBe('one two')
  })

  it('decompresses gzip, and asks for it', async () => {
    const server = await listenHttp2((req, res) => {
      res.setHeader('content-encoding', 'gzip')
      res.end(gzipSync(String(req.headers['accept-encoding'])))
    })
    expect(await get(client(server.url), server.url)).toBe('gzip')
  })

  it('sends and reads thousands of headers, some of them large', async () => {
    const limits = { maxHeaderListPairs: 10_000, maxSendHeaderBlockLength: 2 ** 20 }
    const server = await listenHttp2(
      (req, res) => {
        const { 'impersonate-group': groups, authorization = '' } = req.headers
        const warning = [`groups: ${groups?.length}`, ...Array.from({ length: 3000 }, (_, i) => `299 - "${i}"`)]
        res.setHeader('warning', warning)
        res.setHeader('token', String(authorization.length))
        res.setHeader('large', 'x'.repeat(20_000))
        res.end()
      },
      { ...limits, settings: { maxHeaderListSize: 2 ** 20 } },
    )
    const groups = Array.from({ length: 300 }, (_, i) => `group-${i}`)
    const headers = { 'impersonate-group': groups, authorization: 'x'.repeat(10_000) }
    const response = await client(server.url).roundTrip(request(server.url, '/', { headers }))
    expect(response.headers.getAll('warning')).toHaveLength(3001)
    expect(response.headers.getAll('warning')[0]).toBe(`groups: ${groups.join(', ').length}`)
    expect([response.headers.get('token'), response.headers.get('large')?.length]).toEqual(['10000', 20_000])
    response.close()
  })

  it('reads 20 MiB beside a stream that nobody reads', async () => {
    const server = await listenHttp2((req, res) => {
      res.end(Buffer.alloc(req.url === '/slow' ? 8 << 20 : 20 << 20, 'x'))
    })
    const transport = client(server.url)
    const slow = await transport.roundTrip(request(server.url, '/slow'))
    expect((await get(transport, server.url, '/big')).length).toBe(20 << 20)
    slow.close()
  })

  it('makes another connection only when the server allows no more streams, and none beyond', async () => {
    let open = 0
    let most = 0
    const server = await listenHttp2(
      (_req, res) => {
        most = Math.max(most, ++open)
        setImmediate(() => {
          open--
          res.end('ok')
        })
      },
      { settings: { maxConcurrentStreams: 2 } },
    )
    const transport = client(server.url)
    await get(transport, server.url)
    const answers = await Promise.all(Array.from({ length: 20 }, () => get(transport, server.url)))
    expect(answers).toEqual(Array(20).fill('ok'))
    expect(most).toBeLessThanOrEqual(2 * server.connections())
  })

  it('does not let watches that fill a connection stop other requests', async () => {
    const server = await listenHttp2(
      (req, res) => {
        if (req.url === '/watch') res.write('event\n')
        else res.end('ok')
      },
      { settings: { maxConcurrentStreams: 2 } },
    )
    const transport = client(server.url)
    const watches = await Promise.all([1, 2].map(() => transport.roundTrip(request(server.url, '/watch'))))
    expect(await get(transport, server.url)).toBe('ok')
    for (const watch of watches) watch.close()
  })

  it('sends what the server refused again', async () => {
    let refused = 0
    const server = await listenHttp2((req, res) => {
      if (refused++ < 2) req.stream.close(http2.constants.NGHTTP2_REFUSED_STREAM)
      else res.end(req.method)
    })
    const response = await client(server.url).roundTrip(request(server.url, '/', { method: 'POST', body: 'x' }))
    expect(await text(response)).toBe('POST')
    expect(refused).toBe(3)
  })

  it('gives up after several refusals', async () => {
    const server = await listenHttp2((req) => req.stream.close(http2.constants.NGHTTP2_REFUSED_STREAM))
    const err = await failure(client(server.url).roundTrip(request(server.url)))
    expect(err.reason).toBe('lost')
  })

  it('puts no new request on a connection that goes away, and lets the open ones finish', async () => {
    let finish = (): void => {}
    const server = await listenHttp2((req, res) => {
      if (req.url !== '/open') return void res.end('new')
      res.write('begin ')
      finish = () => res.end('end')
    })
    const transport = client(server.url)
    const open = await transport.roundTrip(request(server.url, '/open'))
    const reader = open.body[Symbol.asyncIterator]()
    expect(Buffer.from((await reader.next()).value).toString()).toBe('begin ')
    server.sessions[0]?.goaway(0, 1)
    await new Promise((resolve) => server.sessions[0]?.ping(resolve))
    expect(await get(transport, server.url, '/new')).toBe('new')
    expect(server.connections()).toBe(2)
    finish()
    expect(Buffer.from((await reader.next()).value).toString()).toBe('end')
    expect((await reader.next()).done).toBe(true)
  })

  it('sends a request again that the server had not begun when it went away', async () => {
    const server = await listenHttp2((req, res) => {
      if (req.url === '/first') return void res.write('open')
      if (server.sessions.length === 2) return void res.end('again')
      // Says that the first request was the last one it processed.
      req.stream.session?.goaway(0, 1)
    })
    const transport = client(server.url)
    const first = await transport.roundTrip(request(server.url, '/first'))
    const second = await transport.roundTrip(request(server.url, '/second', { method: 'POST', body: 'x' }))
    expect(await text(second)).toBe('again')
    expect(server.connections()).toBe(2)
    first.close()
  })

  it('resets the stream at once on abort, and rejects with the reason', async () => {
    let reset = (_code: number): void => {}
    const code = new Promise<number>((resolve) => {
      reset = resolve
    })
    let arrived = (): void => {}
    const arrival = new Promise<void>((resolve) => {
      arrived = resolve
    })
    const server = await listenHttp2((req) => {
      req.stream.on('close', () => reset(req.stream.rstCode ?? -1))
      req.stream.on('error', () => {})
      arrived()
    })
    const controller = new AbortController()
    const promise = client(server.url).roundTrip(request(server.url, '/', { signal: controller.signal }))
    await arrival
    controller.abort(new Error('enough'))
    await expect(promise).rejects.toThrow('enough')
    expect(await code).toBe(http2.constants.NGHTTP2_CANCEL)
  })

  it('ends the body with the reason on abort, and releases the stream on break', async () => {
    let closed = 0
    const server = await listenHttp2((req, res) => {
      req.stream.on('close', () => closed++)
      req.stream.on('error', () => {})
      res.write('event')
    })
    const transport = client(server.url)
    const controller = new AbortController()
    const response = await transport.roundTrip(request(server.url, '/', { signal: controller.signal }))
    await expect(async () => {
      for await (const _chunk of response.body) setImmediate(() => controller.abort(new Error('enough')))
    }).rejects.toThrow('enough')
    const second = await transport.roundTrip(request(server.url))
    for await (const _chunk of second.body) break
    await eventually(() => closed).toBe(2)
  })

  it('reports a body that is cut off', async () => {
    const server = await listenHttp2((_req, res) => {
      res.write('half')
      setImmediate(() => {
        for (const socket of server.sockets) socket.destroy()
      })
    })
    const response = await client(server.url).roundTrip(request(server.url))
    const err = await failure(text(response))
    expect(err.reason).toBe('lost')
    expect(err.message).toContain(server.url)
  })

  it('makes a new connection after the server closed the old one', async () => {
    const server = await listenHttp2((_req, res) => res.end('ok'))
    const transport = client(server.url)
    expect(await get(transport, server.url)).toBe('ok')
    for (const session of server.sessions) session.close()
    await eventually(() => server.sockets.size).toBe(0)
    expect(await get(transport, server.url)).toBe('ok')
    expect(server.connections()).toBe(2)
  })

  it('notices a server that fell silent, 45 s after its last sign of life', async () => {
    const server = await listenHttp2((_req, res) => void res.write('event'))
    const { url, silence } = await startRelay(server)
    const clock = new FakeClock()
    const response = await client(url, { clock }).roundTrip(request(url))
    const reader = response.body[Symbol.asyncIterator]()
    await reader.next()
    const next = failure(reader.next())
    // A healthy, quiet connection stays: each ping is answered.
    for (let i = 0; i < 4; i++) {
      await clock.advance(30_000)
      await eventually(() => clock.pendingTimers).toBe(1)
      await new Promise<void>((resolve) => server.sessions[0]?.ping(() => resolve()))
    }
    silence()
    await clock.advance(30_000)
    await clock.advance(15_000)
    expect((await next).reason).toBe('lost')
    expect(clock.pendingTimers).toBe(0)
  })

  it('keeps no timer when nothing is open', async () => {
    const server = await listenHttp2((_req, res) => res.end('ok'))
    const clock = new FakeClock()
    await get(client(server.url, { clock }), server.url)
    await eventually(() => clock.pendingTimers).toBe(0)
  })

  it('fails what is open when it is closed, and what comes after', async () => {
    const server = await listenHttp2((_req, res) => void res.write('event'))
    const transport = client(server.url)
    const response = await transport.roundTrip(request(server.url))
    const reader = response.body[Symbol.asyncIterator]()
    await reader.next()
    await transport.close()
    await failure(reader.next() as Promise<unknown>)
    await expect(transport.roundTrip(request(server.url))).rejects.toThrow('closed')
  })
})

describe('HTTP/1.1 over TLS', () => {
  it('is spoken with servers that do not speak HTTP/2, on sockets that are kept', async () => {
    const server = await listen(
      https.createServer(serverTLS, (req, res) => void res.end(`${req.httpVersion} ${req.headers.host}`)),
      'https',
    )
    const transport = client(server.url)
    const host = new URL(server.url).host
    expect(await get(transport, server.url)).toBe(`1.1 ${host}`)
    expect(await get(transport, server.url)).toBe(`1.1 ${host}`)
    expect(server.connections()).toBe(1)
    const answers = await Promise.all(Array.from({ length: 10 }, () => get(transport, server.url)))
    expect(new Set(answers)).toEqual(new Set([`1.1 ${host}`]))
  })
})

describe('TLS', () => {
  const ok: Http2Handler = (_req, res) => res.end('ok')

  it.each([
    ['an unknown CA', {}, { caData: pem('other-ca.pem') }, /unknown CA.*tlsClientConfig\.caData/s],
    ['no CA', {}, {}, /unknown CA.*tlsClientConfig\.caData/s],
    ['an expired certificate', { cert: pem('expired.pem'), key: pem('expired.key') }, { caData }, /has expired/],
    ['a wrong name', {}, { caData, serverName: 'other.test' }, /not for other\.test.*tlsClientConfig\.serverName/s],
  ])('refuses %s and says what to do', async (_name, serverOptions, tlsClientConfig, message) => {
    const server = await listenHttp2(ok, serverOptions)
    const err = await failure(client(server.url, { tlsClientConfig }).roundTrip(request(server.url)))
    expect(err.reason).toBe('tls')
    expect(err.message).toMatch(message)
    expect(err.message).toContain(`GET ${server.url}/: cannot connect to ${new URL(server.url).host}: `)
    expect((err.cause as { code?: string }).code).toBeTypeOf('string')
  })

  it.each([
    ['insecure', { insecure: true }],
    ['a server name that the certificate has', { caData, serverName: 'api.test' }],
    ['a CA file', { caFile: new URL('testdata/ca.pem', import.meta.url).pathname }],
  ])('accepts with %s', async (_name, tlsClientConfig) => {
    const server = await listenHttp2(ok)
    expect(await get(client(server.url, { tlsClientConfig }), server.url)).toBe('ok')
  })

  it('shows its client certificate', async () => {
    const server = await listenHttp2(
      (req, res) => {
        const { subject } = (req.stream.session?.socket as tls.TLSSocket).getPeerCertificate()
        res.end(`${subject.O} ${subject.CN}`)
      },
      { requestCert: true, rejectUnauthorized: true, ca: caData },
    )
    const tlsClientConfig = { caData, certData: pem('client.pem'), keyData: pem('client.key') }
    expect(await get(client(server.url, { tlsClientConfig }), server.url)).toBe('system:masters test-client')
  })

  it('does not accept TLS 1.1', async () => {
    const server = await listenHttp2(ok, { minVersion: 'TLSv1', maxVersion: 'TLSv1.1', ciphers: 'DEFAULT@SECLEVEL=0' })
    expect((await failure(client(server.url).roundTrip(request(server.url)))).reason).toBe('tls')
  })

  it('says when the server speaks no TLS', async () => {
    const server = await listen(
      http.createServer((_req, res) => void res.end('plain')),
      'https',
    )
    const err = await failure(client(server.url).roundTrip(request(server.url)))
    expect(err.message).toContain('http://')
  })

  it('gives up a handshake after 10 s, and a connection at once when everybody who waits for it aborts', async () => {
    const server = await listen(
      net.createServer((socket) => void socket.resume()),
      'https',
    )
    const clock = new FakeClock()
    const transport = client(server.url, { clock })
    const promise = failure(transport.roundTrip(request(server.url)))
    await eventually(() => server.connections()).toBe(1)
    await eventually(async () => {
      await clock.advance(10_000)
      return clock.pendingTimers
    }).toBe(0)
    expect((await promise).message).toContain('the TLS handshake took more than 10s')

    const controller = new AbortController()
    const aborted = transport.roundTrip(request(server.url, '/', { signal: controller.signal }))
    await eventually(() => server.connections()).toBe(2)
    controller.abort(new Error('enough'))
    await expect(aborted).rejects.toThrow('enough')
    await eventually(() => server.sockets.size).toBe(0)
    expect(clock.pendingTimers).toBe(0)
  })
})
