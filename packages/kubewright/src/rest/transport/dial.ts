// Makes connections: TCP, the way through a proxy, then TLS where asked for, each with its own time limit.

import type { Socket } from 'node:net'
import { type Clock, whenAborted } from '../../clock/index.js'
import { DialError, explainDialFailure, type Peer } from './dial-error.js'
import type { Dial } from './dial-hook.js'
import type { Proxy } from './proxy.js'
import type { TLSSettings } from './tls-settings.js'
import type { TransportTimings } from './transport.js'
import { connectTunnel, hostPort, socksTunnel, throughProxy } from './tunnel.js'

/** Milliseconds for the TCP connection. */
const dialTimeoutMs = 30_000
/** Milliseconds for a proxy to connect to the server: longer, since that takes a connection of its own. */
const tunnelTimeoutMs = 60_000
/** Milliseconds for the TLS handshake. */
const handshakeTimeoutMs = 10_000
/** Milliseconds of silence after which TCP itself asks whether the other end is there. */
export const tcpKeepAliveMs: number = 30_000

/** Options of {@link dial}. */
export interface DialOptions {
  /** Name or address, without brackets. */
  host: string
  port: number
  clock: Clock
  /** Absent: plain TCP. */
  tls?: TLSSettings | undefined
  /** What to offer to a TLS server, best first: `h2`, `http/1.1`. */
  alpnProtocols?: readonly string[] | undefined
  /** What to go through. Without TLS, the connection made is one to an HTTP proxy, which takes requests for any server. */
  proxy?: Proxy | undefined
  /** What a proxy that is spoken to in TLS must prove. */
  proxyTLS: Pick<TLSSettings, 'proxyContext' | 'rejectUnauthorized'>
  /** Makes the TCP connection instead of node, without a time limit. */
  connect?: Dial | undefined
  signal?: AbortSignal | undefined
}

/** A connection, and the protocol that a TLS server chose. */
export interface Dialed {
  socket: Socket
  /** `''`: none chosen. */
  alpnProtocol: string
  timings: DialTimings
}

/** What of a connection's making took how long. */
export type DialTimings = Pick<TransportTimings, 'dnsMs' | 'connectMs' | 'tlsMs'>

/**
 * Connects.
 *
 * @throws DialError that says what failed; the signal's reason when it aborts.
 */
export async function dial(options: DialOptions): Promise<Dialed> {
  const { host, port, tls, alpnProtocols = [], proxy, proxyTLS, clock } = options
  const start = clock.monotonic()
  const target = hostPort(host, port)
  const server: Peer = {
    label: proxy ? throughProxy(target, proxy) : `cannot connect to ${target}`,
    name: tls?.serverName ?? host,
    is: 'server',
  }
  const first = proxy ? { host: proxy.host, port: proxy.port } : { host, port }
  const firstPeer: Peer = proxy ? { ...server, name: proxy.host, is: 'proxy' } : server
  let lookedUp: number | undefined
  const onLookup = (): void => {
    lookedUp ??= clock.monotonic()
  }
  let socket = await connectTCP(options, first, { peer: firstPeer, onLookup })
  if (proxy?.protocol === 'https:') {
    const secureContext = proxyTLS.proxyContext
    socket = await handshake(options, firstPeer, {
      socket,
      host: proxy.host,
      rejectUnauthorized: proxyTLS.rejectUnauthorized,
      ...serverNameOf(proxy.host),
      ...(secureContext && { secureContext }),
    })
  }
  if (proxy && (tls || proxy.isSocks)) {
    const tunnel = { socket, proxy, host, port }
    await step(options, socket, {
      work: proxy.isSocks ? socksTunnel(tunnel) : connectTunnel(tunnel),
      timeoutMs: tunnelTimeoutMs,
      what: `${server.label}: waiting for its answer`,
    })
  }
  const connected = clock.monotonic()
  const timings = {
    dnsMs: lookedUp === undefined ? undefined : lookedUp - start,
    connectMs: connected - (lookedUp ?? start),
  }
  if (tls === undefined) return { socket, alpnProtocol: '', timings }
  const secure = await handshake(options, server, {
    socket,
    host,
    secureContext: tls.secureContext,
    rejectUnauthorized: tls.rejectUnauthorized,
    ALPNProtocols: [...alpnProtocols],
    ...serverNameOf(tls.serverName ?? host),
  })
  return {
    socket: secure,
    alpnProtocol: (secure as { alpnProtocol?: string | false }).alpnProtocol || '',
    timings: { ...timings, tlsMs: clock.monotonic() - connected },
  }
}

/** Addresses are not sent as names of servers. */
function serverNameOf(name: string): { servername?: string } {
  return process.getBuiltinModule('node:net').isIP(name) ? {} : { servername: name }
}

/** What is no stream would fail where nobody listens. */
function asSocket(made: unknown): Socket {
  const { on, pipe, ref } = (made ?? {}) as Partial<Socket>
  if ([on, pipe, ref].every((method) => typeof method === 'function')) return made as Socket
  throw new Error(
    'dial of the Config gave no connection: it has to give a net.Socket, or a stream.Duplex with ref and unref',
  )
}

async function connectTCP(
  options: DialOptions,
  { host, port }: { host: string; port: number },
  { peer, onLookup }: { peer: Peer; onLookup: () => void },
): Promise<Socket> {
  const { connect, signal } = options
  if (connect) {
    const made = (async () => asSocket(await connect({ host, port, signal })))()
    try {
      return await step(options, undefined, { work: made })
    } catch (err) {
      if (signal?.aborted) {
        made.then(
          (late) => late.destroy(),
          () => {},
        )
        throw err
      }
      throw explainDialFailure({ peer, phase: 'connect', cause: err instanceof Error ? err : new Error(String(err)) })
    }
  }
  const net = process.getBuiltinModule('node:net')
  const tcp = net.connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: tcpKeepAliveMs })
  tcp.on('lookup', onLookup)
  await step(options, tcp, {
    work: happens(tcp, 'connect', (cause) => explainDialFailure({ peer, phase: 'connect', cause })),
    timeoutMs: dialTimeoutMs,
    what: `${peer.label}: connecting${peer.is === 'proxy' ? ' to the proxy' : ''}`,
  })
  return tcp
}

async function handshake(
  options: DialOptions,
  peer: Peer,
  tlsOptions: import('node:tls').ConnectionOptions & { socket: Socket },
): Promise<Socket> {
  const secure = process.getBuiltinModule('node:tls').connect({ minVersion: 'TLSv1.2', ...tlsOptions })
  await step(options, secure, {
    work: happens(secure, 'secureConnect', (cause) => explainDialFailure({ peer, phase: 'tls', cause })),
    timeoutMs: handshakeTimeoutMs,
    what: `${peer.label}: the TLS handshake${peer.is === 'proxy' ? ' with the proxy' : ''}`,
  })
  return secure
}

/** Resolves at a socket's event, rejects when the socket fails or closes before. */
function happens(socket: Socket, event: string, explain: (cause: Error) => DialError): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      socket.off(event, onEvent).off('error', onError).off('close', onClose)
    }
    const onEvent = (): void => {
      settle()
      resolve()
    }
    const onError = (cause: Error): void => {
      settle()
      reject(explain(cause))
    }
    const onClose = (): void => onError(new Error('the connection was closed'))
    socket.on(event, onEvent).on('error', onError).on('close', onClose)
  })
}

/** Waits for a piece of work on a socket; destroys the socket when it fails, takes too long, or nobody wants it. */
function step<T>(
  { clock, signal }: DialOptions,
  socket: Socket | undefined,
  { work, timeoutMs, what }: { work: Promise<T>; timeoutMs?: number; what?: string },
): Promise<T> {
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      timer?.cancel()
      stopListening?.()
    }
    const fail = (reason: unknown): void => {
      settle()
      // The socket may report more errors while it goes down; nobody is interested.
      socket?.on('error', () => {}).destroy()
      reject(reason)
    }
    const onAbort = (): void => fail(signal?.reason)
    const timer =
      timeoutMs === undefined
        ? undefined
        : clock.setTimer(timeoutMs, () => fail(new DialError('timeout', `${what} took more than ${timeoutMs / 1000}s`)))
    const stopListening = signal && whenAborted(signal, onAbort)
    work.then((result) => {
      settle()
      resolve(result)
    }, fail)
    if (signal?.aborted) onAbort()
  })
}
