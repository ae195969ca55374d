// The custom resource is defined, used and removed again.

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { controlPlane, describeWithControlPlane, testNamespace } from '../../conformance/control-plane/fixture.js'

const program = fileURLToPath(new URL('dist/main.js', import.meta.url))

describeWithControlPlane('a custom resource with the dynamic client', () => {
  it('is defined, used and removed again', async () => {
    const args = [program, '--kubeconfig', controlPlane().kubeconfigPath, '--namespace', await testNamespace()]
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args)
    expect(stderr).toBe('')
    expect(stdout).toBe('keep 14, at generation 2\nBackup nightly: 0 3 * * *\n0 left\n')
  })
})
