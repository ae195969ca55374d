// A TCP proxy that a test puts between client and server to cut their connections. TLS passes through untouched.

import { connect, createServer, type Server, type Socket } from 'node:net'
import { Transform } from 'node:stream'

/** What becomes of what the server sends. */
export interface Delivery {
  /** Comes in pieces of so many bytes at most. @defaultValue as it comes */
  splitBytes?: number | undefined
  /** Each piece is so many milliseconds late. @defaultValue 0 */
  delayMs?: number | undefined
}

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
  /** Refuses new connections from now on, or no longer. Those that are open stay. */
  refuse(refused: boolean): Promise<void>
  /** For connections open now and later ones. */
  deliver(how: Delivery): void
  stop(): Promise<void>
}

/** Starts a proxy on a free loopback port to `target`. */
export async function startTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const pairs = new Set<{ down: Socket; up: Socket }>()
  let accepted = 0
  let delivery: Delivery = {}
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
    up.pipe(network(() => delivery).on('error', end)).pipe(down)
  })
  const listen = (port: number): Promise<void> =>
    new Promise((resolve, reject) => {
      server.once('error', reject)
      server.listen(port, '127.0.0.1', () => {
        server.off('error', reject)
        resolve()
      })
    })
  await listen(0)
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
    async refuse(refused) {
      if (refused === !server.listening) return
      if (refused) server.close()
      else await listen(address.port)
    },
    deliver(how) {
      delivery = how
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

/** Passes bytes on as the network is told to. */
function network(delivery: () => Delivery): Transform {
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      const { splitBytes = chunk.length, delayMs = 0 } = delivery()
      const next = (at: number): void => {
        if (at >= chunk.length) return done()
        this.push(chunk.subarray(at, at + splitBytes))
        if (delayMs > 0) setTimeout(() => next(at + splitBytes), delayMs)
        else setImmediate(() => next(at + splitBytes))
      }
      if (delayMs === 0 && splitBytes >= chunk.length) done(null, chunk)
      else next(0)
    },
  })
}
