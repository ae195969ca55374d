// What each method of a typed client sends, and what it makes of the answer.

import { describe, expect, it } from 'vitest'
import { jsonPatch, mergePatch } from '../meta/index.js'
import { Clientset } from './index.js'
import { recordingConfig } from './recording.test-support.js'

function recording(answer?: unknown) {
  const { config, requests } = recordingConfig(answer)
  return { clientset: new Clientset(config), requests }
}

const object = { metadata: { name: 'web' } }
const spec = { selector: {}, template: {} }
const deleteOptions = { apiVersion: 'v1', kind: 'DeleteOptions' }
const base = '/apis/apps/v1/namespaces/shop/deployments'

describe('typed clients', () => {
  type Case = [
    name: string,
    call: (c: Clientset) => Promise<unknown>,
    line: string,
    body?: unknown,
    contentType?: string,
  ]
  const json = 'application/json'
  const apply = 'application/apply-patch+yaml'
  const deployment = { apiVersion: 'apps/v1', kind: 'Deployment', ...object }
  const scale = { apiVersion: 'autoscaling/v1', kind: 'Scale' }
  const cases: Case[] = [
    [
      'create',
      (c) =>
        c
          .appsV1()
          .deployments('shop')
          .create({ ...object, spec }, { fieldManager: 'me', dryRun: ['All'] }),
      `POST ${base}?dryRun=All&fieldManager=me`,
      { ...deployment, spec },
      json,
    ],
    [
      'update',
      (c) =>
        c
          .appsV1()
          .deployments('shop')
          .update({ ...object, spec }),
      `PUT ${base}/web`,
      { ...deployment, spec },
      json,
    ],
    [
      'updateStatus',
      (c) =>
        c
          .appsV1()
          .deployments('shop')
          .updateStatus({ ...object, spec }),
      `PUT ${base}/web/status`,
      { ...deployment, spec },
      json,
    ],
    ['delete', (c) => c.appsV1().deployments('shop').delete('web'), `DELETE ${base}/web`, deleteOptions, json],
    [
      'delete with options',
      (c) => c.appsV1().deployments('shop').delete('web', { propagationPolicy: 'Foreground', gracePeriodSeconds: 0 }),
      `DELETE ${base}/web`,
      { ...deleteOptions, propagationPolicy: 'Foreground', gracePeriodSeconds: 0 },
      json,
    ],
    [
      'deleteCollection',
      (c) => c.appsV1().deployments('shop').deleteCollection({ propagationPolicy: 'Orphan' }, { labelSelector: 'a=b' }),
      `DELETE ${base}?labelSelector=a=b`,
      { ...deleteOptions, propagationPolicy: 'Orphan' },
      json,
    ],
    [
      'get',
      (c) => c.appsV1().deployments('shop').get('web', { resourceVersion: '7' }),
      `GET ${base}/web?resourceVersion=7`,
    ],
    [
      'list of all namespaces',
      (c) => c.appsV1().deployments().list({ labelSelector: 'a in (b,c)', limit: 5 }),
      'GET /apis/apps/v1/deployments?labelSelector=a+in+(b,c)&limit=5',
    ],
    [
      'list with timeoutSeconds, which is also the deadline of the call',
      (c) => c.appsV1().deployments('shop').list({ timeoutSeconds: 21 }),
      `GET ${base}?timeout=21s&timeoutSeconds=21`,
    ],
    [
      'watch',
      async (c) =>
        (await c.appsV1().deployments('shop').watch({ resourceVersion: '9', allowWatchBookmarks: true })).stop(),
      `GET ${base}?allowWatchBookmarks=true&resourceVersion=9&watch=true`,
    ],
    [
      'patch with a merge patch',
      (c) =>
        c
          .appsV1()
          .deployments('shop')
          .patch('web', mergePatch({ spec: { replicas: 2 } })),
      `PATCH ${base}/web`,
      { spec: { replicas: 2 } },
      'application/merge-patch+json',
    ],
    [
      'patch of a subresource with a JSON patch',
      (c) =>
        c
          .appsV1()
          .deployments('shop')
          .patch('web', jsonPatch([{ op: 'remove', path: '/a' }]), { subresource: 'status', force: false }),
      `PATCH ${base}/web/status?force=false`,
      [{ op: 'remove', path: '/a' }],
      'application/json-patch+json',
    ],
    [
      'apply',
      (c) =>
        c
          .appsV1()
          .deployments('shop')
          .apply({ ...object, spec: { replicas: 3 } }, { fieldManager: 'me', force: true }),
      `PATCH ${base}/web?fieldManager=me&force=true`,
      { ...deployment, spec: { replicas: 3 } },
      apply,
    ],
    [
      'applyStatus',
      (c) =>
        c
          .appsV1()
          .deployments('shop')
          .applyStatus({ ...object, status: { replicas: 1 } }, { fieldManager: 'me' }),
      `PATCH ${base}/web/status?fieldManager=me`,
      { ...deployment, status: { replicas: 1 } },
      apply,
    ],
    ['getScale', (c) => c.appsV1().deployments('shop').getScale('web'), `GET ${base}/web/scale`],
    [
      'updateScale',
      (c) =>
        c
          .appsV1()
          .deployments('shop')
          .updateScale('web', { ...object, spec: { replicas: 4 } }),
      `PUT ${base}/web/scale`,
      { ...scale, ...object, spec: { replicas: 4 } },
      json,
    ],
    [
      'applyScale',
      (c) =>
        c
          .appsV1()
          .deployments('shop')
          .applyScale('web', { spec: { replicas: 4 } }, { fieldManager: 'me' }),
      `PATCH ${base}/web/scale?fieldManager=me`,
      { ...scale, metadata: { name: 'web' }, spec: { replicas: 4 } },
      apply,
    ],
    ['a cluster-scoped kind of the core group', (c) => c.coreV1().nodes().get('n1'), 'GET /api/v1/nodes/n1'],
    [
      'names keep their colons and capitals',
      (c) => c.rbacV1().clusterRoles().get('MyTeam:View'),
      'GET /apis/rbac.authorization.k8s.io/v1/clusterroles/MyTeam:View',
    ],
    [
      'evict',
      (c) =>
        c
          .coreV1()
          .pods('shop')
          .evict({ metadata: { name: 'p' } }),
      'POST /api/v1/namespaces/shop/pods/p/eviction',
      { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p' } },
      json,
    ],
    [
      'evict through policy goes to the core group',
      (c) =>
        c
          .policyV1()
          .evictions('shop')
          .evict({ metadata: { name: 'p', namespace: 'shop' } }),
      'POST /api/v1/namespaces/shop/pods/p/eviction',
      { apiVersion: 'policy/v1', kind: 'Eviction', metadata: { name: 'p', namespace: 'shop' } },
      json,
    ],
    [
      'bind',
      (c) =>
        c
          .coreV1()
          .pods('shop')
          .bind({ metadata: { name: 'p' }, target: { kind: 'Node', name: 'n' } }),
      'POST /api/v1/namespaces/shop/pods/p/binding',
      { apiVersion: 'v1', kind: 'Binding', metadata: { name: 'p' }, target: { kind: 'Node', name: 'n' } },
      json,
    ],
    [
      'createToken',
      (c) =>
        c
          .coreV1()
          .serviceAccounts('shop')
          .createToken('robot', { spec: { audiences: [] } }),
      'POST /api/v1/namespaces/shop/serviceaccounts/robot/token',
      { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest', spec: { audiences: [] } },
      json,
    ],
    [
      'patchStatus of a node',
      (c) => c.coreV1().nodes().patchStatus('n1', { status: {} }),
      'PATCH /api/v1/nodes/n1/status',
      { status: {} },
      'application/strategic-merge-patch+json',
    ],
    [
      'search of events',
      (c) =>
        c
          .coreV1()
          .events('shop')
          .search({ kind: 'Pod', metadata: { name: 'p', namespace: 'shop', uid: 'u,1' } }),
      'GET /api/v1/namespaces/shop/events?fieldSelector=involvedObject.name=p,involvedObject.namespace=shop,involvedObject.kind=Pod,involvedObject.uid=u\\,1',
    ],
    [
      'an event goes to the namespace that it names',
      (c) =>
        c
          .coreV1()
          .events()
          .createWithEventNamespace({ metadata: { name: 'e', namespace: 'shop' }, involvedObject: {} }),
      'POST /api/v1/namespaces/shop/events',
      { apiVersion: 'v1', kind: 'Event', metadata: { name: 'e', namespace: 'shop' }, involvedObject: {} },
      json,
    ],
  ]

  it.each(cases)('%s', async (_name, call, line, body, contentType) => {
    const { clientset, requests } = recording()
    await call(clientset)
    expect(requests).toEqual([{ line, body, contentType }])
  })

  it.each([
    [{ name: 'p' }, 'p'],
    [{ name: 'p', port: 8080 }, 'p:8080'],
    [{ name: 'p', scheme: 'https', port: 'web' }, 'https:p:web'],
    [{ name: 'p', scheme: 'https' }, 'https:p:'],
  ])('proxyGet to %j', async ({ name, ...target }, segment) => {
    const { clientset, requests } = recording('pong')
    const body = await clientset
      .coreV1()
      .pods('shop')
      .proxyGet(name, { ...target, path: 'a/b', params: { x: '1' } })
    expect(new TextDecoder().decode(body)).toBe('pong')
    expect(requests[0]?.line).toBe(`GET /api/v1/namespaces/shop/pods/${segment}/proxy/a/b?x=1`)
  })

  it('deleteCollection ends with the signal of either of its options', async () => {
    const { clientset, requests } = recording()
    const configMaps = clientset.coreV1().configMaps('shop')
    const signal = AbortSignal.abort(new Error('enough'))
    await expect(configMaps.deleteCollection({ signal }, { labelSelector: 'a=b' })).rejects.toThrow('enough')
    await expect(configMaps.deleteCollection({}, { labelSelector: 'a=b', signal })).rejects.toThrow('enough')
    expect(requests).toEqual([])
  })

  it('list fills in apiVersion and kind of its items', async () => {
    const { clientset } = recording({ kind: 'PodList', apiVersion: 'v1', metadata: {}, items: [object] })
    const list = await clientset.coreV1().pods('shop').list()
    expect(list.items[0]).toMatchObject({ apiVersion: 'v1', kind: 'Pod', metadata: { name: 'web' } })
  })

  it('a list without items is an empty list', async () => {
    const { clientset } = recording({ kind: 'PodList', apiVersion: 'v1', metadata: {}, items: null })
    expect((await clientset.coreV1().pods('shop').list()).items).toEqual([])
  })

  it.each([
    null,
    [],
    {},
    { error: 'log in first' },
    object,
    { kind: 'Pod', apiVersion: 'v1', ...object },
    { kind: 'PodList', apiVersion: 'v1', items: {} },
    { kind: 'PodList', apiVersion: 'v1', items: [null] },
    { kind: 'PodList', apiVersion: 'v1', items: ['web'] },
  ])('does not take %j for a list', async (answer) => {
    const { clientset } = recording(answer)
    await expect(clientset.coreV1().pods('shop').list()).rejects.toThrow(
      /^list pods: the answer, of .*, is not a list of objects; is the host an API server\?$/,
    )
  })

  it.each([null, [], 5])('does not take %j for an object', async (answer) => {
    const { clientset } = recording(answer)
    const message = 'http://server/api/v1/namespaces/shop/pods/web: the answer is JSON, but not an object'
    await expect(clientset.coreV1().pods('shop').get('web')).rejects.toThrow(message)
  })

  it('logs: whole, and as lines, characters split between chunks kept whole', async () => {
    const text = 'erste Zeile\nzweite: größer\r\nдва\nlast'
    const { clientset, requests } = recording(text)
    const pods = clientset.coreV1().pods('shop')
    expect(await pods.getLogs('web', { container: 'c', tailLines: 9 })).toBe(text)
    const lines: string[] = []
    for await (const line of pods.streamLogs('web', { follow: true })) lines.push(line)
    expect(lines).toEqual(['erste Zeile', 'zweite: größer', 'два', 'last'])
    expect(requests.map((r) => r.line)).toEqual([
      'GET /api/v1/namespaces/shop/pods/web/log?container=c&tailLines=9',
      'GET /api/v1/namespaces/shop/pods/web/log?follow=true',
    ])
  })

  it.each<[string, (c: Clientset) => Promise<unknown>, RegExp]>([
    ['no namespace', (c) => c.appsV1().deployments().get('web'), /which namespace\?/],
    ['an empty name', (c) => c.coreV1().pods('a').get(''), /^GET pods: resource name may not be empty$/],
    [
      'a name that is no string',
      (c) =>
        c
          .coreV1()
          .pods('a')
          .get(5 as never),
      /^GET pods: the resource name must be a string, not a number$/,
    ],
    [
      'a namespace that is no string',
      (c) =>
        c
          .coreV1()
          .pods({} as never)
          .list(),
      /^GET pods: the namespace must be a string, not an object$/,
    ],
    ['no name in update', (c) => c.appsV1().deployments('shop').update({ spec }), /metadata\.name/],
    [
      'no name in apply',
      (c) =>
        c
          .appsV1()
          .deployments('shop')
          .apply({} as never, { fieldManager: 'm' }),
      /metadata\.name/,
    ],
    [
      'an object that was read in apply',
      (c) =>
        c
          .appsV1()
          .deployments('shop')
          .apply({ metadata: { name: 'web', managedFields: [{ manager: 'm' }] } }, { fieldManager: 'm' }),
      /^apply deployments: cannot apply an object with managed fields already set; state the fields that you want/,
    ],
    [
      'a way out of a proxied program',
      (c) => c.coreV1().services('shop').proxyGet('web', { path: 'a/../../../../secrets' }),
      /^proxyGet: the path "a\/\.\..*" contains '\.\.'$/,
    ],
    ['a slash in a name', (c) => c.coreV1().pods('shop').get('a/b'), /a\/b.*may not contain '\/'/],
    ['dots as a name', (c) => c.coreV1().pods('shop').delete('..'), /may not be '\.\.'/],
    ['a bad namespace', (c) => c.coreV1().pods('a/b').list(), /namespace.*a\/b/],
    [
      'an event of another namespace',
      (c) =>
        c
          .coreV1()
          .events('here')
          .createWithEventNamespace({ metadata: { namespace: 'there' }, involvedObject: {} }),
      /namespace 'there' in namespace 'here'/,
    ],
  ])('refused before anything is sent: %s', async (_name, call, message) => {
    const { clientset, requests } = recording()
    await expect(call(clientset)).rejects.toThrow(message)
    expect(requests).toEqual([])
  })

  it('one client for each group-version, and one limiter for all of them when qps is set', () => {
    const { clientset } = recording()
    expect(clientset.appsV1()).toBe(clientset.appsV1())
    const limited = new Clientset({ host: 'http://server', qps: 50, burst: 100 })
    expect(limited.appsV1().restClient().rateLimiter).toBe(limited.coreV1().restClient().rateLimiter)
    const own = new Clientset({ host: 'http://server' })
    expect(own.appsV1().restClient().rateLimiter).not.toBe(own.coreV1().restClient().rateLimiter)
    expect(own.appsV1().restClient().rateLimiter?.qps).toBe(5)
    expect(clientset.appsV1().restClient().rateLimiter).toBeUndefined()
  })
})
