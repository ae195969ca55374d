// One run of a credential plugin: the process, its output, and its end.

import type { ChildProcess } from 'node:child_process'
import { type Clock, type Timer, whenAborted } from '../../../clock/index.js'
import { messageOf } from '../../../meta/index.js'
import type { Environment } from '../../environment.js'
import { type Startable, startable } from './batch-file.js'
import { ExecPluginError } from './plugin-error.js'

/** Bytes that a plugin may print. */
const maxOutput = 10 * 1024 * 1024
/** Milliseconds that a plugin which is no longer wanted has for ending by itself. */
const graceMs = 2_000

/** Options of {@link runPlugin}. */
export interface RunPluginOptions {
  /** As the user wrote it, for messages. */
  command: string
  /** The file to run. */
  path: string
  args: readonly string[]
  env: Environment
  /** File descriptor that the plugin may read; undefined: nothing to read. */
  stdin: number | undefined
  /** File descriptor that its messages go to. */
  stderr: number
  clock: Clock
  signal: AbortSignal
}

/**
 * Runs a plugin.
 *
 * **Guarantees**: when this settles, the process has ended.
 *
 * @returns what it printed.
 * @throws ExecPluginError when it cannot be started, prints too much or fails; the signal's reason when it aborts.
 */
export function runPlugin(options: RunPluginOptions): Promise<string> {
  const { command, clock, signal } = options
  return new Promise((resolve, reject) => {
    let child: ChildProcess
    try {
      child = start(options)
    } catch (err) {
      reject(err instanceof ExecPluginError ? err : cannotStart(options, err))
      return
    }
    const chunks: Uint8Array[] = []
    let size = 0
    let stopped: { reason: unknown } | undefined
    let kill: Timer | undefined
    const stop = (reason: unknown): void => {
      if (stopped) return
      stopped = { reason }
      // A process that the plugin left behind may hold the other end, and must not hold us.
      child.stdout?.destroy()
      child.kill('SIGTERM')
      kill = clock.setTimer(graceMs, () => child.kill('SIGKILL'))
    }
    const stopListening = whenAborted(signal, () => stop(signal.reason))
    const settle = (): void => {
      kill?.cancel()
      stopListening()
    }
    child.stdout?.on('data', (chunk: Uint8Array) => {
      size += chunk.length
      if (size <= maxOutput) chunks.push(chunk)
      else stop(new ExecPluginError(tooMuch(command), { command }))
    })
    child.on('error', (err) => {
      // It is also told of a signal that could not be sent, to a process that ends all the same.
      if (child.pid !== undefined) return
      settle()
      reject(cannotStart(options, err))
    })
    child.on('close', (exitCode, endedBy) => {
      settle()
      if (stopped) reject(stopped.reason)
      else if (exitCode === 0) resolve(Buffer.concat(chunks).toString('utf8'))
      else reject(failed(command, exitCode ?? -1, endedBy))
    })
    if (signal.aborted) stop(signal.reason)
  })
}

function start({ command, path, args, env, stdin, stderr }: RunPluginOptions): ChildProcess {
  const { platform } = process
  let toStart: Startable
  try {
    toStart = startable(path, args, { platform, systemRoot: process.env.SystemRoot })
  } catch (err) {
    throw new ExecPluginError(`exec: cannot start executable ${command}: ${messageOf(err)}`, { command })
  }
  return process.getBuiltinModule('node:child_process').spawn(toStart.file, toStart.args, {
    env,
    windowsVerbatimArguments: toStart.verbatim,
    stdio: [stdin ?? 'ignore', 'pipe', stderr],
    windowsHide: true,
  })
}

function failed(command: string, exitCode: number, endedBy: string | null): ExecPluginError {
  const by = endedBy === null ? '' : ` (${endedBy})`
  return new ExecPluginError(`exec: executable ${command} failed with exit code ${exitCode}${by}`, {
    command,
    exitCode,
  })
}

function tooMuch(command: string): string {
  return (
    `exec: executable ${command} printed more than ${maxOutput / 1024 / 1024} MiB; ` +
    'a credential plugin prints one ExecCredential and nothing else'
  )
}

/** The system's own message may quote the environment. */
function cannotStart({ command }: RunPluginOptions, err: unknown): ExecPluginError {
  const code = (err as { code?: unknown }).code
  const problem =
    code === 'E2BIG'
      ? 'the environment and arguments are too long for this system; provideClusterInfo puts the whole certificate authority there'
      : code === 'ENOENT'
        ? 'the interpreter that it names is missing (ENOENT)'
        : `${code}`
  return new ExecPluginError(`exec: cannot start executable ${command}: ${problem}`, { command })
}
