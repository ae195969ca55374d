// The Deployment is created, updated, listed and deleted, as the program says.

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { isNotFound } from 'kubewright'
import { expect, it } from 'vitest'
import { controlPlane, describeWithControlPlane, testNamespace } from '../../conformance/control-plane/fixture.js'
import { eventually } from '../../conformance/suite/eventually.js'
import { clientsetFor } from '../../conformance/suite/helpers.js'

const program = fileURLToPath(new URL('dist/main.js', import.meta.url))

describeWithControlPlane('a Deployment with the dynamic client', () => {
  it('is created, updated, listed and deleted', async () => {
    const namespace = await testNamespace()
    const args = [program, '--kubeconfig', controlPlane().kubeconfigPath, '--namespace', namespace]
    const { stdout, stderr } = await promisify(execFile)(process.execPath, args)
    expect(stderr).toBe('')
    expect(stdout).toContain('Created deployment "demo-deployment".\n')
    expect(stdout).toContain(' * demo-deployment (1 replicas of nginx:1.13)\n')
    await using clientset = await clientsetFor()
    await eventually(async () =>
      isNotFound(
        await clientset
          .appsV1()
          .deployments(namespace)
          .get('demo-deployment')
          .catch((err: unknown) => err),
      ),
    )
  })
})
