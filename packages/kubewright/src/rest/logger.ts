// Where the library says what it cannot say by throwing: an interface, the default on standard error, and silence.

import { realClock } from '../clock/index.js'
import { shown } from '../meta/index.js'

/** Named values that belong to a message. Never a secret. */
export type LogFields = Readonly<Record<string, unknown>>

/** Receives the library's messages. `console` is one. Must not throw. */
export interface Logger {
  /** Something is lost or will stop working. */
  error(message: string, fields?: LogFields): void
  /** Something works, but not as asked for. */
  warn(message: string, fields?: LogFields): void
  /** Something that one wants to know once. */
  info(message: string, fields?: LogFields): void
  /** Something that one wants to know when looking for a fault. */
  debug(message: string, fields?: LogFields): void
}

const silent = (): void => {}

/** Drops every message. */
export const noLogger: Logger = { error: silent, warn: silent, info: silent, debug: silent }

const error = (message: string, fields?: LogFields): void => writeLine('error', message, fields)
const warn = (message: string, fields?: LogFields): void => writeLine('warning', message, fields)
const info = (message: string, fields?: LogFields): void => writeLine('info', message, fields)
const debug = (message: string, fields?: LogFields): void => writeLine('debug', message, fields)

/**
 * Writes to standard error, one line each with its time: warnings and errors, and what a Config's `verbosity` adds to them.
 * The default.
 */
export const stderrLogger: Logger = { error, warn, info: silent, debug: silent }
const informative: Logger = { error, warn, info, debug: silent }
const talkative: Logger = { error, warn, info, debug }
const ownLoggers = new Set([stderrLogger, informative, talkative])

/** The library's own logger, made to write what the verbosity asks for; any other as it is. */
export function loggerAt(logger: Logger, verbosity: number): Logger {
  if (!ownLoggers.has(logger)) return logger
  if (verbosity >= 4) return talkative
  return verbosity >= 1 ? informative : stderrLogger
}

function writeLine(level: string, message: string, fields: LogFields | undefined): void {
  let line = `${new Date(realClock.now()).toISOString()} kubewright: ${level}: ${message}`
  for (const [name, value] of Object.entries(fields ?? {})) line += ` ${name}=${format(value)}`
  process.stderr.write(`${line.replaceAll('\n', '\\n')}\n`)
}

function format(value: unknown): string {
  if (value instanceof Error) return JSON.stringify(value.message)
  return typeof value === 'string' && /^[\w./:-]+$/.test(value) ? value : shown(value)
}
