import { describe, expect, it } from 'vitest'
import { DeploymentSchema } from '../gen/schema/apps/v1.js'
import { PodSchema, PodSpecSchema, SecretSchema } from '../gen/schema/core/v1.js'
import {
  applyJsonPatch,
  applyMergePatch,
  applyStrategicMergePatch,
  createJsonPatch,
  createMergePatch,
  createThreeWayMergePatch,
  createThreeWayStrategicMergePatch,
  createTwoWayStrategicMergePatch,
  JsonPatchError,
  mergePatchesConflict,
  mergeStrategicMergePatches,
  PatchConflictError,
  PreconditionFailedError,
  requireKeyUnchanged,
  requireMetadataKeyUnchanged,
  strategicMergePatchesConflict,
} from './index.js'

/** So that a test fails where something is changed that was only to be read. */
function frozen<T>(value: T): T {
  if (typeof value === 'object' && value !== null) Object.values(Object.freeze(value)).forEach(frozen)
  return value
}

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

describe('JSON patches', () => {
  it('do all steps, in their order', () => {
    const result = applyJsonPatch(frozen({ a: { b: [1, 2] }, c: 'x' }), [
      { op: 'test', path: '/c', value: 'x' },
      { op: 'add', path: '/a/b/1', value: 5 },
      { op: 'add', path: '/a/b/-', value: { n: 1 } },
      { op: 'replace', path: '/c', value: 'y' },
      { op: 'move', from: '/c', path: '/a/d' },
      { op: 'copy', from: '/a/d', path: '/e' },
      { op: 'remove', path: '/a/b/0' },
    ])
    expect(result).toEqual({ a: { b: [5, 2, { n: 1 }], d: 'y' }, e: 'y' })
  })

  it('do nothing when a step fails, and say which one', () => {
    const document = { a: 1 }
    const apply = () =>
      applyJsonPatch(document, [
        { op: 'add', path: '/b', value: 2 },
        { op: 'test', path: '/a', value: 2 },
      ])
    expect(apply).toThrow(new JsonPatchError(1, 'testing value /a failed: test failed'))
    expect(document).toEqual({ a: 1 })
  })

  it.each([
    [
      [{ op: 'add', path: '/x/y', value: 1 }],
      'add operation does not apply: doc is missing path: "/x/y": missing value',
    ],
    [
      [{ op: 'remove', path: '/x' }],
      "error in remove for path: '/x': Unable to remove nonexistent key: x: missing value",
    ],
    [
      [{ op: 'add', path: '/l/7', value: 1 }],
      "error in add for path: '/l/7': Unable to access invalid index: 7: invalid index referenced",
    ],
    [[{ op: 'delete', path: '/x' }], 'Unexpected kind: delete'],
  ])('%j fails as at the server', (steps, message) => {
    expect(() => applyJsonPatch({ l: [] }, steps as never)).toThrow(message)
  })

  it('have names with slashes and tildes escaped', () => {
    const changed = { metadata: { annotations: { 'a/b': '1', 'm~n': '2' } } }
    const steps = createJsonPatch({ metadata: { annotations: { 'a/b': '0' } } }, changed)
    expect(steps).toEqual([
      { op: 'replace', path: '/metadata/annotations/a~1b', value: '1' },
      { op: 'add', path: '/metadata/annotations/m~0n', value: '2' },
    ])
  })

  it('are as small as what differs', () => {
    expect(createJsonPatch({ l: [1, 2, 3, 4] }, { l: [1, 3, 4] })).toEqual([{ op: 'remove', path: '/l/1' }])
    expect(createJsonPatch({ a: null }, { a: null })).toEqual([])
    expect(createJsonPatch({ n: 2n ** 60n }, { n: 2n ** 60n + 1n })).toEqual([
      { op: 'replace', path: '/n', value: 2n ** 60n + 1n },
    ])
  })
})

describe('JSON merge patches', () => {
  it('merge objects, delete with null and replace lists', () => {
    const document = frozen({ a: { b: 1, c: 2 }, l: [1, 2] })
    expect(applyMergePatch(document, frozen({ a: { c: null, d: 3 }, l: [3], n: { x: null } }))).toEqual({
      a: { b: 1, d: 3 },
      l: [3],
      n: {},
    })
  })

  it('are what differs', () => {
    expect(createMergePatch(frozen({ a: 1, b: { c: 1, d: 1 }, l: [1] }), frozen({ b: { c: 2 }, l: [1] }))).toEqual({
      a: null,
      b: { c: 2, d: null },
    })
  })

  it('of three objects keep what others have added', () => {
    const original = frozen({ spec: { a: 1, gone: 1 } })
    const modified = frozen({ spec: { a: 2 } })
    const current = frozen({ spec: { a: 1, gone: 1, theirs: 1 } })
    const patch = createThreeWayMergePatch(original, modified, current)
    expect(patch).toEqual({ spec: { a: 2, gone: null } })
    expect(applyMergePatch(current, patch)).toEqual({ spec: { a: 2, theirs: 1 } })
  })
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
      'map: map[image:x] does not contain declared merge key: name',
    ],
    [{ spec: {} }, { spec: { $patch: 'remove' } }, 'unknown patch type: remove in map: map[$patch:remove]'],
    [
      { metadata: { finalizers: ['a'] } },
      { metadata: { finalizers: [['b']] } },
      'list element types are not identical: [[a] [[b]]]',
    ],
    [{ spec: {} }, { spec: { $retainKeys: 'x' } }, 'invalid patch format of retainKeys'],
  ])('%j does not take %j', (object, patch, message) => {
    expect(() => applyStrategicMergePatch(object, patch, PodSchema)).toThrow(message)
  })
})

describe('every argument', () => {
  const apply = (value: unknown) => applyMergePatch({}, { value })

  it('may have members of any name', () => {
    const odd = JSON.parse('{"__proto__":{"a":1},"constructor":{"b":1},"prototype":1}') as object
    expect(JSON.stringify(applyMergePatch({}, odd))).toBe(JSON.stringify(odd))
    expect(JSON.stringify(createMergePatch({}, odd))).toBe(JSON.stringify(odd))
    expect(applyJsonPatch({}, [{ op: 'add', path: '/__proto__', value: { a: 1 } }])).not.toHaveProperty('a')
    expect(() => applyJsonPatch({}, [{ op: 'add', path: '/constructor/x', value: 1 }])).toThrow('missing path')
    expect({}).not.toHaveProperty('a')
  })

  it('keeps integers beyond 2^53', () => {
    expect(apply(2n ** 62n)).toEqual({ value: 2n ** 62n })
    expect(createMergePatch({ n: 5 }, { n: 5n })).toEqual({})
  })

  it('may have undefined members, which are none', () => {
    expect(apply(undefined)).toEqual({})
    expect(Object.keys(applyMergePatch({ a: undefined, b: 1 }, {}))).toEqual(['b'])
  })

  it.each([
    [Number.NaN, 'the merge patch has a value that JSON has not: NaN'],
    [Number.POSITIVE_INFINITY, 'the merge patch has a value that JSON has not: Infinity'],
    [new Date(0), 'the merge patch has a value that JSON has not: a Date'],
    [() => 1, 'the merge patch has a value that JSON has not: a function'],
    [[undefined], 'the merge patch has a value that JSON has not: undefined'],
  ])('is refused with %s in it', (value, message) => {
    expect(() => apply(value)).toThrow(new TypeError(message))
  })

  it('is refused when it contains itself', () => {
    const circle: { self?: unknown } = {}
    circle.self = circle
    expect(() => apply(circle)).toThrow('the merge patch is nested more than 1000 deep, or contains itself')
  })

  it('is refused when two patches that contain themselves are compared', () => {
    const circle: { self?: unknown } = {}
    circle.self = circle
    expect(() => mergePatchesConflict(circle, circle)).toThrow('the left patch is nested more than 1000 deep')
  })

  it.each([[undefined], [null], [{ op: 'remove', path: '/a' }]])(
    'is a list of operations in a JSON patch: %j',
    (given) => {
      expect(() => applyJsonPatch({}, given as never)).toThrow(
        'a JSON patch is a list of operations; applyMergePatch takes an object',
      )
      expect(() => applyJsonPatch({}, [given && 'remove'] as never)).toThrow(
        /^step 0 of the JSON patch has to be an object, not (undefined|null|a string|a String)$/,
      )
    },
  )

  it.each([[undefined], [null], [{ group: 'apps', version: 'v1', kind: 'Deployment' }]])(
    'has a schema, where lists merge: %j is none',
    (schema) => {
      const given = schema as never
      for (const call of [
        () => applyStrategicMergePatch({}, {}, given),
        () => createTwoWayStrategicMergePatch({}, {}, given),
        () => createThreeWayStrategicMergePatch({}, {}, {}, given),
        () => mergeStrategicMergePatches([{}], given),
        () => strategicMergePatchesConflict({}, {}, given),
      ]) {
        expect(call).toThrow(/^a strategic merge patch needs the schema of its object, such as DeploymentSchema/)
      }
    },
  )

  it('has to be an object', () => {
    expect(() => applyMergePatch({}, [])).toThrow('the merge patch has to be an object, not a list')
    expect(() => createMergePatch(null as never, {})).toThrow('the original has to be an object, not null')
  })

  it('shares nothing with a result', () => {
    const [document, patch] = [{ a: { b: 1 } }, { c: { d: 1 } }]
    const result = applyMergePatch(document, patch) as typeof document & typeof patch
    expect(result.a).not.toBe(document.a)
    expect(result.c).not.toBe(patch.c)
  })
})
