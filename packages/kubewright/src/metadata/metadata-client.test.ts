// What each method of a metadata client sends, and what it makes of the answers of servers new and old.

import { describe, expect, it } from 'vitest'
import { Secret } from '../gen/api/core/v1.js'
import { recordingConfig } from '../kubernetes/recording.test-support.js'
import { mergePatch, messageOf } from '../meta/index.js'
import { MetadataClient, type MetadataResourceInterface } from './index.js'

const secrets = { group: '', version: 'v1', resource: 'secrets' }
const base = '/api/v1/namespaces/shop/secrets'
const metadata = { name: 's', uid: 'u', labels: { a: 'b' } }
const partial = { apiVersion: 'meta.k8s.io/v1', kind: 'PartialObjectMetadata', metadata }
const whole = { apiVersion: 'v1', kind: 'Secret', metadata, data: { password: 'eA==' } }
const acceptOne = 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json'
const acceptMany = 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json'
const deleteOptions = { apiVersion: 'v1', kind: 'DeleteOptions' }

function recording(answer?: unknown, lines?: unknown[]) {
  const { config, requests, accepted } = recordingConfig(answer, lines ? { lines } : {})
  return { client: new MetadataClient(config), requests, accepted }
}

describe('the verbs', () => {
  type Case = [call: (c: MetadataResourceInterface) => Promise<unknown>, line: string, body: unknown, accept: string]
  it.each<Case>([
    [(c) => c.get('s', { resourceVersion: '7' }), `GET ${base}/s?resourceVersion=7`, undefined, acceptOne],
    [(c) => c.get('s', { subresource: 'status' }), `GET ${base}/s/status`, undefined, acceptOne],
    [
      (c) => c.patch('s', mergePatch({ a: 1 }), { fieldManager: 'me' }),
      `PATCH ${base}/s?fieldManager=me`,
      { a: 1 },
      acceptOne,
    ],
    [(c) => c.delete('s'), `DELETE ${base}/s`, deleteOptions, 'application/json'],
    [
      (c) => c.deleteCollection({ propagationPolicy: 'Orphan' }, { fieldSelector: 'type=x' }),
      `DELETE ${base}?fieldSelector=type=x`,
      { ...deleteOptions, propagationPolicy: 'Orphan' },
      'application/json',
    ],
  ])('%s', async (call, line, body, accept) => {
    const { client, requests, accepted } = recording(partial)
    await call(client.resource(secrets).namespace('shop'))
    expect(requests.map((request) => [request.line, request.body])).toEqual([[line, body]])
    expect(accepted).toEqual([accept])
  })

  it('list, and watch, which gives its timeout to the server as well', async () => {
    const { client, requests, accepted } = recording({ kind: 'PartialObjectMetadataList', items: [] })
    await client.resource(secrets).list({ limit: 2 })
    const watch = await client.resource(Secret).watch({ resourceVersion: '4', timeoutSeconds: 60 })
    watch.stop()
    expect(requests.map(({ line }) => line)).toEqual([
      'GET /api/v1/secrets?limit=2',
      'GET /api/v1/secrets?resourceVersion=4&timeout=1m0s&timeoutSeconds=60&watch=true',
    ])
    expect(accepted).toEqual([acceptMany, acceptOne])
  })

  it('a name is required, and a namespace where the kind has one', async () => {
    const { client, requests } = recording()
    await expect(client.resource(secrets).get('')).rejects.toThrow('get secrets: name is required')
    await expect(client.resource(Secret).get('s')).rejects.toThrow('get secrets: which namespace?')
    expect(requests).toEqual([])
  })
})

describe('what is read', () => {
  it.each([partial, whole])('is metadata, of an answer such as %j', async (answer) => {
    const { client } = recording(answer)
    const shop = client.resource(secrets).namespace('shop')
    expect(await shop.get('s')).toEqual(partial)
    expect(await shop.patch('s', mergePatch({}))).toEqual(partial)
  })

  it.each([
    ['PartialObjectMetadataList', [partial, { metadata }]],
    ['SecretList', [whole, { metadata, data: {} }]],
  ])('is metadata, of a list such as %s', async (kind, items) => {
    const { client } = recording({ apiVersion: 'v1', kind, metadata: { resourceVersion: '5', continue: 'x' }, items })
    const list = await client.resource(secrets).list()
    expect(list.metadata).toEqual({ resourceVersion: '5', continue: 'x' })
    expect(list.kind).toBe('PartialObjectMetadataList')
    expect(list.items.map((item) => item.metadata)).toEqual([metadata, metadata])
    expect(JSON.stringify(list)).not.toContain('data":{"password')
  })

  it('is metadata, of a watch; bookmarks and errors are what they are', async () => {
    const bookmark = { kind: 'Secret', apiVersion: 'v1', metadata: { resourceVersion: '9' } }
    const { client } = recording({}, [
      { type: 'ADDED', object: whole },
      { type: 'MODIFIED', object: partial },
      { type: 'BOOKMARK', object: bookmark },
    ])
    const seen: unknown[] = []
    for await (const { type, object } of await client.resource(secrets).watch()) seen.push([type, object])
    expect(seen).toEqual([
      ['ADDED', partial],
      ['MODIFIED', partial],
      ['BOOKMARK', bookmark],
    ])
  })

  it.each([
    ['kind', { metadata: { uid: '123' } }, "Object 'Kind' is missing in"],
    ['apiVersion', { kind: 'Pod', metadata: { uid: '123' } }, "Object 'apiVersion' is missing in"],
  ])('is no object without its %s', async (_, answer, message) => {
    const { client } = recording(answer)
    await expect(client.resource(secrets).namespace('ns').get('name')).rejects.toThrow(message)
  })

  it.each([{}, undefined])('is no object with the metadata %j, of which nothing is told', async (metadata) => {
    const { client } = recording({ kind: 'Secret', apiVersion: 'v1', metadata, data: { password: 'eA==' } })
    const refused = await client.resource(secrets).get('s').catch(messageOf)
    expect(refused).toMatch(
      /^object does not appear to match the ObjectMeta schema: a "Secret" of "v1" without uid, [^=]*$/,
    )
  })
})
