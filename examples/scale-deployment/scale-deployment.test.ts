import { expect, it } from 'vitest'
import { describeWithControlPlane, testNamespace } from '../../conformance/control-plane/fixture.js'
import { clientsetFor, deployment } from '../../conformance/suite/helpers.js'
import { run } from '../run.test-support.js'

describeWithControlPlane('scaling a Deployment by get and update', () => {
  it('sets 3 replicas, or as many as it is told', async () => {
    const namespace = await testNamespace()
    await using clientset = await clientsetFor()
    const deployments = clientset.appsV1().deployments(namespace)
    await deployments.create(deployment('demo-deployment'))
    const replicas = async (): Promise<number | undefined> => (await deployments.get('demo-deployment')).spec.replicas

    expect((await run('scale-deployment', namespace)).stdout).toBe('deployment demo-deployment scaled from 1 to 3\n')
    expect(await replicas()).toBe(3)
    const { stdout } = await run('scale-deployment', namespace, '--replicas', '0', 'demo-deployment')
    expect(stdout).toBe('deployment demo-deployment scaled from 3 to 0\n')
    expect(await replicas()).toBe(0)
  })
})
