// What each method of a dynamic client sends, what it makes of the answer, and what it refuses.

import { describe, expect, it } from 'vitest'
import type { RateLimiter } from '../flowcontrol/index.js'
import { Deployment } from '../gen/api/apps/v1.js'
import { Node } from '../gen/api/core/v1.js'
import { recordingConfig } from '../kubernetes/recording.test-support.js'
import { defineResource, jsonPatch, mergePatch } from '../meta/index.js'
import { DynamicClient, type DynamicResourceInterface } from './index.js'

const widgets = { group: 'example.com', version: 'v1', resource: 'widgets' }
const base = '/apis/example.com/v1/namespaces/shop/widgets'
const widget = { apiVersion: 'example.com/v1', kind: 'Widget', metadata: { name: 'w' } }
const deleteOptions = { apiVersion: 'v1', kind: 'DeleteOptions' }
const json = 'application/json'
const apply = 'application/apply-patch+yaml'

const Widget = defineResource<typeof widget>({
  group: 'example.com',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  scope: 'Namespaced',
  subresources: { status: {}, scale: {} },
})

function recording(answer?: unknown) {
  const { config, requests } = recordingConfig(answer)
  return { client: new DynamicClient(config), requests }
}

describe('a resource by its name', () => {
  type Case = [call: (c: DynamicResourceInterface) => Promise<unknown>, line: string, body?: unknown, type?: string]
  it.each<Case>([
    [
      (c) => c.create(widget, { dryRun: ['All'], fieldManager: 'me' }),
      `POST ${base}?dryRun=All&fieldManager=me`,
      widget,
      json,
    ],
    [(c) => c.create({ metadata: {} }), `POST ${base}`, { metadata: {} }, json],
    [(c) => c.create(widget, { subresource: 'bind' }), `POST ${base}/w/bind`, widget, json],
    [(c) => c.update(widget), `PUT ${base}/w`, widget, json],
    [
      (c) => c.update(widget, { subresource: 'scale', dryRun: ['All'] }),
      `PUT ${base}/w/scale?dryRun=All`,
      widget,
      json,
    ],
    [(c) => c.updateStatus(widget), `PUT ${base}/w/status`, widget, json],
    [(c) => c.delete('w'), `DELETE ${base}/w`, deleteOptions, json],
    [
      (c) => c.delete('w', { subresource: 'a/b', propagationPolicy: 'Foreground' }),
      `DELETE ${base}/w/a/b`,
      { ...deleteOptions, propagationPolicy: 'Foreground' },
      json,
    ],
    [(c) => c.deleteCollection({}, { labelSelector: 'a=b' }), `DELETE ${base}?labelSelector=a=b`, deleteOptions, json],
    [(c) => c.get('w', { resourceVersion: '7' }), `GET ${base}/w?resourceVersion=7`],
    [(c) => c.get('w', { subresource: 'status' }), `GET ${base}/w/status`],
    [(c) => c.list({ limit: 5 }), `GET ${base}?limit=5`],
    [async (c) => (await c.watch({ resourceVersion: '9' })).stop(), `GET ${base}?resourceVersion=9&watch=true`],
    [(c) => c.patch('w', mergePatch({ a: null })), `PATCH ${base}/w`, { a: null }, 'application/merge-patch+json'],
    [
      (c) => c.patch('w', jsonPatch([]), { subresource: 'status' }),
      `PATCH ${base}/w/status`,
      [],
      'application/json-patch+json',
    ],
    [
      (c) => c.apply(widget, { fieldManager: 'me', force: true }),
      `PATCH ${base}/w?fieldManager=me&force=true`,
      widget,
      apply,
    ],
    [
      (c) => c.apply(widget, { fieldManager: 'me', subresource: 'scale' }),
      `PATCH ${base}/w/scale?fieldManager=me`,
      widget,
      apply,
    ],
    [(c) => c.applyStatus(widget, { fieldManager: 'me' }), `PATCH ${base}/w/status?fieldManager=me`, widget, apply],
  ])('%s', async (call, line, body, contentType) => {
    const { client, requests } = recording()
    await call(client.resource(widgets).namespace('shop'))
    expect(requests).toEqual([{ line, body, contentType }])
  })

  it('of the core group, in all namespaces', async () => {
    const { client, requests } = recording()
    const pods = client.resource({ group: '', version: 'v1', resource: 'pods' })
    await pods.list()
    await pods.namespace('').list()
    await pods.get('p')
    expect(requests.map(({ line }) => line)).toEqual(['GET /api/v1/pods', 'GET /api/v1/pods', 'GET /api/v1/pods/p'])
  })

  it.each<[call: (c: DynamicClient) => Promise<unknown>, message: string]>([
    [(c) => c.resource(widgets).get(''), 'get widgets: name is required'],
    [(c) => c.resource(widgets).delete(''), 'delete widgets: name is required'],
    [(c) => c.resource(widgets).patch('', mergePatch({})), 'patch widgets: name is required'],
    [(c) => c.resource(widgets).update({ metadata: {} }), 'update: name is required'],
    [(c) => c.resource(widgets).create({}, { subresource: 'bind' }), 'create: name is required'],
    [(c) => c.resource(widgets).apply({ metadata: { name: '' } }, { fieldManager: 'me' }), 'apply: name is required'],
    [
      (c) => c.resource(widgets).get('w', { subresource: 5 as never }),
      'GET widgets: the subresource must be a string, not a number',
    ],
    [
      (c) => c.resource(widgets).get('w', { subresource: 'a/..' }),
      `GET widgets: invalid subresource "..": [may not be '..']`,
    ],
    [(c) => c.resource(widgets).get('a/b'), `GET widgets: invalid resource name "a/b": [may not contain '/']`],
    [(c) => c.resource(widgets).get('..'), `GET widgets: invalid resource name "..": [may not be '..']`],
    [(c) => c.resource(widgets).namespace('a%b').list(), `GET widgets: invalid namespace "a%b": [may not contain '%']`],
    [
      (c) =>
        c.resource(widgets).apply({ ...widget, metadata: { name: 'w', managedFields: [{}] } }, { fieldManager: 'me' }),
      'cannot apply an object with managed fields already set',
    ],
    [(c) => c.resource(widgets).patch('w', { spec: {} } as never), 'patch widgets: the patch does not say which kind'],
    [(c) => c.resource(widgets).patch('w', undefined as never), 'make it with mergePatch(…), jsonPatch(…)'],
  ])('refuses %s before anything is sent', async (call, message) => {
    const { client, requests } = recording()
    await expect(call(client)).rejects.toThrow(message)
    expect(requests).toEqual([])
  })

  it.each([
    [{ ...widgets, group: '..' }, `invalid group "..": [may not be '..']`],
    [{ ...widgets, version: 'v1/x' }, `invalid version "v1/x": [may not contain '/']`],
    [{ ...widgets, version: '' }, 'its version is empty'],
    [{ ...widgets, resource: '' }, 'its resource is empty'],
    [{ ...widgets, resource: 'a/b' }, `invalid resource "a/b": [may not contain '/']`],
    [{ ...widgets, resource: undefined as never }, 'its resource is not given as text'],
  ])('refuses the name %j', (name, message) => {
    expect(() => recording().client.resource(name)).toThrow(message)
  })

  it('gives items of built-in lists their kind, and leaves those that say it', async () => {
    const items = [{ metadata: { name: 'a' } }, { kind: 'Other', apiVersion: 'x/v1', metadata: { name: 'b' } }]
    const { client } = recording({ apiVersion: 'example.com/v1', kind: 'WidgetList', metadata: {}, items })
    const list = await client.resource(widgets).list()
    expect(list.items.map(({ apiVersion, kind }) => `${apiVersion} ${kind}`)).toEqual([
      'example.com/v1 Widget',
      'x/v1 Other',
    ])
  })

  it('does not take an answer without a kind', async () => {
    const { client } = recording({ data: { password: 'c2VjcmV0' } })
    const asked = client.resource(widgets).get('w')
    await expect(asked).rejects.toThrow(/^http:\/\/server\/.*\/w: Object 'Kind' is missing in the answer; is the host/)
    await expect(asked).rejects.not.toThrow('c2VjcmV0')
  })
})

describe('a kind', () => {
  it('has its type filled in, and its scale', async () => {
    const { client, requests } = recording()
    const { metadata } = widget
    const shop = client.resource(Widget).namespace('shop')
    await shop.create({ metadata })
    await shop.updateStatus({ metadata })
    await shop.updateScale('w', { metadata, spec: { replicas: 2 } })
    expect(requests.map(({ line, body }) => [line, body])).toEqual([
      [`POST ${base}`, widget],
      [`PUT ${base}/w/status`, widget],
      [`PUT ${base}/w/scale`, { apiVersion: 'autoscaling/v1', kind: 'Scale', metadata, spec: { replicas: 2 } }],
    ])
  })

  it('that is built in is one like others', async () => {
    const { client, requests } = recording({ kind: 'DeploymentList', apiVersion: 'apps/v1', items: [{}] })
    const { items } = await client.resource(Deployment).namespace('shop').list()
    expect(requests[0]?.line).toBe('GET /apis/apps/v1/namespaces/shop/deployments')
    expect(items[0]?.kind).toBe('Deployment')
  })

  it('is asked for a namespace where it has any, and for none where it has none', async () => {
    const { client, requests } = recording()
    await expect(client.resource(Widget).get('w')).rejects.toThrow(
      'get widgets: which namespace? Widget objects live in one',
    )
    await expect(client.resource(Node).namespace('shop').get('n')).rejects.toThrow('Node objects are in no namespace')
    await client.resource(Node).namespace('').get('n')
    expect(requests.map(({ line }) => line)).toEqual(['GET /api/v1/nodes/n'])
  })
})

it('one limiter serves all resources of a client', async () => {
  let tokens = 0
  const rateLimiter: RateLimiter = { qps: 5, tryAccept: () => true, wait: async () => void tokens++ }
  const client = new DynamicClient({ ...recordingConfig().config, qps: 5, rateLimiter })
  await client.resource(widgets).get('a')
  await client.resource(Node).get('b')
  expect(tokens).toBe(2)
})
