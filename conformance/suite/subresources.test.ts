// Subresources that are plain requests: eviction, binding, tokens, approval, ephemeral containers, resize, finalize.

import { type Clientset, isNotFound, retryOnConflict } from 'kubewright'
import type { PodInput } from 'kubewright/api/core/v1'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithControlPlane, testNamespace } from '../control-plane/fixture.js'
import { eventually } from './eventually.js'
import { clientsetFor } from './helpers.js'

const pod = (name: string): PodInput => ({
  metadata: { name, labels: { app: name } },
  spec: { containers: [{ name: 'main', image: 'nginx:1.27', resources: { requests: { cpu: '100m' } } }] },
})

describeWithControlPlane('subresources', () => {
  let clientset: Clientset
  beforeAll(async () => {
    clientset = await clientsetFor()
  })
  afterAll(() => clientset.close())

  it('evict: deletes the Pod through its eviction', async () => {
    const pods = clientset.coreV1().pods(await testNamespace())
    await pods.create(pod('victim'))
    await pods.evict({ metadata: { name: 'victim' }, deleteOptions: { gracePeriodSeconds: 0 } })
    await expect(pods.get('victim')).rejects.toSatisfy(isNotFound)
  })

  it('bind: assigns the Pod to a node', async () => {
    const pods = clientset.coreV1().pods(await testNamespace())
    await pods.create(pod('bound'))
    await pods.bind({ metadata: { name: 'bound' }, target: { kind: 'Node', name: 'some-node' } })
    expect((await pods.get('bound')).spec.nodeName).toBe('some-node')
  })

  it('updateEphemeralContainers: adds a debugging container', async () => {
    const pods = clientset.coreV1().pods(await testNamespace())
    const live = await pods.create(pod('debugged'))
    live.spec.ephemeralContainers = [{ name: 'debug', image: 'busybox', resources: {}, targetContainerName: 'main' }]
    const updated = await pods.updateEphemeralContainers('debugged', live)
    expect(updated.spec.ephemeralContainers?.map((c) => c.name)).toEqual(['debug'])
  })

  it('updateResize: changes the resources of a container', async () => {
    const pods = clientset.coreV1().pods(await testNamespace())
    const live = await pods.create(pod('resized'))
    const [main] = live.spec.containers
    if (main) main.resources = { requests: { cpu: '200m' } }
    const updated = await pods.updateResize('resized', live)
    expect(updated.spec.containers[0]?.resources.requests?.cpu).toBe('200m')
  })

  it('createToken: a token for a ServiceAccount', async () => {
    const accounts = clientset.coreV1().serviceAccounts(await testNamespace())
    await accounts.create({ metadata: { name: 'robot' } })
    const request = await accounts.createToken('robot', { spec: { expirationSeconds: 600 } })
    expect(request.status.token?.split('.')).toHaveLength(3)
  })

  it('updateApproval: approves a certificate request', async () => {
    const requests = clientset.certificatesV1().certificateSigningRequests()
    const created = await requests.create({
      metadata: { generateName: 'example-' },
      spec: { request: Buffer.from(csr).toString('base64'), signerName: 'example.com/signer', usages: ['client auth'] },
    })
    created.status.conditions = [{ type: 'Approved', status: 'True', reason: 'Test', message: 'approved by a test' }]
    const approved = await requests.updateApproval(created.metadata.name, created)
    expect(approved.status.conditions?.[0]).toMatchObject({ type: 'Approved', status: 'True' })
    await requests.delete(created.metadata.name)
  })

  it('finalize: lets a namespace go', async () => {
    const namespaces = clientset.coreV1().namespaces()
    const created = await namespaces.create({
      metadata: { generateName: 'finalize-' },
      spec: { finalizers: ['kubernetes', 'example.com/hold'] },
    })
    const { name } = created.metadata
    await namespaces.delete(name)
    await eventually(async () => (await namespaces.get(name)).spec.finalizers?.length === 1)
    await retryOnConflict(async () => {
      const held = await namespaces.get(name)
      held.spec.finalizers = []
      await namespaces.finalize(held)
    })
    await eventually(() => namespaces.get(name).then(() => false, isNotFound))
  })

  it('logs and proxies of a Pod without a node fail with the server’s words', async () => {
    const pods = clientset.coreV1().pods(await testNamespace())
    await pods.create(pod('quiet'))
    await expect(pods.getLogs('missing')).rejects.toSatisfy(isNotFound)
    // A Pod without a node has no log yet: the server answers with nothing, or says why there is none.
    expect(await pods.getLogs('quiet').catch((err: unknown) => String(err))).toMatch(
      /^$|not.*assigned|host must be specified/,
    )
    await expect(pods.proxyGet('quiet', { path: 'healthz' })).rejects.toThrow(/.+/)
  })
})

// Any well-formed request will do: nothing signs it.
const csr = `-----BEGIN CERTIFICATE REQUEST-----
MIHfMIGGAgEAMCQxEDAOBgNVBAMMB2V4YW1wbGUxEDAOBgNVBAoMB3Rlc3RlcnMw
WTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAAR1I6dm+fEeQJQ8D0PfomXi+ajN2AZ6
tK6OCKcqMEf56OFZZ/HifG3RImIJzSmLC9N4OMNBED+6X2PxPgR96dwmoAAwCgYI
KoZIzj0EAwIDSAAwRQIgAX/Pz6/TS89A2bzUAFt2YXh/xNgKSJC7ZFe+RhF/9CgC
IQDUiDCC4/tHNz/3YGDyCpkvqK4GLGh5gUqaS8t3wz//+Q==
-----END CERTIFICATE REQUEST-----
`
