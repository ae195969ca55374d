import { describe, expect, it } from 'vitest'
import type { Pod } from '../gen/api/core/v1.js'
import type { DeepReadonly } from '../meta/index.js'
import { activePods, byLogging, isPodReady } from './index.js'

type ReadonlyPod = DeepReadonly<Pod>

interface Traits {
  node?: string
  phase?: string
  ready?: boolean
  readySince?: string
  deleting?: string
  created?: string
  restarts?: number
  sidecarRestarts?: number
}

const pod = (name: string, traits: Traits): ReadonlyPod =>
  ({
    metadata: { name, creationTimestamp: traits.created, deletionTimestamp: traits.deleting },
    spec: { nodeName: traits.node, initContainers: [{ name: 'sidecar', restartPolicy: 'Always' }, { name: 'init' }] },
    status: {
      phase: traits.phase,
      conditions: [
        { type: 'Initialized', status: 'False' },
        ...(traits.ready === undefined
          ? []
          : [{ type: 'Ready', status: traits.ready ? 'True' : 'False', lastTransitionTime: traits.readySince }]),
      ],
      containerStatuses: [{ restartCount: 0 }, { restartCount: traits.restarts ?? 0 }],
      initContainerStatuses: [
        { name: 'sidecar', restartCount: traits.sidecarRestarts ?? 0 },
        { name: 'init', restartCount: 1000 },
      ],
    },
  }) as unknown as ReadonlyPod

const at = (day: number): string => `2026-01-${String(day).padStart(2, '0')}T00:00:00Z`
const ready: Traits = { node: 'n', phase: 'Running', ready: true }

const namesOf = (pods: readonly ReadonlyPod[]): string[] => pods.map(({ metadata }) => metadata.name)

/** In the expected order; each has to be found there from every other order that is tried. */
function expectOrder(
  compare: (a: ReadonlyPod, b: ReadonlyPod) => number,
  expected: readonly (readonly [string, Traits])[],
): void {
  const pods = expected.map(([name, traits]) => pod(name, traits))
  const names = namesOf(pods)
  for (let shift = 0; shift < pods.length; shift++) {
    const shifted = [...pods.slice(shift), ...pods.slice(0, shift)]
    expect(namesOf(shifted.toSorted(compare))).toEqual(names)
    expect(namesOf(shifted.toReversed().toSorted(compare))).toEqual(names)
  }
}

describe('activePods', () => {
  it('has first what is deleted first', () => {
    expectOrder(activePods, [
      ['unassigned', { phase: 'Running', ready: true }],
      ['pending', { node: 'n', phase: 'Pending' }],
      ['unknown', { node: 'n', phase: 'Unknown' }],
      ['deleting for long', { node: 'n', phase: 'Running', deleting: at(1) }],
      ['deleting', { node: 'n', phase: 'Running', deleting: at(2) }],
      ['not ready', { node: 'n', phase: 'Running', ready: false }],
      ['ready but deleting', { ...ready, deleting: at(1) }],
      ['ready, since when is unknown', { ...ready }],
      ['ready for a short time', { ...ready, readySince: at(9) }],
      ['often restarted', { ...ready, readySince: at(8), restarts: 5 }],
      ['its sidecar often restarted', { ...ready, readySince: at(8), restarts: 1, sidecarRestarts: 3 }],
      ['created at an unknown time', { ...ready, readySince: at(8), restarts: 1 }],
      ['young', { ...ready, readySince: at(8), restarts: 1, created: at(3) }],
      ['old', { ...ready, readySince: at(8), restarts: 1, created: at(2) }],
      ['ready for a long time', { ...ready, readySince: at(7) }],
    ])
  })
})

describe('byLogging', () => {
  it('has first whose log tells most', () => {
    expectOrder(byLogging, [
      ['ready for a long time', { ...ready, readySince: at(1) }],
      ['often restarted', { ...ready, readySince: at(2), restarts: 5 }],
      ['its sidecar often restarted', { ...ready, readySince: at(2), sidecarRestarts: 5 }],
      ['old', { ...ready, readySince: at(2), created: at(1) }],
      ['young', { ...ready, readySince: at(2), created: at(2) }],
      ['created at an unknown time', { ...ready, readySince: at(2) }],
      ['ready, since when is unknown', { ...ready }],
      ['not ready', { node: 'n', phase: 'Running', ready: false }],
      ['unknown', { node: 'n', phase: 'Unknown' }],
      ['pending', { node: 'n', phase: 'Pending' }],
      ['unassigned', { phase: 'Running', ready: true }],
    ])
  })
})

describe.each([
  ['activePods', activePods],
  ['byLogging', byLogging],
])('%s', (_, compare) => {
  it('takes pods with little in them, and times that are none', () => {
    const bare = { metadata: {} } as unknown as ReadonlyPod
    const odd = pod('odd', { created: 'yesterday' })
    expect(compare(bare, bare)).toBe(0)
    expect(compare(bare, odd)).toBe(0)
  })
})

it('a pod is ready when its condition says so', () => {
  expect(isPodReady(pod('a', { ready: true }))).toBe(true)
  expect(isPodReady(pod('a', { ready: false }))).toBe(false)
  expect(isPodReady(pod('a', {}))).toBe(false)
})
