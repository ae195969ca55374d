// Servers that close their connections, politely and not: no request is lost that can be sent again.

import http2 from 'node:http2'
import net from 'node:net'
import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../clock/fake-clock.js'
import {
  caData,
  client,
  eventually,
  failure,
  get,
  listenHttp2,
  request,
  type TestServer,
  text,
  useServers,
} from './servers.test-support.js'
import type { Transport } from './transport.js'

useServers()

type Session = http2.ServerHttp2Session
const noError = http2.constants.NGHTTP2_NO_ERROR
const maxId = 2 ** 31 - 1

interface GoingAway {
  server: TestServer
  transport: Transport
  /** How many connections our side holds: node's servers do not read on after a GOAWAY, so theirs say little. */
  held: () => number
}

/** A server that answers with the number of the connection, and a client of it. `onRequest` may answer itself: true. */
async function start(
  onRequest: (req: http2.Http2ServerRequest, res: http2.Http2ServerResponse, connection: number) => boolean | void,
  onSession?: (session: Session, connection: number) => void,
): Promise<GoingAway> {
  const server: TestServer = await listenHttp2((req, res) => {
    req.stream.on('error', () => {})
    const connection = server.sessions.indexOf(req.stream.session as Session) + 1
    if (!onRequest(req, res, connection)) res.end(String(connection))
  })
  if (onSession) {
    const { push } = server.sessions
    server.sessions.push = (session) => {
      const count = push.call(server.sessions, session)
      onSession(session, count)
      return count
    }
  }
  const sockets: net.Socket[] = []
  const dial = async ({ host, port }: { host: string; port: number }): Promise<net.Socket> => {
    const socket = net.connect(port, host)
    sockets.push(socket)
    return socket
  }
  const held = (): number => sockets.filter(({ destroyed }) => !destroyed).length
  return { server, transport: client(server.url, { dial }), held }
}

const post = { method: 'POST', body: 'x' }

describe('GOAWAY', () => {
  it('as the first frame of a connection: requests go to the next one', async () => {
    const { transport, server } = await start(
      () => {},
      (session, connection) => {
        if (connection === 1) session.goaway(noError, 0)
      },
    )
    const sent = Array.from({ length: 5 }, async (_, i) =>
      text(await transport.roundTrip(request(server.url, '/', i % 2 ? post : {}))),
    )
    expect(new Set(await Promise.all(sent))).toEqual(new Set(['2']))
  })

  it('between two requests', async () => {
    const { transport, server, held } = await start(() => {})
    expect(await get(transport, server.url)).toBe('1')
    server.sessions[0]?.goaway(noError)
    await eventually(held).toBe(0)
    expect(await get(transport, server.url)).toBe('2')
  })

  it('that crosses with a request: it is sent again, also a POST', async () => {
    const { transport, server } = await start((req, _res, connection) => {
      if (connection > 1 || req.method === 'GET') return false
      // As if this request had not come in time.
      req.stream.session?.goaway(noError, (req.stream.id ?? 0) - 2)
      return true
    })
    expect(await get(transport, server.url)).toBe('1')
    expect(await text(await transport.roundTrip(request(server.url, '/', post)))).toBe('2')
  })

  it('with a request that the server has begun, which ends where it began', async () => {
    const { transport, server } = await start((req, res, connection) => {
      if (connection > 1) return false
      req.stream.session?.goaway(noError, req.stream.id)
      setImmediate(() => res.end('1'))
      return true
    })
    expect(await get(transport, server.url)).toBe('1')
    expect(await get(transport, server.url)).toBe('2')
  })

  it('twice: first for new requests, then with the last one, as servers do that shut down', async () => {
    const { transport, server } = await start((req, res, connection) => {
      if (connection > 1) return false
      if (req.url !== '/last') return true
      const { session } = req.stream
      session?.goaway(noError, maxId)
      session?.goaway(noError, req.stream.id)
      setImmediate(() => res.end('1'))
      return true
    })
    const last = get(transport, server.url, '/last')
    const answers = await Promise.all(Array.from({ length: 10 }, () => get(transport, server.url)))
    expect(await last).toBe('1')
    expect(new Set(answers)).toEqual(new Set(['2']))
  })

  it('in the middle of an answer, which comes to its end', async () => {
    const { transport, server } = await start((req, res, connection) => {
      if (connection > 1) return false
      res.write('be')
      req.stream.session?.goaway(noError, req.stream.id)
      setImmediate(() => res.end('gun'))
      return true
    })
    expect(await get(transport, server.url)).toBe('begun')
  })

  it('while a body is sent that can be sent once only: the answer is waited for', async () => {
    const { transport, server } = await start((req, res, connection) => {
      if (connection > 1) return false
      req.stream.session?.goaway(noError, req.stream.id)
      req.pipe(res)
      return true
    })
    async function* body(): AsyncGenerator<Uint8Array> {
      for (const part of ['a', 'b']) {
        await new Promise((resolve) => setImmediate(resolve))
        yield Buffer.from(part)
      }
    }
    expect(await text(await transport.roundTrip(request(server.url, '/', { method: 'POST', body: body() })))).toBe('ab')
  })

  it('by kube-apiserver: after each hundredth request, under load, nothing is lost', async () => {
    let count = 0
    const { transport, server, held } = await start((req, _res) => {
      if (++count % 100 === 0) req.stream.session?.goaway(noError, req.stream.id)
    })
    let sent = 0
    const worker = async (): Promise<void> => {
      while (sent < 2000) {
        const more = ++sent % 3 === 0 ? post : {}
        await text(await transport.roundTrip(request(server.url, '/', more)))
      }
    }
    await Promise.all(Array.from({ length: 8 }, worker))
    expect(count).toBeGreaterThanOrEqual(2000)
    expect(server.connections()).toBeGreaterThan(10)
    await eventually(held).toBeLessThanOrEqual(1)
  })

  it('does not put what goes on beyond the reach of close', async () => {
    const { transport, server, held } = await start((req, res) => {
      if (req.url !== '/watch') return false
      res.write('event')
      req.stream.session?.goaway(noError, req.stream.id)
      return true
    })
    const reader = (await transport.roundTrip(request(server.url, '/watch'))).body[Symbol.asyncIterator]()
    await reader.next()
    expect(await get(transport, server.url)).toBe('2')
    expect(held()).toBe(2)
    const next = failure(reader.next())
    await transport.close()
    expect((await next).reason).toBe('lost')
    await eventually(held).toBe(0)
  })

  it('with an error: what was open is lost, and what comes next is not', async () => {
    const { transport, server } = await start((req, _res, connection) => {
      if (connection > 1) return false
      req.stream.session?.goaway(http2.constants.NGHTTP2_ENHANCE_YOUR_CALM, req.stream.id)
      return true
    })
    expect((await failure(transport.roundTrip(request(server.url)))).reason).toBe('lost')
    expect(await get(transport, server.url)).toBe('2')
  })
})

describe('what else servers do', () => {
  it('closing without a word: the next request makes a connection', async () => {
    const { transport, server } = await start(() => {})
    expect(await get(transport, server.url)).toBe('1')
    for (const socket of server.sockets) socket.resetAndDestroy()
    await eventually(() => server.sockets.size).toBe(0)
    expect(await get(transport, server.url)).toBe('2')
  })

  it('closing their half of the connection', async () => {
    const { transport, server } = await start(() => {})
    expect(await get(transport, server.url)).toBe('1')
    for (const socket of server.sockets) socket.end()
    await eventually(() => server.sockets.size).toBe(0)
    expect(await get(transport, server.url)).toBe('2')
  })

  it('resetting a stream', async () => {
    const { transport, server } = await start((req, _res, connection) => {
      if (req.url !== '/reset') return false
      req.stream.close(http2.constants.NGHTTP2_INTERNAL_ERROR)
      return connection > 0
    })
    expect((await failure(transport.roundTrip(request(server.url, '/reset')))).reason).toBe('lost')
    expect(await get(transport, server.url)).toBe('1')
  })

  it('1,000 requests, one after the other, keep to one connection and leave nothing behind', async () => {
    const clock = new FakeClock()
    const { server } = await start(() => {})
    const transport = client(server.url, { clock, tlsClientConfig: { caData } })
    const controller = new AbortController()
    for (let i = 0; i < 1000; i++) {
      const { signal } = controller
      const answer = await transport.roundTrip(request(server.url, '/', { signal }))
      expect(await text(answer)).toBe('1')
    }
    expect(server.connections()).toBe(1)
    await eventually(() => clock.pendingTimers).toBe(0)
  })
})
