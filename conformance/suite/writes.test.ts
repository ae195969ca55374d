// What happens to writes that meet others, and to what depends on a deleted object.

import { type Clientset, isConflict, isNotFound, retryOnConflict } from 'kubewright'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithControlPlane, testNamespace } from '../control-plane/fixture.js'
import { eventually } from './eventually.js'
import { clientsetFor, deployment } from './helpers.js'

describeWithControlPlane('conflicts and deletion', () => {
  let clientset: Clientset
  beforeAll(async () => {
    clientset = await clientsetFor()
  })
  afterAll(() => clientset.close())

  it('retryOnConflict: two writers of one object both get their change in', async () => {
    const configMaps = clientset.coreV1().configMaps(await testNamespace())
    await configMaps.create({ metadata: { name: 'counter' }, data: { n: '0' } })
    let conflicts = 0
    const increment = () =>
      retryOnConflict(async () => {
        const live = await configMaps.get('counter')
        live.data = { n: String(Number(live.data?.n) + 1) }
        try {
          await configMaps.update(live)
        } catch (err) {
          if (isConflict(err)) conflicts++
          throw err
        }
      })
    await Promise.all([increment(), increment()])
    expect((await configMaps.get('counter')).data?.n).toBe('2')
    expect(conflicts).toBeGreaterThanOrEqual(1)
  })

  it('retryOnConflict: the last conflict is thrown when every attempt meets one', async () => {
    const configMaps = clientset.coreV1().configMaps(await testNamespace())
    const stale = await configMaps.create({ metadata: { name: 'stale' } })
    await configMaps.update({ ...stale, data: { a: '1' } })
    let attempts = 0
    const writing = retryOnConflict(async () => {
      attempts++
      await configMaps.update({ ...stale, data: { a: '2' } })
    })
    await expect(writing).rejects.toSatisfy(isConflict)
    expect(attempts).toBe(5)
  })

  it.each(['create', 'update', 'apply'] as const)(
    '%s: text is stored as it was given, whatever is in it',
    async (verb) => {
      const configMaps = clientset.coreV1().configMaps(await testNamespace())
      const given = 'a \u2028 \u2029 b\u0085\x7f\u0080\ufeff\uffff😀\t\r\n\\u0085 "\\ud83d'
      const half = 'x\ud83dy'
      const object = { metadata: { name: 'text' }, data: { given, half } }
      if (verb === 'update') await configMaps.create({ metadata: object.metadata })
      if (verb === 'apply') await configMaps.apply(object, { fieldManager: 'me' })
      else await configMaps[verb](object)
      expect((await configMaps.get('text')).data).toEqual({ given, half: 'x\ufffdy' })
    },
  )

  const replicaSetsOf = async (namespace: string, uid: string) =>
    (await clientset.appsV1().replicaSets(namespace).list()).items.filter((rs) =>
      rs.metadata.ownerReferences?.some((owner) => owner.uid === uid),
    )

  const deployed = async (namespace: string) => {
    const created = await clientset.appsV1().deployments(namespace).create(deployment('web'))
    await eventually(async () => (await replicaSetsOf(namespace, created.metadata.uid)).length === 1)
    return created
  }

  it('Orphan: the ReplicaSet stays and loses its owner', async () => {
    const namespace = await testNamespace()
    const { metadata } = await deployed(namespace)
    await clientset.appsV1().deployments(namespace).delete('web', { propagationPolicy: 'Orphan' })
    await eventually(async () => (await clientset.appsV1().deployments(namespace).list()).items.length === 0)
    expect(await replicaSetsOf(namespace, metadata.uid)).toHaveLength(0)
    expect((await clientset.appsV1().replicaSets(namespace).list()).items).toHaveLength(1)
  })

  it('Background: the Deployment is gone at once, its ReplicaSet soon after', async () => {
    const namespace = await testNamespace()
    await deployed(namespace)
    await clientset.appsV1().deployments(namespace).delete('web', { propagationPolicy: 'Background' })
    await expect(clientset.appsV1().deployments(namespace).get('web')).rejects.toSatisfy(isNotFound)
    await eventually(async () => (await clientset.appsV1().replicaSets(namespace).list()).items.length === 0)
  })

  it('Foreground: the Deployment waits, marked, until its ReplicaSet is gone', async () => {
    const namespace = await testNamespace()
    await deployed(namespace)
    const answer = await clientset.appsV1().deployments(namespace).delete('web', { propagationPolicy: 'Foreground' })
    expect(answer.kind).toBe('Deployment')
    expect(answer.metadata).toMatchObject({ finalizers: ['foregroundDeletion'], deletionTimestamp: expect.any(String) })
    await eventually(async () => (await clientset.appsV1().deployments(namespace).list()).items.length === 0)
    expect((await clientset.appsV1().replicaSets(namespace).list()).items).toHaveLength(0)
  })
})
