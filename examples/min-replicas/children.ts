// Child processes of the demo: their lines are printed under a name, and all of them end with it.

import { type ChildProcess, type SpawnOptions, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'

/** What a finished command said. */
export interface Output {
  code: number
  stdout: string
  stderr: string
}

/** The children of one demo run. */
export class Children {
  readonly #running = new Set<ChildProcess>()

  /** Starts a program that runs on; each line of its output is printed as `name | line`. */
  follow(name: string, command: string, args: readonly string[], options: SpawnOptions = {}): ChildProcess {
    const child = this.#spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr]) {
      if (stream) createInterface({ input: stream }).on('line', (line) => console.log(`${name.padEnd(10)} | ${line}`))
    }
    return child
  }

  /** Runs a program to its end. */
  async run(command: string, args: readonly string[], options: SpawnOptions = {}): Promise<Output> {
    const child = this.#spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
    let stdout = ''
    let stderr = ''
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      stdout += text
    })
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      stderr += text
    })
    const [code] = (await once(child, 'close')) as [number | null]
    return { code: code ?? 1, stdout, stderr }
  }

  /** Ends all that run: asks, and insists after `graceMs`. */
  async stop(graceMs: number): Promise<void> {
    await Promise.all([...this.#running].map((child) => endOf(child, graceMs)))
  }

  #spawn(command: string, args: readonly string[], options: SpawnOptions): ChildProcess {
    const child = spawn(command, args, options)
    this.#running.add(child)
    child.once('close', () => this.#running.delete(child))
    child.once('error', () => this.#running.delete(child))
    return child
  }
}

async function endOf(child: ChildProcess, graceMs: number): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const closed = once(child, 'close')
  child.kill('SIGTERM')
  const insist = setTimeout(() => child.kill('SIGKILL'), graceMs)
  await closed
  clearTimeout(insist)
}
