import { describe, expect, it } from 'vitest'
import { DeploymentSchema } from '../../gen/schema/apps/v1.js'
import { PodSchema, PodSpecSchema, SecretSchema } from '../../gen/schema/core/v1.js'
import { frozen } from '../frozen.test-support.js'
import {
  applyStrategicMergePatch,
  createThreeWayStrategicMergePatch,
  createTwoWayStrategicMergePatch,
  mergeStrategicMergePatches,
  PatchConflictError,
  PreconditionFailedError,
  requireKeyUnchanged,
  requireMetadataKeyUnchanged,
  strategicMergePatchesConflict,
} from '../index.js'

const web = frozen({
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: { name: 'web', labels: { app: 'web' }, finalizers: ['example.com/a', 'example.com/b'] },
  spec: {
    replicas: 2,
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: 1 } },
    template: {
      spec: {
        containers: [
          { name: 'app', image: 'app:1', ports: [{ containerPort: 80 }], env: [{ name: 'A', value: '1' }] },
          { name: 'proxy', image: 'proxy:1' },
        ],
        tolerations: [{ key: 'a' }],
      },
    },
  },
})

describe('strategic merge patches', () => {
  it('name the items of lists that change, by their keys', () => {
    const changed = structuredClone(web) as unknown as {
      spec: { template: { spec: { containers: { image: string }[] } } }
    }
    const [app] = changed.spec.template.spec.containers
    if (app) app.image = 'app:2'
    const patch = createTwoWayStrategicMergePatch(web, changed, DeploymentSchema)
    expect(patch).toEqual({
      spec: {
        template: {
          spec: {
            '$setElementOrder/containers': [{ name: 'app' }, { name: 'proxy' }],
            containers: [{ name: 'app', image: 'app:2' }],
          },
        },
      },
    })
    expect(applyStrategicMergePatch(web, patch, DeploymentSchema)).toEqual(changed)
  })

  it('delete items and scalars of lists that others add to', () => {
    const patch = frozen({
      metadata: { '$deleteFromPrimitiveList/finalizers': ['example.com/a'] },
      spec: { template: { spec: { containers: [{ name: 'proxy', $patch: 'delete' }] } } },
    })
    const result = applyStrategicMergePatch(web, patch, DeploymentSchema)
    expect(result.metadata.finalizers).toEqual(['example.com/b'])
    expect(result.spec.template.spec.containers.map(({ name }) => name)).toEqual(['app'])
  })

  it('replace what is told to be, and drop what $retainKeys does not name', () => {
    const patch = { spec: { strategy: { $retainKeys: ['type'], type: 'Recreate' } } }
    expect(applyStrategicMergePatch(web, patch, DeploymentSchema).spec.strategy).toEqual({ type: 'Recreate' })
    const replaced = applyStrategicMergePatch(web, { metadata: { $patch: 'replace', name: 'x' } }, DeploymentSchema)
    expect(replaced.metadata).toEqual({ name: 'x' })
    const changed = { ...web, spec: { ...web.spec, strategy: { type: 'Recreate' } } }
    expect(createTwoWayStrategicMergePatch(web, changed, DeploymentSchema)).toEqual({
      spec: { strategy: { $retainKeys: ['type'], type: 'Recreate', rollingUpdate: null } },
    })
  })

  it('replace lists that have no merge key', () => {
    const patch = { spec: { template: { spec: { tolerations: [{ key: 'b' }] } } } }
    expect(applyStrategicMergePatch(web, patch, DeploymentSchema).spec.template.spec.tolerations).toEqual([
      { key: 'b' },
    ])
  })

  it('put items into the order that is asked for, those of others between them', () => {
    const pod = { containers: [{ name: 'a' }, { name: 'theirs' }, { name: 'b' }] }
    const patch = { '$setElementOrder/containers': [{ name: 'b' }, { name: 'a' }] }
    expect(applyStrategicMergePatch(pod, patch, PodSpecSchema).containers.map(({ name }) => name)).toEqual([
      'theirs',
      'b',
      'a',
    ])
  })

  it('of three objects find what others have changed differently', () => {
    const modified = { ...web, spec: { ...web.spec, replicas: 5 } }
    const current = { ...web, spec: { ...web.spec, replicas: 3 }, status: { replicas: 3 } }
    const make = (overwrite: boolean) =>
      createThreeWayStrategicMergePatch(web, modified, current, DeploymentSchema, { overwrite })
    expect(make(true)).toEqual({ spec: { replicas: 5 } })
    expect(() => make(false)).toThrow(PatchConflictError)
    expect(() => make(false)).toThrow(/^patch:\n[\s\S]*conflicts with changes made from original to current:\n/)
  })

  it('meet preconditions', () => {
    const renamed = { ...web, kind: 'Other', metadata: { ...web.metadata, name: 'x' } }
    const make = (precondition: ReturnType<typeof requireKeyUnchanged>) => () =>
      createTwoWayStrategicMergePatch(web, renamed, DeploymentSchema, { preconditions: [precondition] })
    expect(make(requireKeyUnchanged('apiVersion'))).not.toThrow()
    expect(make(requireKeyUnchanged('kind'))).toThrow(PreconditionFailedError)
    expect(make(requireMetadataKeyUnchanged('name'))).toThrow(
      'precondition failed for: map[kind:Other metadata:map[name:x]]',
    )
  })

  it('show nothing of a Secret in messages', () => {
    const secret = (password: string, more: object = {}) => ({
      metadata: { name: 'db' },
      data: { password, user: 'YWRtaW4=' },
      stringData: { note: password },
      ...more,
    })
    const conflict = () =>
      createThreeWayStrategicMergePatch(secret('b25l'), secret('dHdv'), secret('dGhyZWU='), SecretSchema)
    expect(conflict).toThrow(PatchConflictError)
    expect(conflict).toThrow('"password": "…"')
    expect(conflict).not.toThrow(/dHdv|dGhyZWU=/)
    const refused = () =>
      createTwoWayStrategicMergePatch(secret('b25l'), secret('dHdv', { type: 'x' }), SecretSchema, {
        preconditions: [requireKeyUnchanged('type')],
      })
    expect(refused).toThrow('precondition failed for: map[data:map[password:…] stringData:map[note:…] type:x]')
    const directed = () =>
      applyStrategicMergePatch(secret('b25l'), { data: { $patch: 'x', password: 'dHdv' } }, SecretSchema)
    expect(directed).toThrow('unknown patch type: x in map: map[$patch:x password:…]')
  })

  it('show of items what tells them apart', () => {
    const env = (...items: object[]) => ({ containers: [{ name: 'a', env: items }] })
    const patch = {
      containers: [{ name: 'a', '$setElementOrder/env': [{ name: 'x' }], env: [{ name: 'y', value: 's3cret' }] }],
    }
    expect(() => applyStrategicMergePatch(env({ name: 'x', value: '1' }), patch, PodSpecSchema)).toThrow(
      "The order in patch list:\n[map[name:y value:…]]\n doesn't match $setElementOrder list:\n[map[name:x]]",
    )
  })

  it('merge with each other, and say whether they contradict', () => {
    const [first, second] = [{ spec: { replicas: 1 } }, { spec: { replicas: 2, paused: null } }]
    expect(strategicMergePatchesConflict(first, second, DeploymentSchema)).toBe(true)
    expect(mergeStrategicMergePatches([first, second], DeploymentSchema)).toEqual({
      spec: { replicas: 2, paused: null },
    })
  })

  it.each([
    [
      { spec: { contaners: {} } },
      { spec: { contaners: { x: 1 } } },
      'unable to find api field in struct PodSpec for the json field "contaners"',
    ],
    [
      { spec: { containers: [{ name: 'a' }] } },
      { spec: { containers: [{ image: 'x' }] } },
      'map: map[image:…] does not contain declared merge key: name',
    ],
    [{ spec: {} }, { spec: { $patch: 'remove' } }, 'unknown patch type: remove in map: map[$patch:remove]'],
    [
      { metadata: { finalizers: ['a'] } },
      { metadata: { finalizers: [['b']] } },
      'list element types are not identical: string and []interface {}',
    ],
    [{ spec: {} }, { spec: { $retainKeys: 'x' } }, 'invalid patch format of retainKeys'],
  ])('%j does not take %j', (object, patch, message) => {
    expect(() => applyStrategicMergePatch(object, patch, PodSchema)).toThrow(message)
  })
})
