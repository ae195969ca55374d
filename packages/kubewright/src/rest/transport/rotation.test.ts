// Certificates and authorities that change while a program runs.

import diagnosticsChannel from 'node:diagnostics_channel'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import https from 'node:https'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type tls from 'node:tls'
import { fileURLToPath } from 'node:url'
import { beforeEach, describe, expect, it } from 'vitest'
import { FakeClock } from '../../clock/fake-clock.js'
import { type Logger, noLogger } from '../logger.js'
import type { CertificateSource } from './certificate-source.js'
import { HttpTransport } from './http-transport.js'
import {
  caData,
  cleanUp,
  client,
  eventually,
  failure,
  get,
  listen,
  listenHttp2,
  pem,
  request,
  serverTLS,
  type TestServer,
  text,
  useServers,
} from './servers.test-support.js'
import { loadTLSSettings } from './tls-settings.js'
import type { Transport } from './transport.js'

useServers()

const minute = 60_000
const first = { cert: 'client.pem', key: 'client.key', name: 'test-client' }
const second = { cert: 'server.pem', key: 'server.key', name: 'kubewright test server' }
const testdata = (name: string): string => fileURLToPath(new URL(`testdata/${name}`, import.meta.url))

let directory: string
let clock: FakeClock
let logged: string[]
let logger: Logger
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'kubewright-'))
  cleanUp(() => rmSync(directory, { recursive: true }))
  clock = new FakeClock()
  logged = []
  logger = { ...noLogger, error: (message) => void logged.push(message) }
})

const put = (name: string, as: string): void => copyFileSync(testdata(name), join(directory, as))

function putPair({ cert, key }: { cert: string; key: string }): void {
  put(cert, 'tls.crt')
  put(key, 'tls.key')
}

/** A server that answers with the name in its client's certificate; `/watch` stays open. */
function startServer(protocol: string): Promise<TestServer> {
  const nameOf = (socket: unknown): string =>
    String((socket as tls.TLSSocket).getPeerCertificate().subject?.CN ?? 'nobody')
  const options = { requestCert: true, rejectUnauthorized: false, ca: caData }
  if (protocol === 'HTTP/2') {
    return listenHttp2((req, res) => {
      if (req.url === '/watch') res.write('event')
      else res.end(nameOf(req.stream.session?.socket))
    }, options)
  }
  const server = https.createServer({ ...serverTLS, ...options }, (req, res) => {
    if (req.url === '/watch') res.write('event')
    else res.end(nameOf(req.socket))
  })
  return listen(server, 'https')
}

describe.each(['HTTP/2', 'HTTP/1.1'])('client certificates in files, %s', (protocol) => {
  let server: TestServer
  let transport: Transport
  beforeEach(async () => {
    putPair(first)
    server = await startServer(protocol)
    const tlsClientConfig = { caData, certFile: join(directory, 'tls.crt'), keyFile: join(directory, 'tls.key') }
    transport = client(server.url, { clock, logger, tlsClientConfig })
    expect(await get(transport, server.url)).toBe(first.name)
  })

  /** Open, and read up to its first event. */
  async function openWatch(): Promise<AsyncIterator<Uint8Array>> {
    const reader = (await transport.roundTrip(request(server.url, '/watch'))).body[Symbol.asyncIterator]()
    await reader.next()
    return reader
  }

  it('are noticed within five minutes while something is open, and all connections are made anew', async () => {
    const next = failure((await openWatch()).next())
    // With HTTP/1.1, on a second connection, which is idle then.
    expect(await get(transport, server.url)).toBe(first.name)
    putPair(second)
    await clock.advance(5 * minute - 1)
    expect(await get(transport, server.url)).toBe(first.name)
    await clock.advance(1)
    expect((await next).reason).toBe('lost')
    await eventually(() => server.sockets.size).toBe(0)
    expect(await get(transport, server.url)).toBe(second.name)
    expect(logged).toEqual([])
  })

  it.each(['GET', 'POST'])(
    'are noticed before a %s when nothing was open, without a timer meanwhile',
    async (method) => {
      await eventually(() => clock.pendingTimers).toBe(0)
      putPair(second)
      await clock.advance(5 * minute)
      const body = method === 'POST' ? 'x' : undefined
      expect(await text(await transport.roundTrip(request(server.url, '/', { method, body })))).toBe(second.name)
      await eventually(() => clock.pendingTimers).toBe(0)
    },
  )

  it('are not taken for changed when they are written again', async () => {
    const reader = await openWatch()
    const { connections } = server
    const before = connections()
    putPair(first)
    await clock.advance(11 * minute)
    expect(await get(transport, server.url)).toBe(first.name)
    expect(connections()).toBeLessThanOrEqual(before + 1)
    await reader.return?.()
  })

  it('are kept while a new pair is incomplete, which is logged once', async () => {
    const reader = await openWatch()
    put(second.cert, 'tls.crt')
    await clock.advance(5 * minute + 30_000)
    expect(await get(transport, server.url)).toBe(first.name)
    expect(logged).toEqual([
      expect.stringMatching(/cannot use the client certificate and key .*; going on with the old one/),
    ])
    const next = failure(reader.next())
    put(second.key, 'tls.key')
    await clock.advance(10_000)
    await next
    expect(await get(transport, server.url)).toBe(second.name)
  })

  it('are read again when a connection is made, at most once a second', async () => {
    putPair(second)
    const breakAll = async (): Promise<void> => {
      for (const socket of server.sockets) socket.destroy()
      await eventually(() => server.sockets.size).toBe(0)
    }
    await clock.advance(999)
    await breakAll()
    expect(await get(transport, server.url)).toBe(first.name)
    await clock.advance(1)
    await breakAll()
    expect(await get(transport, server.url)).toBe(second.name)
  })
})

it('certificates that change break also what goes on on a connection that takes no more requests', async () => {
  putPair(first)
  const server = await startServer('HTTP/2')
  const tlsClientConfig = { caData, certFile: join(directory, 'tls.crt'), keyFile: join(directory, 'tls.key') }
  const transport = client(server.url, { clock, logger, tlsClientConfig })
  const reader = (await transport.roundTrip(request(server.url, '/watch'))).body[Symbol.asyncIterator]()
  await reader.next()
  server.sessions[0]?.goaway(0, 1)
  await new Promise((resolve) => server.sessions[0]?.ping(resolve))
  putPair(second)
  const next = failure(reader.next())
  await clock.advance(5 * minute)
  expect((await next).reason).toBe('lost')
  expect(await get(transport, server.url)).toBe(second.name)
})

it('certificates of another source are used, and its changes close all connections', async () => {
  const server = await startServer('HTTP/2')
  let current = first
  const listeners = new Set<() => void>()
  const certificates: CertificateSource = {
    currentCertificate: () => ({ certData: pem(current.cert), keyData: pem(current.key) }),
    onCertificateChange(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
  const transport = new HttpTransport({
    tls: loadTLSSettings({ caData }, { clock, logger, certificates }),
    clock,
    disableCompression: false,
    settings: { http2: true, readIdleMs: 0, pingTimeoutMs: 0, idleMs: 90_000 },
    proxyFor: () => undefined,
    connect: undefined,
  })
  expect(await get(transport, server.url)).toBe(first.name)
  current = second
  for (const listener of listeners) listener()
  expect(await get(transport, server.url)).toBe(second.name)
  await transport.close()
  expect(listeners.size).toBe(0)
})

describe.each(['HTTP/2', 'HTTP/1.1'])('authorities in a file, %s', (protocol) => {
  let server: TestServer
  const seen: unknown[] = []
  beforeEach(async () => {
    server = await startServer(protocol)
    seen.length = 0
    const note = (message: unknown): void => void seen.push(message)
    diagnosticsChannel.subscribe('kubewright:rest:ca-reload', note)
    cleanUp(() => diagnosticsChannel.unsubscribe('kubewright:rest:ca-reload', note))
  })

  const withFile = (): Transport =>
    client(server.url, { clock, logger, tlsClientConfig: { caFile: join(directory, 'ca.crt') } })

  it('that change are trusted from the next request after five minutes on; what is open ends as it began', async () => {
    put('ca.pem', 'ca.crt')
    const transport = withFile()
    const watch = await transport.roundTrip(request(server.url, '/watch'))
    const reader = watch.body[Symbol.asyncIterator]()
    await reader.next()
    await get(transport, server.url)
    put('other-ca.pem', 'ca.crt')
    await clock.advance(5 * minute - 1)
    expect(await get(transport, server.url)).toBe('nobody')
    await clock.advance(1)
    const err = await failure(transport.roundTrip(request(server.url)))
    expect(err.message).toContain('unknown CA')
    expect(seen).toEqual([{ result: 'success', reason: 'updated' }])
    // Of the old connections only the watch's is left.
    await eventually(() => server.sockets.size).toBe(1)
    watch.close()
    await eventually(() => server.sockets.size).toBe(0)
    expect(logged).toEqual([])
  })

  it('that were wrong at first', async () => {
    put('other-ca.pem', 'ca.crt')
    const transport = withFile()
    await failure(transport.roundTrip(request(server.url)))
    put('ca.pem', 'ca.crt')
    await clock.advance(5 * minute)
    expect(await get(transport, server.url)).toBe('nobody')
  })

  it.each<[string, () => void, string]>([
    ['that cannot be read', () => rmSync(join(directory, 'ca.crt')), 'read_error'],
    ['that are empty', () => writeFileSync(join(directory, 'ca.crt'), ''), 'empty'],
    ['that are none', () => writeFileSync(join(directory, 'ca.crt'), 'x'), 'ca_parse_error'],
  ])('%s leave the old ones in force, and are looked at again after five minutes', async (_name, spoil, reason) => {
    put('ca.pem', 'ca.crt')
    const transport = withFile()
    await get(transport, server.url)
    spoil()
    await clock.advance(5 * minute)
    for (let i = 0; i < 3; i++) expect(await get(transport, server.url)).toBe('nobody')
    expect(server.connections()).toBe(1)
    expect([seen, logged.length]).toEqual([[{ result: 'failure', reason }], 1])
    put('ca.pem', 'ca.crt')
    await clock.advance(5 * minute)
    await get(transport, server.url)
    expect(seen[1]).toEqual({ result: 'success', reason: 'unchanged' })
  })
})
