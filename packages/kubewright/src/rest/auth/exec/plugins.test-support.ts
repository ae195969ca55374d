// Credential plugins for tests: shell scripts in a folder that goes when the test ends.

import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { FakeClock } from '../../../clock/fake-clock.js'
import type { ExecConfig } from '../exec-config.js'
import { ExecAuthenticator, type ExecAuthenticatorOptions } from './authenticator.js'

export const v1 = 'client.authentication.k8s.io/v1'
export const v1beta1 = 'client.authentication.k8s.io/v1beta1'

/** What a plugin prints. */
export const printed = (status: unknown, apiVersion: string = v1): string =>
  JSON.stringify({ kind: 'ExecCredential', apiVersion, status })

const directories: string[] = []

/** To be called after each test. */
export function removeDirectories(): void {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true })
}

export function temporaryDirectory(): string {
  const directory = mkdtempSync(join(tmpdir(), 'kubewright-'))
  directories.push(directory)
  return directory
}

export function script(directory: string, name: string, lines: string): string {
  const path = join(directory, name)
  writeFileSync(path, `#!/bin/sh\n${lines}\n`)
  chmodSync(path, 0o755)
  return path
}

/** A plugin that notes each run and what it was told in it; by itself it prints what it has been given to print. */
export class TestPlugin {
  readonly directory: string = temporaryDirectory()
  readonly path: string

  constructor(body = 'cat "$0.out"') {
    this.path = script(
      this.directory,
      'plugin',
      `echo run >> "$0.runs"; printf '%s' "$KUBERNETES_EXEC_INFO" > "$0.told"; ${body}`,
    )
  }

  /** From now on. */
  prints(output: string): void {
    writeFileSync(`${this.path}.out`, output)
  }

  get runs(): number {
    return existsSync(`${this.path}.runs`) ? readFileSync(`${this.path}.runs`, 'utf8').trim().split('\n').length : 0
  }

  /** The last run's KUBERNETES_EXEC_INFO. */
  get told(): string {
    return readFileSync(`${this.path}.told`, 'utf8')
  }

  config(fields: Partial<ExecConfig> = {}): ExecConfig {
    return { command: this.path, apiVersion: v1, interactiveMode: 'Never', ...fields }
  }

  /** On a machine without a terminal, unless the options say otherwise. */
  authenticator(options: Partial<ExecAuthenticatorOptions> = {}): ExecAuthenticator {
    const surroundings = { isTerminal: () => false, ...options.surroundings }
    return new ExecAuthenticator({ config: this.config(), clock: new FakeClock(), ...options, surroundings })
  }
}
