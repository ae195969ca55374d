// Proxies that a test puts before a server: HTTP and HTTPS ones that know CONNECT, and SOCKS 5. They write down what they
// were asked for, and pass everything on.

import { once } from 'node:events'
import { createServer as createHttpServer, type IncomingMessage } from 'node:http'
import { createServer as createHttpsServer } from 'node:https'
import { type AddressInfo, connect, createServer, type Server, type Socket } from 'node:net'

export interface TestProxy {
  url: string
  /** `host:port` of each tunnel, in the order they were asked for. */
  readonly asked: readonly string[]
  stop(): Promise<void>
}

export interface ConnectProxyOptions {
  /** PEM of its own certificate and key: with them it speaks TLS. */
  tls?: { cert: string; key: string } | undefined
  /** `user:password` that it insists on. @defaultValue none */
  credentials?: string | undefined
  /** Host that it connects to whatever name it is given. @defaultValue the one it is given */
  to?: string | undefined
}

/** An HTTP proxy, or an HTTPS one. */
export async function startConnectProxy({ tls, credentials, to }: ConnectProxyOptions = {}): Promise<TestProxy> {
  const asked: string[] = []
  const server = tls ? createHttpsServer(tls) : createHttpServer()
  const wanted = credentials && `Basic ${Buffer.from(credentials).toString('base64')}`
  server.on('connect', (request: IncomingMessage, near: Socket) => {
    if (wanted && request.headers['proxy-authorization'] !== wanted) {
      near.on('error', () => {})
      near.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
      return
    }
    const target = request.url ?? ''
    asked.push(target)
    const { hostname, port } = new URL(`http://${target}`)
    join(near, connect(Number(port), to ?? hostname), 'HTTP/1.1 200 Connection established\r\n\r\n')
  })
  return listen(server, tls ? 'https' : 'http', asked)
}

/** A SOCKS 5 proxy without authentication, for IPv4 addresses and names. */
export async function startSocksProxy(): Promise<TestProxy> {
  const asked: string[] = []
  const serve = async (near: Socket): Promise<void> => {
    const [greeting] = (await once(near, 'data')) as [Buffer]
    near.write(Buffer.from([5, greeting.includes(0, 2) ? 0 : 0xff]))
    const [request] = (await once(near, 'data')) as [Buffer]
    const isName = request[3] === 3
    const end = isName ? 5 + request.readUInt8(4) : 8
    const host = isName ? request.subarray(5, end).toString() : request.subarray(4, end).join('.')
    const port = request.readUInt16BE(end)
    asked.push(`${host}:${port}`)
    join(near, connect(port, host), Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]))
  }
  const server = createServer((near) => {
    serve(near.on('error', () => {})).catch(() => near.destroy())
  })
  return listen(server, 'socks5', asked)
}

/** Passes bytes both ways once the far side is there. */
function join(near: Socket, far: Socket, hello: string | Uint8Array): void {
  const end = (): void => {
    near.destroy()
    far.destroy()
  }
  for (const socket of [near, far]) socket.on('error', end).on('close', end)
  far.on('connect', () => {
    near.write(hello)
    near.pipe(far).pipe(near)
  })
}

async function listen(server: Server, scheme: string, asked: readonly string[]): Promise<TestProxy> {
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => {
    sockets.add(socket)
    socket.on('close', () => sockets.delete(socket))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    url: `${scheme}://127.0.0.1:${(server.address() as AddressInfo).port}`,
    asked,
    async stop() {
      const closed = once(server, 'close')
      server.close()
      for (const socket of sockets) socket.destroy()
      await closed
    },
  }
}
