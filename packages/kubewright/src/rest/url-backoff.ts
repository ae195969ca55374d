// Waits longer and longer before requests to a server that says it is overloaded; where the environment asks for it.

import { type Clock, sleep } from '../clock/index.js'
import { type Environment, parseGoInt } from './environment.js'
import type { Transport } from './transport/transport.js'

/** Options of {@link URLBackoff}; milliseconds. */
export interface URLBackoffOptions {
  base: number
  max: number
  clock: Clock
}

interface Entry {
  delay: number
  since: number
}

/** The delays before requests, by host: they double with each overload, and end with the first other answer. */
export class URLBackoff {
  readonly #options: URLBackoffOptions
  readonly #entries = new Map<string, Entry>()

  constructor(options: URLBackoffOptions) {
    this.#options = options
  }

  /** Milliseconds from now until the next request to this URL's host should go; 0: at once. */
  left(url: URL): number {
    const entry = this.#entries.get(url.host)
    return entry === undefined ? 0 : Math.max(0, entry.since + entry.delay - this.#options.clock.monotonic())
  }

  /** Takes note of an answer's status; undefined: there was none. */
  update(url: URL, status: number | undefined): void {
    const { base, max, clock } = this.#options
    if (status === undefined || (status < 500 && status !== 429)) {
      this.#entries.delete(url.host)
      return
    }
    const now = clock.monotonic()
    const entry = this.#entries.get(url.host)
    const isOld = entry === undefined || now - entry.since > 2 * max
    this.#entries.set(url.host, { delay: isOld ? base : Math.min(entry.delay * 2, max), since: now })
  }
}

/**
 * What `KUBE_CLIENT_BACKOFF_BASE` and `KUBE_CLIENT_BACKOFF_DURATION` ask for, in seconds; undefined unless both are whole
 * numbers.
 */
export function urlBackoffFromEnvironment(env: Environment, clock: Clock): URLBackoff | undefined {
  const base = parseGoInt(env.KUBE_CLIENT_BACKOFF_BASE ?? '')
  const max = parseGoInt(env.KUBE_CLIENT_BACKOFF_DURATION ?? '')
  if (base === undefined || max === undefined) return undefined
  return new URLBackoff({ base: base * 1000, max: max * 1000, clock })
}

/** A transport whose requests wait as long as their host's delay has still to run, tries that are repeated too. */
export function withURLBackoff(inner: Transport, backoff: URLBackoff | undefined, clock: Clock): Transport {
  if (backoff === undefined) return inner
  return {
    close: () => inner.close(),
    async roundTrip(request) {
      const { url, signal } = request
      const left = backoff.left(url)
      if (left > 0) await sleep(left, { signal, clock })
      let status: number | undefined
      try {
        const response = await inner.roundTrip(request)
        status = response.status
        return response
      } finally {
        backoff.update(url, status)
      }
    },
  }
}
