// What the tests of connections share: servers on this machine that are gone after each test, and clients for them.

import { readFileSync } from 'node:fs'
import http from 'node:http'
import http2 from 'node:http2'
import net, { type AddressInfo } from 'node:net'
import { afterEach, expect, vi } from 'vitest'
import { Config, type ConfigOptions } from '../config.js'
import type { Environment } from '../environment.js'
import { ConnectionError } from './connection-error.js'
import type { Transport, TransportRequest, TransportResponse } from './transport.js'
import { newTransport } from './transport-for.js'

export const pem = (name: string): string => readFileSync(new URL(`testdata/${name}`, import.meta.url), 'utf8')
export const caData: string = pem('ca.pem')
export const serverTLS: { cert: string; key: string } = { cert: pem('server.pem'), key: pem('server.key') }

const cleanups: (() => unknown)[] = []

/** To be called once by each file of tests. */
export function useServers(): void {
  // Generous: nothing here depends on how fast the machine is.
  vi.setConfig({ testTimeout: 60_000 })
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
  })
}

/** Has something done after the test, what comes last first. */
export function cleanUp(cleanup: () => unknown): void {
  cleanups.push(cleanup)
}

export const eventually = <T>(probe: () => T): ReturnType<typeof expect.poll<T>> =>
  expect.poll(probe, { timeout: 30_000 })

export interface TestServer {
  url: string
  port: number
  sockets: Set<net.Socket>
  /** How many there were. */
  connections: () => number
  sessions: http2.ServerHttp2Session[]
}

/** @param scheme of the URL that is given back. */
export async function listen(server: net.Server, scheme = 'http'): Promise<TestServer> {
  const sockets = new Set<net.Socket>()
  const sessions: http2.ServerHttp2Session[] = []
  let connections = 0
  server.on('connection', (socket) => {
    connections++
    sockets.add(socket)
    socket.on('error', () => {})
    socket.on('close', () => sockets.delete(socket))
  })
  server.on('session', (session) => {
    sessions.push(session)
    session.on('error', () => {})
  })
  server.on('tlsClientError', () => {})
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  cleanUp(async () => {
    const closed = new Promise((resolve) => server.close(resolve))
    for (const session of sessions) session.destroy()
    for (const socket of sockets) socket.destroy()
    await closed
  })
  const { port } = server.address() as AddressInfo
  return { url: `${scheme}://127.0.0.1:${port}`, port, sockets, connections: () => connections, sessions }
}

export type Http2Handler = (req: http2.Http2ServerRequest, res: http2.Http2ServerResponse) => void

export const listenHttp = (handler: http.RequestListener): Promise<TestServer> => listen(http.createServer(handler))

export const listenHttp2 = (handler: Http2Handler, options: http2.SecureServerOptions = {}): Promise<TestServer> =>
  listen(http2.createSecureServer({ ...serverTLS, ...options }, handler), 'https')

/** A transport that trusts the test servers, in an environment that says nothing unless given. */
export function client(url: string, options: ConfigOptions = {}, env: Environment = {}): Transport {
  const transport = newTransport(new Config({ host: url, tlsClientConfig: { caData }, ...options }), env)
  cleanUp(() => transport.close())
  return transport
}

export function request(base: string, path = '/', more: Partial<TransportRequest> = {}): TransportRequest {
  return { method: 'GET', url: new URL(path, base), headers: {}, ...more }
}

export async function text(response: TransportResponse): Promise<string> {
  const chunks: Uint8Array[] = []
  for await (const chunk of response.body) chunks.push(chunk)
  return Buffer.concat(chunks).toString()
}

export const get = async (transport: Transport, base: string, path = '/'): Promise<string> =>
  text(await transport.roundTrip(request(base, path)))

/** The ConnectionError of a promise that is to fail. */
export async function failure(promise: Promise<unknown>): Promise<ConnectionError> {
  const err = await promise.then(
    () => undefined,
    (err) => err,
  )
  expect(err).toBeInstanceOf(ConnectionError)
  return err as ConnectionError
}

/** Stands between a client and a server, and can stop passing anything on without closing. */
export async function startRelay(server: TestServer): Promise<{ url: string; silence: () => void }> {
  let silent = false
  const relay = await listen(
    net.createServer((near) => {
      const far = net.connect(server.port, '127.0.0.1')
      near.on('data', (data) => silent || far.write(data)).on('close', () => far.destroy())
      far.on('data', (data) => silent || near.write(data)).on('error', () => {})
    }),
    'https',
  )
  const silence = (): void => {
    silent = true
  }
  return { url: relay.url, silence }
}

/** A port of this machine on which nobody listens. */
export async function closedPort(): Promise<number> {
  const server = net.createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise((resolve) => server.close(resolve))
  return port
}
