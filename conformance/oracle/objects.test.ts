import fc from 'fast-check'
import {
  type Condition,
  deepDerivative,
  equalSemantic,
  findStatusCondition,
  getControllerOf,
  isControlledBy,
  isStatusConditionFalse,
  isStatusConditionPresentAndEqual,
  isStatusConditionTrue,
  newControllerRef,
  removeStatusCondition,
  setStatusCondition,
} from 'kubewright/meta'
import { expect, it } from 'vitest'
import { runs } from './arbitraries.js'
import { describeWithOracle } from './describe-with-oracle.js'

describeWithOracle('controllers of objects', (oracle) => {
  const reference = fc.record(
    {
      apiVersion: fc.constantFrom('v1', 'apps/v1'),
      kind: fc.constantFrom('A', 'B'),
      name: fc.constantFrom('a', 'b'),
      uid: fc.constantFrom('1', '2'),
      controller: fc.boolean(),
      blockOwnerDeletion: fc.boolean(),
    },
    { requiredKeys: ['apiVersion', 'kind', 'name', 'uid'] },
  )
  const kind = fc.record({
    group: fc.constantFrom('', 'apps'),
    version: fc.constantFrom('v1', 'v2'),
    kind: fc.constantFrom('A', 'B'),
  })

  it('are found and made as Go does', async () => {
    const owner = fc.record({ name: fc.constantFrom('a', 'b'), uid: fc.constantFrom('1', '2') })
    await fc.assert(
      fc.asyncProperty(fc.array(reference, { maxLength: 4 }), owner, kind, async (references, owner, kind) => {
        const object = { metadata: { ownerReferences: references } }
        const question = {
          object: object.metadata,
          owner,
          kind: { Group: kind.group, Version: kind.version, Kind: kind.kind },
        }
        expect({
          result: {
            newControllerRef: newControllerRef({ metadata: owner }, kind),
            getControllerOf: getControllerOf(object) ?? null,
            isControlledBy: isControlledBy(object, { metadata: owner }),
          },
        }).toEqual(await oracle.ask('owners.controller', question))
      }),
      runs(300),
    )
  })
})

describeWithOracle('conditions', (oracle) => {
  const type = fc.constantFrom('Ready', 'Synced', 'Stalled')
  const condition = fc.record(
    {
      type,
      status: fc.constantFrom('True', 'False', 'Unknown'),
      reason: fc.constantFrom('A', 'B'),
      message: fc.constantFrom('', 'text'),
      observedGeneration: fc.nat(2),
      lastTransitionTime: fc.constantFrom('2026-01-02T03:04:05Z', '2026-02-03T04:05:06Z'),
    },
    { requiredKeys: ['type', 'status', 'reason', 'message', 'lastTransitionTime'] },
  )
  const set = condition.chain((condition) =>
    fc.boolean().map((isTimeSet) => (isTimeSet ? condition : { ...condition, lastTransitionTime: '' })),
  )
  /** Go leaves out a generation of 0. */
  const shown = (conditions: readonly Condition[]): object[] =>
    conditions.map(({ observedGeneration, ...rest }) => ({
      ...rest,
      ...(observedGeneration && { observedGeneration }),
    }))

  it('are set, removed and found as Go does', async () => {
    const list = fc.array(condition, { maxLength: 4 })
    await fc.assert(
      fc.asyncProperty(list, set, type, async (conditions, given, remove) => {
        const { lastTransitionTime, ...untimed } = given
        const question = { conditions, set: lastTransitionTime === '' ? untimed : given, remove }
        const [ours, rest] = [structuredClone(conditions), structuredClone(conditions)]
        const known = new Set([...conditions.map((condition) => condition.lastTransitionTime), lastTransitionTime])
        const found = findStatusCondition(conditions, remove)
        expect({
          result: {
            changed: setStatusCondition(ours, given),
            set: shown(ours).map((condition) => {
              const at = (condition as Condition).lastTransitionTime
              return { ...condition, lastTransitionTime: known.has(at) ? at : 'the present' }
            }),
            removed: removeStatusCondition(rest, remove),
            rest: shown(rest),
            found: found ? shown([found])[0] : null,
            isTrue: isStatusConditionTrue(conditions, remove),
            isFalse: isStatusConditionFalse(conditions, remove),
            isEqual: isStatusConditionPresentAndEqual(conditions, remove, 'Unknown'),
          },
        }).toEqual(await oracle.ask('conditions', question))
      }),
      runs(1000),
    )
  })
})

describeWithOracle('semantic equality', (oracle) => {
  /** Absent, null, or one of these. */
  const maybe = (...values: unknown[]): fc.Arbitrary<unknown> => fc.constantFrom<unknown>(undefined, null, ...values)
  const amounts = maybe({}, { cpu: '1' }, { cpu: '1000m' }, { cpu: '1.0', memory: '1Gi' }, { cpu: 1, memory: '1024Mi' })
  const labels = maybe({}, { a: '1' }, { a: '1.0' }, { limits: '1' }, { limits: '1.0' }, { a: '' }, { a: '1', b: '2' })
  const requests = fc.record({ limits: amounts, requests: amounts }, { requiredKeys: [] })
  const container = fc.record(
    {
      name: fc.constantFrom('a', 'b'),
      args: maybe([], ['x'], ['x', 'y']),
      env: maybe([], [{ name: 'A', value: '1' }], [{ name: 'A', value: '1.0' }]),
      ports: maybe([], [{ containerPort: 80 }], [{ containerPort: 80 }, { containerPort: 81 }]),
      resources: fc.oneof(maybe({}), requests),
      securityContext: maybe({}, { privileged: true }),
      livenessProbe: maybe({ httpGet: { port: 80 } }, { httpGet: { port: '80' } }, { httpGet: { port: 'http' } }),
    },
    { requiredKeys: ['name'] },
  )
  const volume = fc.record(
    {
      name: fc.constantFrom('v'),
      emptyDir: maybe({}, { sizeLimit: '1Gi' }, { sizeLimit: '1024Mi' }, { sizeLimit: '1' }),
    },
    { requiredKeys: ['name'] },
  )
  const times = ['2026-01-02T03:04:05Z', '2026-01-02T04:04:05+01:00', '2026-01-02T03:04:06Z']
  const podSpec = fc.record(
    {
      containers: fc.array(container, { maxLength: 2 }),
      volumes: fc.oneof(maybe(), fc.array(volume, { maxLength: 2 })),
      nodeSelector: labels,
      overhead: amounts,
      affinity: maybe({}, { nodeAffinity: {} }),
      securityContext: maybe({}),
      terminationGracePeriodSeconds: maybe(0, 30),
      tolerations: maybe([], [{ key: 'a' }]),
    },
    { requiredKeys: [] },
  )
  const status = maybe({}, { conditions: [] }, { phase: 'Running' }, { startTime: times[0] }, { startTime: times[1] })
  const metadataFields = { name: fc.constantFrom('a', 'b'), labels, annotations: labels, finalizers: maybe([], ['a']) }
  const pod = fc.record(
    { metadata: fc.record({ ...metadataFields, deletionTimestamp: maybe(...times) }), spec: podSpec, status },
    { requiredKeys: [] },
  )
  /** Two that are nearly the same. */
  const pair = <T extends object>(object: fc.Arbitrary<T>): fc.Arbitrary<[T, T]> =>
    fc.tuple(object, object, fc.infiniteStream(fc.nat(3))).map(([a, b, choices]) => [a, mixed(a, b, choices) as T])
  const mixed = (a: unknown, b: unknown, choices: Iterator<number>): unknown => {
    const choice = choices.next().value
    if (isObject(a) && isObject(b) && Array.isArray(a) === Array.isArray(b) && choice !== 3) {
      const keys = new Set([...Object.keys(a), ...Object.keys(b)])
      const entries = [...keys].map((key) => [key, mixed(a[key], b[key], choices)])
      return Array.isArray(a)
        ? entries.map(([, item]) => item).filter((item) => item !== undefined)
        : Object.fromEntries(entries)
    }
    return choice === 0 ? b : a
  }
  const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

  const expectSame = async (room: string, a: object, b: object): Promise<void> => {
    expect({ result: { equal: equalSemantic(a, b), derivative: deepDerivative(a, b) } }).toEqual(
      await oracle.ask(room, { a, b }),
    )
  }

  it('of Pods is Go’s', async () => {
    await fc.assert(
      fc.asyncProperty(pair(pod), ([a, b]) => expectSame('equality.pods', a, b)),
      runs(5000),
    )
  })

  it('of creation times is Go’s', async () => {
    for (const a of [undefined, null, ...times]) {
      for (const b of [undefined, null, ...times]) {
        const [first, second] = [a, b].map((creationTimestamp) => ({ metadata: { creationTimestamp } }))
        const go = await oracle.ask('equality.pods', { a: first, b: second })
        expect(go).toMatchObject({ result: { equal: equalSemantic(first, second) } })
      }
    }
  })

  it('of NetworkPolicies is Go’s: who may come in is not lost', async () => {
    const selector = maybe({}, { matchLabels: {} }, { matchLabels: { a: '1' } })
    const peer = fc.record({ podSelector: selector, namespaceSelector: selector }, { requiredKeys: [] })
    const rule = fc.record({ from: fc.oneof(maybe([]), fc.array(peer, { maxLength: 2 })) }, { requiredKeys: [] })
    const spec = fc.record({
      podSelector: fc.constantFrom({}, { matchLabels: { a: '1' } }),
      ingress: fc.oneof(maybe([]), fc.array(rule, { maxLength: 2 })),
      policyTypes: maybe([], ['Ingress'], ['Ingress', 'Egress']),
    })
    await fc.assert(
      fc.asyncProperty(pair(fc.record({ spec })), ([a, b]) => expectSame('equality.networkPolicies', a, b)),
      runs(2000),
    )
  })
})
