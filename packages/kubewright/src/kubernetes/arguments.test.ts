// What is refused before anything is sent, where types did not keep a program from it.

import { expect, it } from 'vitest'
import type { Kind } from '../meta/index.js'
import { Clientset, ResourceClients } from './index.js'
import { recordingConfig } from './recording.test-support.js'

function clients() {
  const { config, requests } = recordingConfig()
  const pods = { group: '', version: 'v1', resource: 'pods' }
  return { requests, typed: new Clientset(config), untyped: new ResourceClients(config).client(pods).namespace('shop') }
}

const noObjects: [what: string, value: unknown][] = [
  ['undefined', undefined],
  ['null', null],
  ['a number', 5],
  ['a string', 'kind: Pod'],
  ['a list', [{ metadata: { name: 'web' } }]],
  ['a Promise; await it first', Promise.resolve({ metadata: { name: 'web' } })],
]

it.each(noObjects)('nothing but an object is written: %s', async (what, value) => {
  const { requests, typed, untyped } = clients()
  const pods = typed.coreV1().pods('shop')
  const deployments = typed.appsV1().deployments('shop')
  const given = value as never
  const calls = [
    pods.create(given),
    pods.update(given),
    pods.updateStatus(given),
    pods.apply(given, { fieldManager: 'me' }),
    pods.applyStatus(given, { fieldManager: 'me' }),
    pods.evict(given),
    pods.updateResize('web', given),
    deployments.updateScale('web', given),
    deployments.applyScale('web', given, { fieldManager: 'me' }),
    typed.coreV1().serviceAccounts('shop').createToken('me', given),
    untyped.create(given),
    untyped.update(given),
    untyped.apply(given, { fieldManager: 'me' }),
  ]
  for (const call of calls) await expect(call).rejects.toThrow(`: what is to be written must be an object, not ${what}`)
  expect(requests).toEqual([])
})

it.each(['labelSelector', 'fieldSelector'])(
  'a %s among the options of deleteCollection deletes nothing',
  async (name) => {
    const { requests, typed, untyped } = clients()
    const misplaced = { [name]: 'app=web' } as never
    for (const pods of [typed.coreV1().pods('shop'), untyped]) {
      await expect(pods.deleteCollection(misplaced)).rejects.toThrow(
        `deleteCollection pods: ${name} belongs into the second argument`,
      )
    }
    expect(requests).toEqual([])
  },
)

it.each([undefined, null, 'pods', {}, { group: '', version: 'v1', kind: 'Pod' }])(
  'is a client of no resource: %j',
  (of) => {
    const { config } = recordingConfig()
    expect(() => new ResourceClients(config).client(of as unknown as Kind)).toThrow(
      /^a client of which resource\? its resource is not given as text: give a kind's descriptor or \{ group, version, resource \}/,
    )
  },
)

it.each([undefined, null, 'me'])('an apply says who applies, not %j', async (opts) => {
  const { requests, typed, untyped } = clients()
  for (const pods of [typed.coreV1().pods('shop'), untyped]) {
    await expect(pods.apply({ metadata: { name: 'web' } }, opts as never)).rejects.toThrow(
      'apply pods: fieldManager is required: give { fieldManager }',
    )
  }
  expect(requests).toEqual([])
})

it('takes the kind of a list for none where it is no text', async () => {
  const { config } = recordingConfig({ kind: 5, items: [{ metadata: { name: 'web' } }] })
  const pods = new ResourceClients(config).client({ group: '', version: 'v1', resource: 'pods' })
  expect((await pods.list()).items).toEqual([{ metadata: { name: 'web' } }])
})
