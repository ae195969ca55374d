import { expect, it } from 'vitest'
import { describeWithControlPlane, testNamespace } from '../../conformance/control-plane/fixture.js'
import { clientsetFor, deployment } from '../../conformance/suite/helpers.js'
import { run } from '../run.test-support.js'

describeWithControlPlane('the Deployments of a namespace', () => {
  it('are listed, or one is shown', async () => {
    const namespace = await testNamespace()
    await using clientset = await clientsetFor()
    const deployments = clientset.appsV1().deployments(namespace)
    await deployments.create(deployment('web', { replicas: 3 }))
    await deployments.create(deployment('api'))

    expect(await run('deployments', namespace)).toEqual({
      stdout: 'deployment=api replicas=1 ready=0\ndeployment=web replicas=3 ready=0\n',
      stderr: '',
    })
    expect((await run('deployments', namespace, 'web')).stdout).toBe('deployment=web replicas=3 ready=0\n')
    await expect(run('deployments', namespace, 'none')).rejects.toMatchObject({
      code: 1,
      stdout: '',
      stderr: `there is no deployment ${namespace}/none\n`,
    })
  })
})
