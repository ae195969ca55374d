// The cases of client-go's tests of its dynamic client: resources that are only known by their names.

import { describe, expect, it } from 'vitest'
import { recordingConfig } from '../kubernetes/recording.test-support.js'
import { mergePatch, strategicMergePatch } from '../meta/index.js'
import { DynamicClient, type DynamicResourceInterface } from './index.js'

const resource = { group: 'gtest', version: 'vtest', resource: 'rtest' }
const flips = { group: 'flops', version: 'v1alpha1', resource: 'flips' }
const mips = { metadata: { name: 'mips' } }
const item = (name: string, kind = 'rTest') => ({ apiVersion: 'gtest/vTest', kind, metadata: { name } })

function recording(answer?: unknown, lines?: unknown[]) {
  const { config, requests, accepted } = recordingConfig(answer, lines ? { lines } : {})
  return { client: new DynamicClient(config), requests, accepted }
}

type Call = (client: DynamicResourceInterface) => Promise<unknown>

describe('the whole request', () => {
  const base = '/apis/flops/v1alpha1/namespaces/mops/flips'
  const dryRun = { kind: 'DeleteOptions', apiVersion: 'v1', dryRun: ['All'] }
  const json = 'application/json'
  const applied = 'application/apply-patch+yaml'

  it.each<[verb: string, call: Call, line: string, body?: unknown, contentType?: string]>([
    [
      'create',
      (c) => c.create(mips, { fieldValidation: 'warn' as never, subresource: 'fin' }),
      `POST ${base}/mips/fin?fieldValidation=warn`,
      mips,
      json,
    ],
    [
      'update',
      (c) => c.update(mips, { fieldValidation: 'warn' as never, subresource: 'fin' }),
      `PUT ${base}/mips/fin?fieldValidation=warn`,
      mips,
      json,
    ],
    [
      'updateStatus',
      (c) => c.updateStatus(mips, { fieldValidation: 'warn' as never }),
      `PUT ${base}/mips/status?fieldValidation=warn`,
      mips,
      json,
    ],
    [
      'delete',
      (c) => c.delete('mips', { dryRun: ['All'], subresource: 'fin' }),
      `DELETE ${base}/mips/fin`,
      dryRun,
      json,
    ],
    [
      'deleteCollection',
      (c) => c.deleteCollection({ dryRun: ['All'] }, { resourceVersion: '42' }),
      `DELETE ${base}?resourceVersion=42`,
      dryRun,
      json,
    ],
    [
      'get',
      (c) => c.get('mips', { resourceVersion: '42', subresource: 'fin' }),
      `GET ${base}/mips/fin?resourceVersion=42`,
    ],
    ['list', (c) => c.list({ resourceVersion: '42' }), `GET ${base}?resourceVersion=42`],
    [
      'watch',
      async (c) => (await c.watch({ resourceVersion: '42' })).stop(),
      `GET ${base}?resourceVersion=42&watch=true`,
    ],
    [
      'patch',
      (c) => c.patch('mips', strategicMergePatch({ foo: 'bar' }), { fieldManager: 'baz', subresource: 'fin' }),
      `PATCH ${base}/mips/fin?fieldManager=baz`,
      { foo: 'bar' },
      'application/strategic-merge-patch+json',
    ],
    [
      'apply',
      (c) => c.apply(mips, { fieldManager: 'baz', force: true, subresource: 'fin' }),
      `PATCH ${base}/mips/fin?fieldManager=baz&force=true`,
      mips,
      applied,
    ],
    [
      'applyStatus',
      (c) => c.applyStatus(mips, { fieldManager: 'baz', force: true }),
      `PATCH ${base}/mips/status?fieldManager=baz&force=true`,
      mips,
      applied,
    ],
  ])('of %s', async (_, call, line, body, contentType) => {
    const { client, requests, accepted } = recording()
    await call(client.resource(flips).namespace('mops'))
    expect(requests).toEqual([{ line, body, contentType }])
    expect(accepted).toEqual([json])
  })
})

describe.each([
  ['no namespace', '', '/apis/gtest/vtest/rtest'],
  ['a namespace', 'nstest', '/apis/gtest/vtest/namespaces/nstest/rtest'],
])('the path of a resource in %s', (_, namespace, base) => {
  const subresource = 'srtest'
  it.each<[call: Call, line: string]>([
    [(c) => c.list(), `GET ${base}`],
    [async (c) => (await c.watch()).stop(), `GET ${base}?watch=true`],
    [(c) => c.get('a'), `GET ${base}/a`],
    [(c) => c.get('a', { subresource }), `GET ${base}/a/srtest`],
    [(c) => c.delete('a'), `DELETE ${base}/a`],
    [(c) => c.delete('a', { subresource }), `DELETE ${base}/a/srtest`],
    [(c) => c.deleteCollection(), `DELETE ${base}`],
    [(c) => c.create(item('a')), `POST ${base}`],
    [(c) => c.create(item('a'), { subresource }), `POST ${base}/a/srtest`],
    [(c) => c.update(item('a')), `PUT ${base}/a`],
    [(c) => c.update(item('a'), { subresource }), `PUT ${base}/a/srtest`],
    [(c) => c.patch('a', strategicMergePatch(item('a'))), `PATCH ${base}/a`],
    [(c) => c.patch('a', strategicMergePatch(item('a')), { subresource }), `PATCH ${base}/a/srtest`],
  ])('%s', async (call, line) => {
    const { client, requests } = recording()
    await call(client.resource(resource).namespace(namespace))
    expect(requests.map((request) => request.line)).toEqual([line])
  })
})

it('what is deleted under preconditions is told so', async () => {
  const { client, requests } = recording()
  await client.resource(resource).delete('a', { preconditions: { uid: 'uid' }, propagationPolicy: 'Background' })
  expect(requests[0]?.body).toEqual({
    kind: 'DeleteOptions',
    apiVersion: 'v1',
    preconditions: { uid: 'uid' },
    propagationPolicy: 'Background',
  })
})

describe('the answer', () => {
  it.each<[verb: string, call: Call]>([
    ['get', (c) => c.get('a')],
    ['create', (c) => c.create(item('a'))],
    ['update', (c) => c.update(item('a'))],
    ['updateStatus', (c) => c.updateStatus(item('a'))],
    ['patch', (c) => c.patch('a', mergePatch({}))],
  ])('to %s is what the server has sent', async (_, call) => {
    const sent = {
      kind: 'ServiceAccount',
      apiVersion: 'v1',
      metadata: { name: 'foobar', namespace: 'default', uid: 'a6bb38b5', creationTimestamp: '2024-09-20T17:16:28Z' },
    }
    expect(await call(recording(sent).client.resource(resource))).toEqual(sent)
  })

  it('to list is a list, of the kind that the server gives it', async () => {
    const list = { apiVersion: 'vTest', kind: 'rTestList', metadata: {}, items: [item('item1'), item('item2')] }
    expect(await recording(list).client.resource(resource).list()).toEqual(list)
  })

  it('to get may be a list, where a subresource is one', async () => {
    const list = { apiVersion: 'vTest', kind: 'srTest', items: [item('a1', 'srTest')] }
    const answer = recording(list).client.resource(resource).namespace('nstest')
    expect(await answer.get('a', { subresource: 'srtest' })).toEqual(list)
  })

  it('to watch is event after event, bookmarks included', async () => {
    const bookmark = {
      kind: 'rTest',
      apiVersion: 'gtest/vTest',
      metadata: { resourceVersion: '964', annotations: { 'k8s.io/initial-events-end': 'true' } },
    }
    const events = [
      { type: 'ADDED', object: item('a') },
      { type: 'MODIFIED', object: item('a') },
      { type: 'DELETED', object: item('a') },
      { type: 'BOOKMARK', object: bookmark },
    ]
    const seen: unknown[] = []
    for await (const { type, object } of await recording({}, events).client.resource(resource).watch()) {
      seen.push({ type, object })
    }
    expect(seen).toEqual(events)
  })
})

describe('a segment that is none is refused before anything is sent', () => {
  const bad = { metadata: { name: 'bad/name' } }
  const owner = { fieldManager: 'me' }

  it.each<[verb: string, call: Call]>([
    ['update', (c) => c.update(bad)],
    ['updateStatus', (c) => c.updateStatus(bad)],
    ['delete', (c) => c.delete('bad/name')],
    ['get', (c) => c.get('bad/name')],
    ['patch', (c) => c.patch('bad/name', strategicMergePatch({}))],
    ['apply', (c) => c.apply(bad, owner)],
    ['applyStatus', (c) => c.applyStatus(bad, owner)],
  ])('as a name to %s', async (_, call) => {
    const { client, requests } = recording()
    await expect(call(client.resource(resource))).rejects.toThrow('invalid resource name "bad/name"')
    expect(requests).toEqual([])
  })

  const good = { metadata: { name: 'a' } }
  it.each<[verb: string, call: Call]>([
    ['create', (c) => c.create(good)],
    ['update', (c) => c.update(good)],
    ['updateStatus', (c) => c.updateStatus(good)],
    ['delete', (c) => c.delete('a')],
    ['deleteCollection', (c) => c.deleteCollection()],
    ['get', (c) => c.get('a')],
    ['list', (c) => c.list()],
    ['watch', (c) => c.watch()],
    ['patch', (c) => c.patch('a', strategicMergePatch({}))],
    ['apply', (c) => c.apply(good, owner)],
    ['applyStatus', (c) => c.applyStatus(good, owner)],
  ])('as a namespace to %s', async (_, call) => {
    const { client, requests } = recording()
    const resources = client.resource(resource).namespace('bad/namespace')
    await expect(call(resources)).rejects.toThrow('invalid namespace "bad/namespace"')
    expect(requests).toEqual([])
  })
})
