// How connections are kept: our own settings, and what the environment says by client-go's names.

import { type Environment, parseGoInt } from '../environment.js'
import type { Logger } from '../logger.js'

/** How connections are kept, as far as the environment has a say. */
export interface ConnectionSettings {
  /** Not set by `DISABLE_HTTP2`, whatever its value. */
  readonly http2: boolean
  /**
   * Milliseconds without a sign of the server, requests being open, after which it is asked for one; 0: never. From
   * `HTTP2_READ_IDLE_TIMEOUT_SECONDS`.
   *
   * @defaultValue 30 s
   */
  readonly readIdleMs: number
  /** Milliseconds for its answer. From `HTTP2_PING_TIMEOUT_SECONDS`. @defaultValue 15 s */
  readonly pingTimeoutMs: number
  /**
   * Milliseconds after which a connection without requests is closed, by timers of node's own: they do not keep a program
   * running.
   */
  readonly idleMs: number
}

const defaultReadIdleSeconds = 30
const defaultPingTimeoutSeconds = 15
const idleMs = 90_000

/** Reads the variables; one that is no whole number is told to the logger and counts as absent. */
export function connectionSettings(env: Environment, logger: Logger): ConnectionSettings {
  const readIdle = seconds('HTTP2_READ_IDLE_TIMEOUT_SECONDS', defaultReadIdleSeconds, env, logger)
  const pingTimeout = seconds('HTTP2_PING_TIMEOUT_SECONDS', defaultPingTimeoutSeconds, env, logger)
  return {
    http2: !env.DISABLE_HTTP2,
    readIdleMs: readIdle * 1000,
    // Go's HTTP/2 takes what cannot be for its own default, which is the same number.
    pingTimeoutMs: (pingTimeout > 0 ? pingTimeout : defaultPingTimeoutSeconds) * 1000,
    idleMs,
  }
}

function seconds(name: string, fallback: number, env: Environment, logger: Logger): number {
  const text = env[name]
  if (!text) return fallback
  const value = parseGoInt(text)
  if (value === undefined) {
    logger.warn(`${name} is no whole number of seconds; going on with ${fallback}`, { [name]: text })
    return fallback
  }
  return Math.max(0, value)
}
