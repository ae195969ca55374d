// One process of the control plane: started with its output in a log file, watched, and stopped within a bound.
import { type ChildProcess, spawn } from 'node:child_process'
import { closeSync, openSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

const tailLines = 25

/** A component of the control plane ended although nobody stopped it, or could not do its part in time. */
export class ComponentFailed extends Error {
  override name = 'ComponentFailed'
  /** The subcommand of the binary that failed. */
  readonly component: string
  /** The last lines that it logged. */
  readonly logTail: string

  constructor(component: string, what: string, logTail: string) {
    super(`${component} ${what}. The end of its log:\n${logTail || '(it logged nothing)'}`)
    this.component = component
    this.logTail = logTail
  }
}

export interface ComponentOptions {
  binary: string
  /** Subcommand of the binary. */
  name: string
  args: readonly string[]
  /** Working directory, and where NAME.log goes. */
  directory: string
  /** What the component is to remove when this process has ended without stopping it. */
  removeWhenOrphaned?: string | undefined
}

export class Component {
  readonly name: string
  readonly logFile: string
  /** Resolves with the error to report when the process has ended without `stop`; never rejects. */
  readonly died: Promise<ComponentFailed>
  readonly #process: ChildProcess
  readonly #exited: Promise<string>
  #stopping = false

  constructor({ binary, name, args, directory, removeWhenOrphaned }: ComponentOptions) {
    this.name = name
    this.logFile = join(directory, `${name}.log`)
    const log = openSync(this.logFile, 'a', 0o600)
    this.#process = spawn(binary, [name, ...args], {
      cwd: directory,
      // Out of the terminal's process group: Ctrl-C is for whoever started this, who then stops things in order.
      detached: true,
      // Nothing is ever written to the pipe. It closes when this process ends, however it does.
      stdio: ['pipe', log, log],
      // The user's environment (proxies, feature switches, a kubeconfig) must not change what the server does.
      env: {
        PATH: process.env['PATH'],
        HOME: directory,
        CONTROL_PLANE_WATCH_PARENT: '1',
        CONTROL_PLANE_REMOVE_DIRECTORY: removeWhenOrphaned,
      },
    })
    closeSync(log)
    this.#exited = new Promise((resolve) => {
      this.#process.once('error', (err) => resolve(`could not be started: ${err.message}`))
      this.#process.once('exit', (code, signal) => resolve(`ended early (${signal ?? `exit code ${code}`})`))
    })
    this.died = new Promise((resolve) => {
      void this.#exited.then(async (what) => {
        if (!this.#stopping) resolve(await this.failure(what))
      })
    })
  }

  /** Process id; undefined when it could not be started. */
  get pid(): number | undefined {
    return this.#process.pid
  }

  /** An error about this component that shows the end of its log. */
  async failure(what: string): Promise<ComponentFailed> {
    const log = await readFile(this.logFile, 'utf8').catch(() => '')
    return new ComponentFailed(this.name, what, log.trimEnd().split('\n').slice(-tailLines).join('\n'))
  }

  /** SIGTERM, and SIGKILL when it is still there after `graceMs`. Resolves when the process is gone. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true
    this.#process.kill('SIGTERM')
    const timer = setTimeout(() => this.#process.kill('SIGKILL'), graceMs)
    await this.#exited
    clearTimeout(timer)
  }
}
