// Where the time of an exchange went.

import { expect, it } from 'vitest'
import { startHttpProxy } from './proxies.test-support.js'
import { client, listenHttp, listenHttp2, request, text, useServers } from './servers.test-support.js'
import type { Transport, TransportTimings } from './transport.js'

useServers()

async function timingsOf(transport: Transport, url: string): Promise<TransportTimings> {
  const response = await transport.roundTrip(request(url))
  await text(response)
  return response.timings ?? {}
}

/** The names of what is known. */
const known = (timings: TransportTimings): string[] =>
  Object.entries(timings)
    .filter(([, value]) => value !== undefined)
    .map(([name]) => name)
    .sort()

it.each([
  ['HTTP/1.1', () => listenHttp((_req, res) => void res.end('ok')), []],
  ['HTTP/2', () => listenHttp2((_req, res) => res.end('ok')), ['tlsMs']],
])('%s: of the first request on a connection, and of the next one', async (_name, start, more) => {
  const server = await start()
  const transport = client(server.url)
  const named = server.url.replace('127.0.0.1', 'localhost')
  const first = await timingsOf(transport, named)
  expect(known(first)).toEqual(['connectMs', 'dnsMs', 'firstByteMs', 'getConnectionMs', ...more])
  const { getConnectionMs = 0, dnsMs = 0, connectMs = 0, tlsMs = 0, firstByteMs = -1 } = first
  expect(getConnectionMs).toBeGreaterThanOrEqual(dnsMs + connectMs + tlsMs)
  expect(Math.min(dnsMs, connectMs, tlsMs, firstByteMs)).toBeGreaterThanOrEqual(0)
  const second = await timingsOf(transport, named)
  expect(known(second)).toEqual(['firstByteMs', 'getConnectionMs', 'reused'])
  expect(second.reused).toBe(true)
  expect(known(await timingsOf(client(server.url), server.url))).toEqual(
    known(first).filter((name) => name !== 'dnsMs'),
  )
})

it('of a request through a proxy', async () => {
  const server = await listenHttp2((_req, res) => res.end('ok'))
  const proxy = await startHttpProxy()
  const timings = await timingsOf(client(server.url, { proxyUrl: proxy.url }), server.url)
  expect(known(timings)).toEqual(['connectMs', 'firstByteMs', 'getConnectionMs', 'tlsMs'])
})
