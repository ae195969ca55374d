import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { controlPlane, describeWithControlPlane, testNamespace } from '../../conformance/control-plane/fixture.js'
import { clientsetFor } from '../../conformance/suite/helpers.js'

const program = fileURLToPath(new URL('dist/main.js', import.meta.url))

describeWithControlPlane('listing Pods', () => {
  it('prints a line for each, with phase and node', async () => {
    const namespace = await testNamespace()
    await using clientset = await clientsetFor()
    const pods = clientset.coreV1().pods(namespace)
    const containers = [{ name: 'main', image: 'nginx:1.27' }]
    await pods.create({ metadata: { name: 'waiting' }, spec: { containers } })
    await pods.create({ metadata: { name: 'placed' }, spec: { containers, nodeName: 'node-1' } })
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [
      program,
      ...['--kubeconfig', controlPlane().kubeconfigPath, '--namespace', namespace],
    ])
    expect(stderr).toBe('')
    expect(stdout).toBe('pod=placed phase=Pending node=node-1\npod=waiting phase=Pending node=\n')
  })
})
