// The transport of a Config: made once, shared by all clients of that Config.

import type { Config } from '../config.js'
import type { Transport } from './transport.js'

const transports = new WeakMap<Config, Transport>()

/**
 * The transport of a Config, with its authentication. Made at the first call; the same one from then on.
 *
 * `await transportFor(config).close()` ends its connections.
 *
 * @throws Error when fields of the Config contradict each other or a file that they name cannot be used.
 */
export function transportFor(config: Config): Transport {
  let transport = transports.get(config)
  if (transport === undefined) {
    transport = newTransport(config)
    transports.set(config, transport)
  }
  return transport
}

function newTransport(_config: Config): Transport {
  throw new Error('not there yet')
}
