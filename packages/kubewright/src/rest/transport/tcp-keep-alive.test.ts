// Whether TCP asks after the other end where nothing is said, so that a link that is gone breaks what waits at it.

import { readFileSync } from 'node:fs'
import net from 'node:net'
import { expect, it, vi } from 'vitest'
import { startHttpProxy } from './proxies.test-support.js'
import { client, listenHttp, listenHttp2, request, type TestServer, useServers } from './servers.test-support.js'

useServers()

/** Seconds until the kernel asks, on the connections to a port; of Linux, which says so. */
function secondsOnLinux(url: string): number[] {
  const port = Number(new URL(url).port).toString(16).toUpperCase().padStart(4, '0')
  const established = '01'
  const keepAlive = '02'
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/\s+/))
    .filter(([, , remote, state]) => remote?.endsWith(`:${port}`) && state === established)
    .map((fields) => fields[5]?.split(':') ?? [])
    .map(([timer, ticks]) => (timer === keepAlive ? Number.parseInt(ticks ?? '', 16) / 100 : Number.NaN))
}

it.each<[string, () => Promise<{ server: TestServer; connectsTo: string; transport: ReturnType<typeof client> }>]>([
  [
    'HTTP/1.1',
    async () => {
      const server = await listenHttp((_, res) => void res.writeHead(200).write('{'))
      return { server, connectsTo: server.url, transport: client(server.url) }
    },
  ],
  [
    'HTTP/2',
    async () => {
      const server = await listenHttp2((_, res) => void res.writeHead(200).write('{'))
      return { server, connectsTo: server.url, transport: client(server.url) }
    },
  ],
  [
    'HTTP/2 through a proxy',
    async () => {
      const server = await listenHttp2((_, res) => void res.writeHead(200).write('{'))
      const proxy = await startHttpProxy()
      return { server, connectsTo: proxy.url, transport: client(server.url, { proxyUrl: proxy.url }) }
    },
  ],
])('a silent connection of %s is asked after within 30 seconds', async (_, start) => {
  const connect = vi.spyOn(net, 'connect')
  try {
    const { server, connectsTo, transport } = await start()
    const response = await transport.roundTrip(request(server.url))
    const { port } = new URL(connectsTo)
    const options = connect.mock.calls.map(([given]) => given as unknown as net.TcpNetConnectOpts)
    const ours = options.filter((each) => String(each.port) === port)
    expect(ours.length).toBe(1)
    expect(ours[0]).toMatchObject({ keepAlive: true })
    expect(ours[0]?.keepAliveInitialDelay).toBeGreaterThan(0)
    expect(ours[0]?.keepAliveInitialDelay).toBeLessThanOrEqual(30_000)
    if (process.platform === 'linux') {
      const seconds = secondsOnLinux(connectsTo)
      expect(seconds.length).toBe(1)
      expect(seconds[0]).toBeLessThanOrEqual(30)
    }
    response.close()
    await transport.close()
  } finally {
    connect.mockRestore()
  }
})
