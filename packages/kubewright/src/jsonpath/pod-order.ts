// The orders in which kubectl and controllers choose among pods.

import type { ContainerStatus, Pod } from '../gen/api/core/v1.js'
import type { DeepReadonly } from '../meta/index.js'
import { timeOf } from './times.js'
import { compareNumbers } from './values.js'

type ReadonlyPod = DeepReadonly<Pod>

/** Each compares two pods; the first that finds a difference decides. */
type Criterion = (a: ReadonlyPod, b: ReadonlyPod) => number

/**
 * Compares pods for `pods.toSorted(activePods)`: those that a controller deletes first come first. Unassigned, then
 * pending, unknown, running; not ready; being deleted, the longest first; ready for the shortest time; restarted most
 * often; youngest.
 */
export function activePods(a: ReadonlyPod, b: ReadonlyPod): number {
  return decide(activeCriteria, a, b)
}

/**
 * Compares pods for `pods.toSorted(byLogging)`: the one whose log tells most comes first. Assigned, then running, unknown,
 * pending; ready, for the longest time; restarted most often; oldest.
 */
export function byLogging(a: ReadonlyPod, b: ReadonlyPod): number {
  return decide(loggingCriteria, a, b)
}

/** Whether the pod's `Ready` condition is `True`. */
export function isPodReady(pod: ReadonlyPod): boolean {
  return pod.status?.conditions?.find(({ type }) => type === 'Ready')?.status === 'True'
}

function decide(criteria: readonly Criterion[], a: ReadonlyPod, b: ReadonlyPod): number {
  for (const criterion of criteria) {
    const order = criterion(a, b)
    if (order !== 0) return order
  }
  return 0
}

const assigned: Criterion = (a, b) => Number(hasNode(a)) - Number(hasNode(b))
const phase =
  (...order: readonly string[]): Criterion =>
  (a, b) =>
    phaseRank(a, order) - phaseRank(b, order)
const readiness: Criterion = (a, b) => Number(isPodReady(a)) - Number(isPodReady(b))
const deletion: Criterion = (a, b) => {
  const [x, y] = [timeOf(a.metadata.deletionTimestamp), timeOf(b.metadata.deletionTimestamp)]
  if (x === undefined || y === undefined) return Number(x === undefined) - Number(y === undefined)
  return compareNumbers(x, y)
}
const readyTime: Criterion = (a, b) =>
  isPodReady(a) && isPodReady(b) ? youngestFirst(readyTimeOf(a), readyTimeOf(b)) : 0
const restarts: Criterion = (a, b) => {
  const [x, y] = [restartsOf(a), restartsOf(b)]
  return y.regular - x.regular || y.sidecar - x.sidecar
}
const creation: Criterion = (a, b) =>
  youngestFirst(timeOf(a.metadata.creationTimestamp), timeOf(b.metadata.creationTimestamp))

const reversed =
  (criterion: Criterion): Criterion =>
  (a, b) =>
    criterion(b, a)

const activeCriteria = [
  assigned,
  phase('Pending', 'Unknown', 'Running'),
  readiness,
  deletion,
  readyTime,
  restarts,
  creation,
]
const loggingCriteria = [
  reversed(assigned),
  phase('Running', 'Unknown', 'Pending'),
  reversed(readiness),
  reversed(readyTime),
  restarts,
  reversed(creation),
]

function hasNode(pod: ReadonlyPod): boolean {
  return (pod.spec?.nodeName ?? '') !== ''
}

/** Other phases, those of pods that have ended, count as the first one. */
function phaseRank({ status }: ReadonlyPod, order: readonly string[]): number {
  return Math.max(
    0,
    order.findIndex((phase) => phase === status?.phase),
  )
}

function readyTimeOf({ status }: ReadonlyPod): bigint | undefined {
  return timeOf(status?.conditions?.find(({ type }) => type === 'Ready')?.lastTransitionTime)
}

function restartsOf({ spec, status }: ReadonlyPod): { regular: number; sidecar: number } {
  const sidecars = new Set(spec?.initContainers?.filter((c) => c.restartPolicy === 'Always').map((c) => c.name))
  return {
    regular: mostRestarts(status?.containerStatuses),
    sidecar: mostRestarts(status?.initContainerStatuses?.filter((c) => sidecars.has(c.name))),
  }
}

function mostRestarts(statuses: readonly DeepReadonly<ContainerStatus>[] = []): number {
  return statuses.reduce((most, { restartCount }) => Math.max(most, restartCount ?? 0), 0)
}

/** No time at all counts as the youngest. */
function youngestFirst(x: bigint | undefined, y: bigint | undefined): number {
  if (x === undefined || y === undefined) return Number(y === undefined) - Number(x === undefined)
  return compareNumbers(y, x)
}
