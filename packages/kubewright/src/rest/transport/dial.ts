// Makes connections: TCP, then TLS where asked for, each with its own time limit.

import type { Socket } from 'node:net'
import type { Clock } from '../../clock/index.js'
import { DialError, explainDialFailure } from './dial-error.js'
import type { TLSSettings } from './tls-settings.js'

/** Milliseconds for the TCP connection. */
const dialTimeoutMs = 30_000
/** Milliseconds for the TLS handshake. */
const handshakeTimeoutMs = 10_000
/** Milliseconds of silence after which TCP itself asks whether the other end is there. */
const tcpKeepAliveMs = 30_000

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
  signal?: AbortSignal | undefined
}

/** A connection, and the protocol that a TLS server chose. */
export interface Dialed {
  socket: Socket
  /** `''`: none chosen. */
  alpnProtocol: string
}

/**
 * Connects.
 *
 * @throws DialError that says what failed; the signal's reason when it aborts.
 */
export async function dial(options: DialOptions): Promise<Dialed> {
  const { host, port, tls, alpnProtocols = [] } = options
  const net = process.getBuiltinModule('node:net')
  const tcp = net.connect({ host, port, noDelay: true, keepAlive: true, keepAliveInitialDelay: tcpKeepAliveMs })
  await connected(tcp, 'connect', dialTimeoutMs, options)
  if (tls === undefined) return { socket: tcp, alpnProtocol: '' }
  const servername = tls.serverName ?? (net.isIP(host) ? undefined : host)
  const secure = process.getBuiltinModule('node:tls').connect({
    socket: tcp,
    host,
    secureContext: tls.secureContext,
    rejectUnauthorized: tls.rejectUnauthorized,
    ALPNProtocols: [...alpnProtocols],
    ...(servername !== undefined && { servername }),
  })
  await connected(secure, 'secureConnect', handshakeTimeoutMs, options)
  return { socket: secure, alpnProtocol: secure.alpnProtocol || '' }
}

/** Waits for a socket's event; destroys the socket when it does not come. */
function connected(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  timeoutMs: number,
  { host, port, clock, tls, signal }: DialOptions,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const settle = (): void => {
      timer.cancel()
      signal?.removeEventListener('abort', onAbort)
      socket.off(event, onReady).off('error', onError).off('close', onClose)
    }
    const fail = (reason: unknown): void => {
      settle()
      // The socket may report more errors while it goes down; nobody is interested.
      socket.on('error', () => {}).destroy()
      reject(reason)
    }
    const onReady = (): void => {
      settle()
      resolve()
    }
    const phase = event === 'connect' ? 'connect' : 'tls'
    const onError = (cause: Error): void => fail(explainDialFailure({ host, port, phase, cause, tls }))
    const onClose = (): void => onError(new Error('the connection was closed'))
    const onAbort = (): void => fail(signal?.reason)
    const what = event === 'connect' ? 'connecting' : 'the TLS handshake'
    const timer = clock.setTimer(timeoutMs, () =>
      fail(
        new DialError(
          'timeout',
          `cannot connect to ${hostPort(host, port)}: ${what} took more than ${timeoutMs / 1000}s`,
        ),
      ),
    )
    socket.on(event, onReady).on('error', onError).on('close', onClose)
    signal?.addEventListener('abort', onAbort, { once: true })
    if (signal?.aborted) onAbort()
  })
}

function hostPort(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}
