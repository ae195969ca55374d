import { expect, it } from 'vitest'
import { describeWithControlPlane, testNamespace } from '../../conformance/control-plane/fixture.js'
import { eventually } from '../../conformance/suite/eventually.js'
import { clientsetFor } from '../../conformance/suite/helpers.js'
import { run } from '../run.test-support.js'

describeWithControlPlane('deleting a Deployment', () => {
  it('leaves its ReplicaSet, or has it go after or before', { timeout: 120_000 }, async () => {
    const namespace = await testNamespace()
    expect(await run('delete-propagation', namespace)).toEqual({
      stdout:
        'Orphan: waits for orphan\n' +
        'Orphan: the ReplicaSet stays, with 0 owners\n' +
        'Background: gone at once\n' +
        'Background: the ReplicaSet went after it\n' +
        'Foreground: waits for foregroundDeletion\n' +
        'Foreground: the ReplicaSet went before it\n',
      stderr: '',
    })
    await using clientset = await clientsetFor()
    expect((await clientset.appsV1().deployments(namespace).list()).items).toEqual([])
    expect((await clientset.appsV1().replicaSets(namespace).list()).items).toEqual([])
    await eventually(async () => (await clientset.coreV1().pods(namespace).list()).items.length === 0)
  })
})
