// What was read goes back as it came: nothing renamed, nothing converted, nothing dropped.

import { describe, expect, it } from 'vitest'
import { applyPatch, jsonPatch, mergePatch, strategicMergePatch } from '../meta/index.js'
import { noLogger, responseHeaders, type TransportRequest } from '../rest/index.js'
import { Clientset } from './index.js'

/** A server that answers everything with this text. */
function answering(content: string): { clientset: Clientset; requests: TransportRequest[] } {
  const requests: TransportRequest[] = []
  async function* body(): AsyncGenerator<Uint8Array> {
    yield new TextEncoder().encode(content)
  }
  const transport = {
    close: async () => {},
    roundTrip: async (request: TransportRequest) => {
      requests.push(request)
      return {
        status: 200,
        headers: responseHeaders({ 'content-type': 'application/json' }),
        body: body(),
        close: () => {},
      }
    },
  }
  return { clientset: new Clientset({ host: 'http://localhost', qps: -1, logger: noLogger, transport }), requests }
}

const networkPolicy = {
  kind: 'NetworkPolicy',
  apiVersion: 'networking.k8s.io/v1',
  metadata: {
    name: 'web',
    namespace: 'shop',
    uid: '1',
    resourceVersion: '7',
    creationTimestamp: '2026-01-02T03:04:05Z',
    labels: { '': 'x', __proto__x: 'y' },
    brandNew: { of: ['the', null, 'server'] },
    managedFields: [{ manager: 'kubectl', time: '2026-01-02T03:04:05Z', fieldsV1: { 'f:spec': { '.': {} } } }],
  },
  spec: {
    podSelector: {},
    policyTypes: ['Ingress'],
    ingress: [
      {
        from: [
          { namespaceSelector: {}, podSelector: { matchLabels: { app: 'front' } } },
          { ipBlock: { cidr: '10.0.0.0/8', except: [] } },
        ],
        ports: [{ port: 80, protocol: 'TCP' }, { port: 'http' }],
        brandNew: 1.5,
      },
    ],
    _from: 'a field of that name',
    continue: '',
    default: null,
    enum: false,
  },
  status: {},
  brandNew: 0,
}

describe('an object that is read and written back', () => {
  it('is sent as it came, unknown fields, times and empty values included', async () => {
    const content = JSON.stringify(networkPolicy)
    const { clientset, requests } = answering(content)
    const policies = clientset.networkingV1().networkPolicies('shop')
    const read = await policies.get('web')
    expect(read).toEqual(networkPolicy)
    await policies.update(read)
    expect(JSON.parse(requests[1]?.body as string)).toEqual(networkPolicy)
    expect(read.metadata.creationTimestamp).toBe('2026-01-02T03:04:05Z')
  })

  it.each(['1.0', '1.5Gi', '129e6', '-1Ki', '12E'])('keeps the quantity %s as it is written', async (cpu) => {
    const pod = {
      kind: 'Pod',
      apiVersion: 'v1',
      metadata: { name: 'web' },
      spec: { containers: [{ name: 'a', resources: { limits: { cpu } } }] },
    }
    const { clientset, requests } = answering(JSON.stringify(pod))
    await clientset
      .coreV1()
      .pods('shop')
      .update(await clientset.coreV1().pods('shop').get('web'))
    expect(JSON.parse(requests[1]?.body as string)).toEqual(pod)
  })

  it('keeps a lease’s microseconds', async () => {
    const lease = {
      kind: 'Lease',
      apiVersion: 'coordination.k8s.io/v1',
      metadata: { name: 'a' },
      spec: { acquireTime: '2026-01-02T03:04:05.000006Z', renewTime: '2026-01-02T03:04:05.000000Z' },
    }
    const { clientset, requests } = answering(JSON.stringify(lease))
    const leases = clientset.coordinationV1().leases('shop')
    await leases.update(await leases.get('a'))
    expect(JSON.parse(requests[1]?.body as string)).toEqual(lease)
  })
})

describe('a patch', () => {
  const object = { metadata: { labels: { a: '1' } } }
  it.each([
    ['application/merge-patch+json', mergePatch(object), object],
    ['application/strategic-merge-patch+json', strategicMergePatch(object), object],
    ['application/apply-patch+yaml', applyPatch(object), object],
    [
      'application/json-patch+json',
      jsonPatch([{ op: 'remove', path: '/metadata/labels' }]),
      [{ op: 'remove', path: '/metadata/labels' }],
    ],
  ])('made as %s says so', async (contentType, patch, body) => {
    const { clientset, requests } = answering('{}')
    await clientset.coreV1().configMaps('shop').patch('a', patch)
    expect(requests[0]?.headers?.['content-type']).toBe(contentType)
    expect(JSON.parse(requests[0]?.body as string)).toEqual(body)
  })

  it('carries a bigint as its digits', async () => {
    const { clientset, requests } = answering('{}')
    await clientset
      .coreV1()
      .configMaps('shop')
      .patch('a', mergePatch({ spec: { size: 2n ** 53n + 1n } }))
    await clientset
      .coreV1()
      .configMaps('shop')
      .patch('a', jsonPatch([{ op: 'test', path: '/n', value: -(2n ** 53n) - 1n }]))
    expect(requests.map(({ body }) => body)).toEqual([
      '{"spec":{"size":9007199254740993}}',
      '[{"op":"test","path":"/n","value":-9007199254740993}]',
    ])
  })
})
