// The hook for those who make TCP connections themselves, in words that need no types of node.

/** A connection: a `net.Socket`, or another `stream.Duplex` that has its `ref` and `unref`. */
export interface DialedConnection {
  readonly destroyed: boolean
  destroy(error?: Error): unknown
  ref(): unknown
  unref(): unknown
}

/**
 * Makes a connection to a host (a name, or an address without brackets) and port: to a server, or to a proxy on the way to
 * it. TLS comes on top of it. A connection that is made after `signal` aborts is destroyed.
 */
export type Dial = (address: {
  readonly host: string
  readonly port: number
  readonly signal: AbortSignal | undefined
}) => Promise<DialedConnection>
