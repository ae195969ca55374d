// Objects on a real server: what is read is what was written, and whose it is.

import { type Clientset, isNotFound, retryOnConflict } from 'kubewright'
import { ConfigMap } from 'kubewright/api/core/v1'
import {
  addFinalizer,
  base64ToBytes,
  encodeSecretData,
  equalSemantic,
  removeFinalizer,
  secretData,
  setControllerReference,
  setOwnerReference,
  simpleNameGenerator,
} from 'kubewright/meta'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithControlPlane, testNamespace } from '../control-plane/fixture.js'
import { eventually } from './eventually.js'
import { clientsetFor, deployment } from './helpers.js'

describeWithControlPlane('objects', () => {
  let clientset: Clientset
  beforeAll(async () => {
    clientset = await clientsetFor()
  })
  afterAll(() => clientset.close())

  it('a NetworkPolicy lets in whom it says, and nobody else', async () => {
    const policies = clientset.networkingV1().networkPolicies(await testNamespace())
    const spec = {
      podSelector: { matchLabels: { app: 'db' } },
      policyTypes: ['Ingress'],
      ingress: [{ from: [{ podSelector: { matchLabels: { app: 'api' } } }, { namespaceSelector: {} }] }],
    }
    await policies.create({ metadata: { name: 'db' }, spec })
    const read = await policies.get('db')
    expect(read.spec).toEqual(spec)
    expect(equalSemantic(read.spec, { ...spec, egress: [] })).toBe(true)
    expect(equalSemantic(read.spec, { ...spec, ingress: [{ from: [{}, {}] }] })).toBe(false)
  })

  it('written back unchanged, an object is unchanged', async () => {
    const namespace = await testNamespace()
    const deployments = clientset.appsV1().deployments(namespace)
    // Paused, so that its controller leaves it alone.
    const wanted = deployment('web', { replicas: 0 })
    Object.assign(wanted.spec ?? {}, { paused: true })
    await deployments.create(wanted)
    await eventually(async () => (await deployments.get('web')).status.observedGeneration === 1)
    const [read, written] = await retryOnConflict(async () => {
      const live = await deployments.get('web')
      return [live, await deployments.update(live)] as const
    })
    expect(written.metadata.resourceVersion).toBe(read.metadata.resourceVersion)
    expect(written.metadata.creationTimestamp).toBe(read.metadata.creationTimestamp)
    const leases = clientset.coordinationV1().leases(namespace)
    const lease = await leases.create({ metadata: { name: 'a' }, spec: { renewTime: '2026-01-02T03:04:05.000000Z' } })
    expect((await leases.update(lease)).metadata.resourceVersion).toBe(lease.metadata.resourceVersion)
    expect(lease.spec?.renewTime).toBe('2026-01-02T03:04:05.000000Z')
  })

  it('amounts are equal by what they say, whatever the server makes of them', async () => {
    const quotas = clientset.coreV1().resourceQuotas(await testNamespace())
    const hard = { 'requests.cpu': '1500m', 'requests.memory': '1024Mi', 'limits.cpu': '2.0', pods: '1e3' }
    const created = await quotas.create({ metadata: { name: 'a' }, spec: { hard } })
    expect(created.spec?.hard).not.toEqual(hard)
    expect(equalSemantic(created.spec, { hard })).toBe(true)
    expect(equalSemantic(created.spec, { hard: { ...hard, pods: '1001' } })).toBe(false)
  })

  it('an object goes with its controller, and stays while one of its owners does', async () => {
    const namespace = await testNamespace()
    const configMaps = clientset.coreV1().configMaps(namespace)
    const [first, second] = await Promise.all(
      ['first', 'second'].map((name) => configMaps.create({ metadata: { name } })),
    )
    if (first === undefined || second === undefined) throw new Error('not created')
    const controlled = { metadata: { name: 'controlled', namespace } }
    setControllerReference(first, controlled, ConfigMap)
    const shared = { metadata: { name: 'shared', namespace } }
    setOwnerReference(first, shared, ConfigMap)
    setOwnerReference(second, shared, ConfigMap)
    await configMaps.create(controlled)
    await configMaps.create(shared)
    await configMaps.delete('first', { propagationPolicy: 'Background' })
    const gone = (name: string): Promise<boolean> => configMaps.get(name).then(() => false, isNotFound)
    await eventually(() => gone('controlled'))
    await eventually(async () => (await configMaps.get('shared')).metadata.ownerReferences?.length === 1)
    await configMaps.delete('second', { propagationPolicy: 'Background' })
    await eventually(() => gone('shared'))
  })

  it('a finalizer keeps an object until it is removed', async () => {
    const configMaps = clientset.coreV1().configMaps(await testNamespace())
    const object = { metadata: { name: 'kept' } }
    addFinalizer(object, 'kubewright.example/test')
    await configMaps.create(object)
    await configMaps.delete('kept')
    const kept = await configMaps.get('kept')
    expect(kept.metadata.deletionTimestamp).toBeDefined()
    removeFinalizer(kept, 'kubewright.example/test')
    await configMaps.update(kept)
    await expect(configMaps.get('kept')).rejects.toSatisfy(isNotFound)
  })

  it('a Secret keeps every byte', async () => {
    const secrets = clientset.coreV1().secrets(await testNamespace())
    const every = Uint8Array.from({ length: 256 }, (_, i) => i)
    const name = simpleNameGenerator.generateName('secret-')
    await secrets.create({ metadata: { name }, data: encodeSecretData({ every }), stringData: { text: 'pässword' } })
    const data = secretData(await secrets.get(name))
    expect(data.every).toEqual(every)
    expect(new TextDecoder().decode(data.text)).toBe('pässword')
    const configMaps = clientset.coreV1().configMaps(await testNamespace())
    const { binaryData } = await configMaps.create({ metadata: { name }, binaryData: encodeSecretData({ every }) })
    expect(base64ToBytes(binaryData?.every ?? '')).toEqual(every)
  })
})
