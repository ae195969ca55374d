// What the program prints, and what a watch beside it sees of its Deployment.

import type { WatchEvent } from 'kubewright'
import type { Deployment } from 'kubewright/api/apps/v1'
import { expect, it } from 'vitest'
import { describeWithControlPlane, testNamespace } from '../../conformance/control-plane/fixture.js'
import { clientsetFor } from '../../conformance/suite/helpers.js'
import { run } from '../run.test-support.js'

const stateOf = ({ type, object }: WatchEvent<Deployment>): string => {
  if (type === 'BOOKMARK' || type === 'ERROR') return type
  const { metadata, spec } = object
  const images = spec.template.spec.containers.map(({ image }) => image)
  const deleted = metadata.deletionTimestamp ? ` until ${metadata.finalizers?.join()}` : ''
  return `${type} ${spec.replicas} ${images.join()}${deleted}`
}

describeWithControlPlane('the life of a Deployment', () => {
  it('is printed by the program and seen by others', async () => {
    const namespace = await testNamespace()
    await using clientset = await clientsetFor()
    const deployments = clientset.appsV1().deployments(namespace)
    const { metadata } = await deployments.list()
    const seen: string[] = []
    const watched = (async () => {
      for await (const event of await deployments.watch({ resourceVersion: metadata.resourceVersion })) {
        const state = stateOf(event)
        const before = seen.at(-1)?.replace('ADDED', 'MODIFIED')
        if (state !== before) seen.push(state) // its status changes meanwhile
        if (event.type === 'DELETED') break
      }
    })()

    expect(await run('deployment-crud', namespace)).toEqual({
      stdout:
        'created deployment demo-deployment\n' +
        'updated deployment demo-deployment\n' +
        '  demo-deployment: 1 replicas of nginx:1.13\n' +
        'deleted deployment demo-deployment\n',
      stderr: '',
    })
    await watched
    expect(seen).toEqual([
      'ADDED 2 nginx:1.12',
      'MODIFIED 1 nginx:1.13',
      'MODIFIED 1 nginx:1.13 until foregroundDeletion',
      'DELETED 1 nginx:1.13 until foregroundDeletion',
    ])
  })
})
