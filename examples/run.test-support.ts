// What the examples' tests share: running a built program as its readers do, to its end or until it is interrupted.

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { onTestFinished } from 'vitest'
import { controlPlane } from '../conformance/control-plane/fixture.js'

/** Path of an example's built program. */
export const programOf = (name: string): string => fileURLToPath(new URL(`${name}/dist/main.js`, import.meta.url))

const asAdmin = (args: readonly string[]): string[] => ['--kubeconfig', controlPlane().kubeconfigPath, ...args]

/** Runs an example as the administrator, in a namespace; its exit code has to be 0. */
export function run(name: string, namespace: string, ...args: string[]): Promise<{ stdout: string; stderr: string }> {
  return promisify(execFile)(process.execPath, [programOf(name), ...asAdmin(['--namespace', namespace, ...args])])
}

/** An example that runs on. */
export interface Running {
  /** What it has printed until now. */
  readonly stdout: string
  readonly stderr: string
  /** Ends it as Ctrl-C does; gives its exit code. */
  interrupt(): Promise<number | null>
}

/** Starts an example as the administrator. It is killed when the test ends. */
export function start(name: string, ...args: string[]): Running {
  const child = spawn(process.execPath, [programOf(name), ...asAdmin(args)], { stdio: ['ignore', 'pipe', 'pipe'] })
  onTestFinished(() => void child.kill('SIGKILL'))
  const printed = { stdout: '', stderr: '' }
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    printed.stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    printed.stderr += text
  })
  return Object.assign(printed, {
    async interrupt(): Promise<number | null> {
      const closed = once(child, 'close')
      child.kill('SIGINT')
      return ((await closed) as [number | null])[0]
    },
  })
}
