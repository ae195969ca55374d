// What the program prints, and who owned the replicas, by a watch beside it.

import { ownersOf } from 'kubewright/managedfields'
import { expect, it } from 'vitest'
import { describeWithControlPlane, testNamespace } from '../../conformance/control-plane/fixture.js'
import { clientsetFor } from '../../conformance/suite/helpers.js'
import { run } from '../run.test-support.js'

describeWithControlPlane('server-side apply by two managers', () => {
  it('shows the conflict, takes the field by force, and gives it up by leaving it out', async () => {
    const namespace = await testNamespace()
    await using clientset = await clientsetFor()
    const deployments = clientset.appsV1().deployments(namespace)
    const { metadata } = await deployments.list()
    const seen: string[] = []
    const watched = (async () => {
      for await (const { type, object } of await deployments.watch({ resourceVersion: metadata.resourceVersion })) {
        if (type === 'BOOKMARK' || type === 'ERROR') continue
        const owners = ownersOf(object, '.spec.replicas').map(({ manager }) => manager)
        const state = `${object.spec.replicas} of ${owners.join()}`
        if (state !== seen.at(-1)) seen.push(state)
        if (type === 'DELETED') break
      }
    })()
    expect(await run('server-side-apply', namespace)).toEqual({
      stdout:
        'operator: replicas=2 of operator\n' +
        'scaler: conflict, .spec.replicas is owned by operator\n' +
        'scaler, by force: replicas=5 of scaler\n' +
        'operator, without replicas: replicas=5 of scaler\n',
      stderr: '',
    })
    await watched
    expect(seen).toEqual(['2 of operator', '5 of scaler'])
  })
})
