import { expect, it } from 'vitest'
import { describeWithControlPlane, testNamespace } from '../../conformance/control-plane/fixture.js'
import { clientsetFor, deployment } from '../../conformance/suite/helpers.js'
import { run } from '../run.test-support.js'

describeWithControlPlane('deleting by label', () => {
  it('deletes what the selector selects, and nothing else', async () => {
    const namespace = await testNamespace()
    await using clientset = await clientsetFor()
    const deployments = clientset.appsV1().deployments(namespace)
    await deployments.create(deployment('bystander', { labels: { color: 'blue' } }))
    expect(await run('delete-collection', namespace)).toEqual({
      stdout: 'created: demo-1, demo-2, demo-3\nwithout the blue ones: demo-3\nwithout any: none\n',
      stderr: '',
    })
    expect((await deployments.list()).items.map(({ metadata }) => metadata.name)).toEqual(['bystander'])
  })
})
