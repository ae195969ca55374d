// Proxies for tests: an HTTP one and a SOCKS one, which record what goes through them.

import http from 'node:http'
import https from 'node:https'
import net from 'node:net'
import { listen, serverTLS, type TestServer } from './servers.test-support.js'

export interface TestProxy extends TestServer {
  /** What it was asked for: `CONNECT host:port`, or method and URL. */
  asked: string[]
  /** The `Proxy-Authorization` headers, or name and password. */
  credentials: (string | undefined)[]
  /** The common names of the certificates that it was shown. */
  certificates: (string | undefined)[]
}

export interface ProxyOptions {
  /** `user:password` that it asks for. */
  credentials?: string
  /** Speaks TLS. */
  tls?: https.ServerOptions
  /** Answers CONNECT itself. */
  onConnect?: (socket: net.Socket) => void
  /** Connects there, whatever it is asked for. */
  to?: number
}

/** An HTTP proxy. */
export async function startHttpProxy({ credentials, tls, onConnect, to }: ProxyOptions = {}): Promise<TestProxy> {
  const asked: string[] = []
  const seen: (string | undefined)[] = []
  const server = tls ? https.createServer({ ...serverTLS, ...tls }) : http.createServer()
  const certificates: (string | undefined)[] = []
  server.on('secureConnection', (socket) => certificates.push(socket.getPeerCertificate().subject?.CN))
  const isAllowed = (req: http.IncomingMessage): boolean => {
    const authorization = req.headers['proxy-authorization']
    seen.push(authorization)
    return credentials === undefined || authorization === `Basic ${Buffer.from(credentials).toString('base64')}`
  }
  server.on('connect', (req: http.IncomingMessage, socket: net.Socket) => {
    asked.push(`CONNECT ${req.url}`)
    socket.on('error', () => {}).on('end', () => socket.end())
    if (onConnect) return onConnect(socket.resume())
    if (!isAllowed(req)) return void socket.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n')
    const { hostname, port } = new URL(`http://${req.url}`)
    const far = net.connect(to ?? Number(port || 80), to ? '127.0.0.1' : hostname)
    far.on('error', () => socket.end('HTTP/1.1 502 Bad Gateway\r\n\r\n'))
    far.on('connect', () => {
      socket.write('HTTP/1.1 200 Connection established\r\n\r\n')
      far.pipe(socket).on('close', () => far.destroy())
      socket.pipe(far).on('close', () => socket.destroy())
    })
  })
  server.on('request', (req: http.IncomingMessage, res: http.ServerResponse) => {
    asked.push(`${req.method} ${req.url}`)
    if (!isAllowed(req)) return void res.writeHead(407).end()
    const { 'proxy-authorization': _, ...headers } = req.headers
    const forward = http.request(req.url as string, { method: req.method, headers }, (answer) => {
      res.writeHead(answer.statusCode as number, answer.headers)
      answer.pipe(res)
    })
    forward.on('error', () => res.writeHead(502).end())
    req.pipe(forward)
  })
  return { ...(await listen(server, tls ? 'https' : 'http')), asked, credentials: seen, certificates }
}

/** A SOCKS 5 proxy that connects to a port of this machine, whatever name it is given. */
export async function startSocksProxy({ credentials, to }: ProxyOptions): Promise<TestProxy> {
  const asked: string[] = []
  const seen: (string | undefined)[] = []
  const server = net.createServer((socket) => {
    let step: 'greeting' | 'password' | 'request' | 'done' = 'greeting'
    socket.on('error', () => {})
    socket.on('data', (data) => {
      if (step === 'greeting') {
        step = credentials === undefined ? 'request' : 'password'
        socket.write(Buffer.from([5, credentials === undefined ? 0 : 2]))
      } else if (step === 'password') {
        const nameEnd = 2 + data.readUInt8(1)
        const given = `${data.subarray(2, nameEnd)}:${data.subarray(nameEnd + 1)}`
        seen.push(given)
        step = 'request'
        socket.write(Buffer.from([1, given === credentials ? 0 : 1]))
      } else if (step === 'request') {
        step = 'done'
        const isName = data[3] === 3
        const end = isName ? 5 + data.readUInt8(4) : 8
        const host = isName ? data.subarray(5, end).toString() : [...data.subarray(4, end)].join('.')
        asked.push(`CONNECT ${host}:${data.readUInt16BE(end)}`)
        const far = net.connect(to as number, '127.0.0.1')
        far.on('error', () => socket.end(Buffer.from([5, 5, 0, 1, 0, 0, 0, 0, 0, 0])))
        far.on('connect', () => {
          socket.write(Buffer.from([5, 0, 0, 1, 0, 0, 0, 0, 0, 0]))
          far.pipe(socket).on('close', () => far.destroy())
          socket.pipe(far).on('close', () => socket.destroy())
        })
      }
    })
  })
  return { ...(await listen(server, 'socks5')), asked, credentials: seen, certificates: [] }
}
