// The typed client and informer at work on the definition beside the program.

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, it } from 'vitest'
import {
  controlPlane,
  describeWithControlPlane,
  kubectl,
  testNamespace,
} from '../../conformance/control-plane/fixture.js'

const program = fileURLToPath(new URL('dist/main.js', import.meta.url))
const definition = fileURLToPath(new URL('widgets.yaml', import.meta.url))

describeWithControlPlane('a typed custom resource', () => {
  const run = async (...args: string[]): Promise<void> => {
    const { code, stderr } = await kubectl(args)
    expect(code, stderr).toBe(0)
  }
  beforeAll(async () => {
    await run('apply', '-f', definition)
    await run('wait', '--for', 'condition=established', '--timeout=30s', '-f', definition)
  })
  afterAll(() => run('delete', '-f', definition, '--wait=false'))

  it('is created, scaled and observed', async () => {
    const args = [program, '--kubeconfig', controlPlane().kubeconfigPath, '--namespace', await testNamespace()]
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args)
    expect(stderr).toBe('')
    expect(stdout).toBe('there is a widget demo of size 1\nthe cache has it with 3 of 3\n')
  })
})
