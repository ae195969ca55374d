// The fake clientset is held to what the real server answers: the same calls to both, and the same results.

import type { Clientset, DynamicClient } from 'kubewright'
import { asApiError, jsonPatch, type KubernetesObject, mergePatch, strategicMergePatch } from 'kubewright/meta'
import { FakeClientset } from 'kubewright/testing'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithControlPlane, suiteNamespace } from '../control-plane/fixture.js'
import { clientsetFor } from './helpers.js'
import { suiteWidgets } from './widgets.js'

/** What a call gave, as both sides can be expected to say it. */
type Outcome = object | undefined

/** Metadata that no two servers share. */
const oneServersOwn = new Set(['uid', 'resourceVersion', 'creationTimestamp', 'time', 'deletionTimestamp', 'namespace'])

function shared(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(shared)
  if (typeof value !== 'object' || value === null) return value
  const entries = Object.entries(value).filter(([key]) => !oneServersOwn.has(key))
  return Object.fromEntries(entries.map(([key, part]) => [key, shared(part)]))
}

const uids = /[0-9a-f]{8}-[0-9a-f-]{27}/g

async function outcomeOf(call: () => Promise<object | undefined>): Promise<Outcome> {
  try {
    return shared(await call()) as Outcome
  } catch (err) {
    const status = asApiError(err)?.status
    if (!status) throw err
    const { code, reason, message = '' } = status
    return { code, reason, message: message.replace(uids, 'UID').replace(/record \(\d+\)/, 'record (N)') }
  }
}

interface Side {
  readonly clientset: Clientset
  readonly dynamic: DynamicClient
  readonly namespace: string
}

describeWithControlPlane('the fake clientset answers as the server', () => {
  const { kind: Widget, client } = suiteWidgets('fake.suite.kubewright.dev')
  const namespace = suiteNamespace()
  let clientset: Clientset
  let sides: readonly [Side, Side]

  beforeAll(async () => {
    clientset = await clientsetFor()
    const definition = await clientset.apiextensionsV1().customResourceDefinitions().get(`widgets.${Widget.group}`)
    const fake = new FakeClientset({ objects: [definition] })
    sides = [
      { clientset, dynamic: client(), namespace: namespace() },
      { clientset: fake, dynamic: fake.dynamicClient, namespace: namespace() },
    ]
  })
  afterAll(() => clientset?.close())

  /** Makes the calls on both sides, one after another, and compares what each gave. */
  async function expectSame(steps: (side: Side) => Record<string, () => Promise<object | undefined>>): Promise<void> {
    const outcomes = []
    for (const side of sides) {
      const mine: Record<string, Outcome> = {}
      for (const [name, call] of Object.entries(steps(side))) mine[name] = await outcomeOf(call)
      outcomes.push(mine)
    }
    expect(outcomes[1]).toEqual(outcomes[0])
  }

  const manager = { fieldManager: 'suite' }

  it('about a ConfigMap', async () => {
    await expectSame(({ clientset, namespace }) => {
      const configMaps = clientset.coreV1().configMaps(namespace)
      return {
        create: () => configMaps.create({ metadata: { name: 'a', labels: { app: 'x' } }, data: { k: 'v' } }, manager),
        again: () => configMaps.create({ metadata: { name: 'a' } }),
        nameless: () => configMaps.create({ data: {} }),
        update: async () => configMaps.update({ ...(await configMaps.get('a')), data: { k: 'w' } }, manager),
        stale: () => configMaps.update({ metadata: { name: 'a', resourceVersion: '1' }, data: { k: 'x' } }, manager),
        another: () => configMaps.update({ metadata: { name: 'a', uid: 'another' } }, manager),
        missing: () => configMaps.update({ metadata: { name: 'none' } }),
        merged: () => configMaps.patch('a', mergePatch({ data: { l: 'm', k: null } }), { fieldManager: 'patcher' }),
        strategic: () => configMaps.patch('a', strategicMergePatch({ metadata: { labels: { app: null } } }), manager),
        operations: () => configMaps.patch('a', jsonPatch([{ op: 'add', path: '/data/n', value: 'o' }]), manager),
        nothing: async () => {
          const before = await configMaps.get('a')
          const after = await configMaps.patch('a', mergePatch({}), { fieldManager: 'nobody' })
          return { same: before.metadata.resourceVersion === after.metadata.resourceVersion }
        },
        renamed: () => configMaps.patch('a', mergePatch({ metadata: { name: 'b' } }), manager),
        applied: () => configMaps.apply({ metadata: { name: 'a' }, data: { n: 'mine' } }, { fieldManager: 'applier' }),
        forced: () =>
          configMaps.apply({ metadata: { name: 'a' }, data: { n: 'mine' } }, { fieldManager: 'applier', force: true }),
        appliedNew: () =>
          configMaps.apply({ metadata: { name: 'new' }, data: { a: 'b' } }, { fieldManager: 'applier' }),
        unmanaged: () => configMaps.apply({ metadata: { name: 'new' } }, { fieldManager: '' }),
        selected: async () => {
          const { items } = await configMaps.list({ labelSelector: '!app', fieldSelector: 'metadata.name=new' })
          return items.map(({ metadata }) => metadata.name)
        },
        unknownField: () => configMaps.list({ fieldSelector: 'data.k=v' }),
        badSelector: () => configMaps.list({ labelSelector: 'a in' }),
        guarded: () => configMaps.delete('new', { preconditions: { uid: 'another' } }),
        guardedToo: () => configMaps.delete('new', { preconditions: { resourceVersion: '1' } }),
        deleted: () => configMaps.delete('new'),
        gone: () => configMaps.delete('new'),
        emptied: async () => {
          await configMaps.deleteCollection({}, { fieldSelector: 'metadata.name=a' })
          return (await configMaps.list({ fieldSelector: 'metadata.name=a' })).items
        },
      }
    })
  })

  it('about finalizers', async () => {
    await expectSame(({ clientset, namespace }) => {
      const configMaps = clientset.coreV1().configMaps(namespace)
      return {
        create: () => configMaps.create({ metadata: { name: 's', finalizers: ['suite.dev/wait'] } }, manager),
        marked: () => configMaps.delete('s'),
        markedAgain: () => configMaps.delete('s'),
        more: async () => {
          const { metadata } = await configMaps.get('s')
          return configMaps.update({ metadata: { ...metadata, finalizers: ['suite.dev/wait', 'suite.dev/more'] } })
        },
        ended: () => configMaps.patch('s', mergePatch({ metadata: { finalizers: null } }), manager),
        gone: () => configMaps.get('s'),
      }
    })
  })

  it('about a custom resource, its status and its scale', async () => {
    await expectSame(({ dynamic, namespace }) => {
      const widgets = dynamic.resource(Widget).namespace(namespace)
      const widget = (more: object): Parameters<typeof widgets.create>[0] => ({
        metadata: { name: 'w' },
        spec: { size: 1 },
        ...more,
      })
      return {
        create: () => widgets.create(widget({ status: { size: 5 } }), manager),
        unversioned: () => widgets.update(widget({ spec: { size: 2 } }), manager),
        update: async () =>
          widgets.update({ ...(await widgets.get('w')), spec: { size: 2 }, status: { size: 9 } }, manager),
        status: async () =>
          widgets.updateStatus({ ...(await widgets.get('w')), spec: { size: 7 }, status: { size: 3 } }, manager),
        scale: () => widgets.getScale('w'),
        scaled: async () => {
          const scale = await widgets.getScale('w')
          return widgets.updateScale('w', { ...scale, spec: { replicas: 4 } }, manager)
        },
        after: () => widgets.get('w'),
        patchedScale: () =>
          widgets.patch('w', mergePatch({ spec: { replicas: 6 } }), { ...manager, subresource: 'scale' }),
        strategic: () => widgets.patch('w', strategicMergePatch({ spec: { size: 1 } }), manager),
        applied: () => widgets.apply({ metadata: { name: 'w' }, spec: { size: 8 } }, { fieldManager: 'applier' }),
        appliedStatus: () =>
          widgets.applyStatus({ metadata: { name: 'w' }, status: { size: 3 } }, { fieldManager: 'applier' }),
        end: () => widgets.get('w'),
        deleted: () => widgets.delete('w'),
      }
    })
  })

  it('to watches', async () => {
    await expectSame(({ clientset, namespace }) => ({
      events: async () => {
        const configMaps = clientset.coreV1().configMaps(namespace)
        const { metadata } = await configMaps.list()
        const watch = await configMaps.watch({
          resourceVersion: metadata.resourceVersion ?? '',
          labelSelector: 'app=x',
        })
        await configMaps.create({ metadata: { name: 'watched', labels: { app: 'x' } } }, manager)
        await configMaps.patch('watched', mergePatch({ data: { a: 'b' } }), manager)
        await configMaps.patch('watched', mergePatch({ metadata: { labels: { app: 'y' } } }), manager)
        await configMaps.patch('watched', mergePatch({ metadata: { labels: { app: 'x' } } }), manager)
        await configMaps.delete('watched')
        const events: object[] = []
        for await (const { type, object } of watch) {
          const { metadata }: KubernetesObject = object
          events.push([type, metadata?.labels])
          if (events.length === 5) break
        }
        return events
      },
      pages: async () => {
        const configMaps = clientset.coreV1().configMaps(namespace)
        for (const name of ['p1', 'p2', 'p3']) await configMaps.create({ metadata: { name, labels: { page: 'd' } } })
        const first = await configMaps.list({ labelSelector: 'page=d', limit: 2 })
        const second = await configMaps.list({ labelSelector: 'page=d', limit: 2, continue: first.metadata.continue })
        return [first, second].map(({ metadata, items }) => ({
          names: items.map((item) => item.metadata.name),
          remaining: metadata.remainingItemCount,
          more: metadata.continue !== undefined,
        }))
      },
    }))
  })
})
