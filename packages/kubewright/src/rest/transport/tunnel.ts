// Ways through a proxy to a server: the CONNECT method of HTTP proxies, and SOCKS.

import type { Socket } from 'node:net'
import { messageOf } from '../../meta/index.js'
import { loadPackage } from '../optional-package.js'
import { DialError } from './dial-error.js'
import type { Proxy } from './proxy.js'

/** Options of {@link connectTunnel} and {@link socksTunnel}. */
export interface TunnelOptions {
  /** A connection to the proxy. */
  socket: Socket
  proxy: Proxy
  /** The server: name or address, without brackets. */
  host: string
  port: number
}

/** What stands behind messages about a proxy. */
export function throughProxy(target: string, proxy: Proxy): string {
  return `cannot connect to ${target} through the proxy ${proxy.label}`
}

/** `host:port`, with the brackets that IPv6 needs. */
export function hostPort(host: string, port: number): string {
  return host.includes(':') ? `[${host}]:${port}` : `${host}:${port}`
}

/**
 * Asks an HTTP proxy to connect to a server; the socket then belongs to the server.
 *
 * @throws DialError when the proxy says no.
 */
export function connectTunnel({ socket, proxy, host, port }: TunnelOptions): Promise<void> {
  const target = hostPort(host, port)
  const { authorization } = proxy
  return new Promise((resolve, reject) => {
    const request = process.getBuiltinModule('node:http').request({
      method: 'CONNECT',
      path: target,
      headers: { host: target, ...(authorization && { 'proxy-authorization': authorization }) },
      createConnection: () => socket,
    })
    request.on('connect', ({ statusCode = 0, statusMessage }, _socket, head) => {
      // Node gives the socket back with its reader stopped and without its own handlers.
      if (statusCode >= 200 && statusCode < 300) {
        if (head.length > 0) socket.unshift(head)
        resolve()
      } else {
        reject(new DialError('proxy', `${throughProxy(target, proxy)}: ${refusal(statusCode, statusMessage)}`))
      }
    })
    request.on('error', (cause) => {
      const problem = `it gave no answer to CONNECT (${cause.message}); is it an HTTP proxy?`
      reject(new DialError('proxy', `${throughProxy(target, proxy)}: ${problem}`, { cause }))
    })
    request.end()
  })
}

/** What a proxy's status means to the user. */
export function refusal(status: number, statusMessage: string | undefined): string {
  if (status === 407) {
    return 'it asks for a user name and password, or does not take those given (407); they go into its URL: http://user:password@host'
  }
  return `it answered ${status}${statusMessage ? ` ${statusMessage}` : ''}`
}

type SocksLibrary = typeof import('socks')

/** Longer than our own limit, which is the one that counts. */
const socksLibraryTimeoutMs = 2 ** 31 - 1

/**
 * Asks a SOCKS proxy to connect to a server; the socket then belongs to the server. Names are looked up by the proxy.
 *
 * @throws DialError when the proxy says no; Error when the library for it is missing.
 */
export async function socksTunnel(
  { socket, proxy, host, port }: TunnelOptions,
  load: () => Promise<SocksLibrary> = () => import('socks'),
): Promise<void> {
  const { SocksClient } = await loadPackage(load, { name: 'socks', cannot: `cannot use the proxy ${proxy.label}` })
  const { username, password } = proxy.credentials ?? {}
  try {
    await SocksClient.createConnection({
      command: 'connect',
      proxy: {
        host: proxy.host,
        port: proxy.port,
        type: 5,
        ...(username !== undefined && { userId: username, password: password ?? '' }),
      },
      destination: { host, port },
      existing_socket: socket,
      timeout: socksLibraryTimeoutMs,
    })
  } catch (err) {
    // Not as its cause: the library's errors hold the password.
    throw new DialError('proxy', `${throughProxy(hostPort(host, port), proxy)}: ${messageOf(err)}`)
  }
}
