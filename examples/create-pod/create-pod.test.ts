import { expect, it } from 'vitest'
import { describeWithControlPlane, testNamespace } from '../../conformance/control-plane/fixture.js'
import { clientsetFor } from '../../conformance/suite/helpers.js'
import { run } from '../run.test-support.js'

describeWithControlPlane('the Pod demo-pod', () => {
  it('is created once', async () => {
    const namespace = await testNamespace()
    expect((await run('create-pod', namespace)).stdout).toBe(`created pod ${namespace}/demo-pod restartPolicy=Always\n`)
    expect((await run('create-pod', namespace)).stdout).toBe(`pod ${namespace}/demo-pod is there already\n`)

    await using clientset = await clientsetFor()
    const pods = await clientset.coreV1().pods(namespace).list()
    expect(pods.items).toMatchObject([
      { metadata: { name: 'demo-pod', labels: { app: 'demo' } }, spec: { containers: [{ image: 'nginx:1.27' }] } },
    ])
  })
})
