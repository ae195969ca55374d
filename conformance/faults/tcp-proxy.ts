// A TCP proxy that a test puts between client and server to cut their connections. TLS passes through untouched.

import { connect, createServer, type Server, type Socket } from 'node:net'

/** A running proxy. */
export interface TcpProxy {
  readonly port: number
  /** Connections accepted so far. */
  readonly accepted: number
  /** Connections open now. */
  readonly open: number
  /** Resets every open connection; new ones are accepted again at once. Returns how many were cut. */
  cut(): number
  /** Stops forwarding in both directions without closing anything: the peers see a half-open connection. */
  freeze(): void
  stop(): Promise<void>
}

/** Starts a proxy on a free loopback port to `target`. */
export async function startTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const pairs = new Set<{ down: Socket; up: Socket }>()
  let accepted = 0
  const server: Server = createServer((down) => {
    accepted++
    const up = connect(target.port, target.host)
    const pair = { down, up }
    pairs.add(pair)
    const end = (): void => {
      pairs.delete(pair)
      down.destroy()
      up.destroy()
    }
    for (const socket of [down, up]) {
      socket.setNoDelay(true)
      socket.on('error', end)
      socket.on('close', end)
    }
    down.pipe(up)
    up.pipe(down)
  })
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject)
    server.listen(0, '127.0.0.1', resolve)
  })
  const address = server.address()
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port')
  return {
    port: address.port,
    get accepted() {
      return accepted
    },
    get open() {
      return pairs.size
    },
    cut() {
      const cut = [...pairs]
      for (const { down, up } of cut) {
        down.resetAndDestroy()
        up.destroy()
      }
      return cut.length
    },
    freeze() {
      for (const { down, up } of pairs) {
        down.unpipe()
        up.unpipe()
        down.pause()
        up.pause()
      }
    },
    async stop() {
      for (const { down, up } of pairs) {
        down.destroy()
        up.destroy()
      }
      await new Promise<void>((resolve) => server.close(() => resolve()))
    },
  }
}
