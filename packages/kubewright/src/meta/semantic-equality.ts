// Whether two objects say the same, though their JSON may differ.

import { isObject } from './is-object.js'
import { ownMember } from './members.js'
import { parseQuantity } from './quantity.js'
import { parseTimeNanoseconds } from './time.js'

/**
 * Whether two objects of the API, or parts of them, say the same: apimachinery's equality.Semantic.DeepEqual, for
 * plain JSON.
 *
 * **Guarantees**: of each pair the two are the same:
 * - a field that is absent, undefined, null, or an empty list;
 * - an empty object and none, in the fields that are maps or always there, such as `labels`, `limits`, `status`;
 * - amounts, as `1000m` and `1`, in fields that are quantities, such as all in `limits`;
 * - times, as `…T01:00:00Z` and `…T02:00:00+01:00`, in fields that are times, such as `creationTimestamp`;
 * - numbers and bigints of the same value; keys in any order.
 *
 * **Caveats**: objects do not tell their Go types, so the fields of Kubernetes' own kinds are known by their names: custom
 * resources that use these names mean the same by them, one hopes, and amounts and times in fields of other names are
 * compared as text. So are amounts in `value` and `default`, which are other things elsewhere. An empty object
 * elsewhere is not the same as none: `emptyDir: {}` and `namespaceSelector: {}` mean something. Nor is empty text, 0 or
 * false the same as none, as Go has it of fields that are no pointers. `80` and `'80'` differ.
 *
 * @throws TypeError for values that are nested more than 1000 deep, or contain themselves
 */
export function equalSemantic(a: unknown, b: unknown): boolean {
  return equal(a, b, { holds: 'anything', emptyIsNone: true }, 0)
}

/**
 * As {@link equalSemantic}, where only what `a` has is compared: whether `b` has all that `a` asks for. Not compared is
 * what in `a` is absent, null, empty text or an empty list, or an empty object where `b` has one. A list in `b` may be
 * longer. apimachinery's equality.Semantic.DeepDerivative, which compares absent numbers and times with 0 where they are
 * no pointers; ours does not compare what is absent. Throws as {@link equalSemantic} does.
 */
export function deepDerivative(a: unknown, b: unknown): boolean {
  return derives(a, b, { holds: 'anything', emptyIsNone: true }, 0)
}

/** What the name of a field says of its value. */
interface Field {
  /** `text`: a map of free keys, whose names say nothing. */
  readonly holds: 'anything' | 'text' | 'quantities' | 'time'
  readonly emptyIsNone: boolean
}

const textMaps = ['annotations', 'binaryData', 'data', 'labels', 'matchLabels', 'nodeSelector', 'stringData']
const quantities = [
  ...['allocatable', 'allocatedResources', 'averageValue', 'capacity', 'consumedCapacity', 'defaultRequest', 'divisor'],
  ...['hard', 'limits', 'max', 'maxLimitRequestRatio', 'maximumVolumeSize', 'min', 'overhead', 'podFixed', 'requests'],
  ...['sizeLimit', 'tolerance', 'used'],
]
const times = [
  ...['acquireTime', 'allocationTimestamp', 'beginRefreshAt', 'completionTime', 'creationTimestamp'],
  ...['deletionTimestamp', 'deprecatedFirstTimestamp', 'deprecatedLastTimestamp', 'eventTime', 'expirationTimestamp'],
  ...['finishedAt', 'firstTimestamp', 'lastHeartbeatTime', 'lastObservedTime', 'lastPhaseTransitionTime'],
  ...['lastProbeTime', 'lastScaleTime', 'lastScheduleTime', 'lastSuccessfulTime', 'lastTimestamp'],
  ...['lastTransitionTime', 'lastUpdateTime', 'notAfter', 'notBefore', 'pingTime', 'renewTime', 'sinceTime'],
  ...['startTime', 'startedAt', 'time', 'timeAdded'],
]
/** Maps of other things, and structs that Go has no way to leave out. */
const neverMissed = [
  ...['allocatedResourceStatuses', 'attributes', 'attachmentMetadata', 'counters', 'deprecatedTopology'],
  ...['disruptedPods', 'extra', 'lastState', 'loadBalancer', 'metadata', 'options', 'parameters', 'resources', 'spec'],
  ...['state', 'status', 'strategy', 'updateStrategy', 'volumeAttributes'],
]
/** Of the quantities, those that are maps of them. */
const quantityMaps = [
  ...['allocatable', 'allocatedResources', 'capacity', 'consumedCapacity', 'defaultRequest', 'hard', 'limits', 'max'],
  ...['maxLimitRequestRatio', 'min', 'overhead', 'podFixed', 'requests', 'used'],
]

const anything: Field = { holds: 'anything', emptyIsNone: false }
const quantityMap: Field = { holds: 'quantities', emptyIsNone: true }
const fields: ReadonlyMap<string, Field> = new Map([
  ...textMaps.map((name): [string, Field] => [name, { holds: 'text', emptyIsNone: true }]),
  ...quantities.map((name): [string, Field] => [name, { holds: 'quantities', emptyIsNone: false }]),
  ...quantityMaps.map((name): [string, Field] => [name, quantityMap]),
  ...times.map((name): [string, Field] => [name, { holds: 'time', emptyIsNone: false }]),
  ...neverMissed.map((name): [string, Field] => [name, { holds: 'anything', emptyIsNone: true }]),
])

type Data = Readonly<Record<string, unknown>>

const empty: Data = {}

function fieldOf(name: string, parent: Field): Field {
  if (parent.holds === 'text' || parent.holds === 'quantities') return inside(parent)
  return fields.get(name) ?? anything
}

/** Deeper than any object of the API, and not so deep that the stack ends. */
const maxDepth = 1000

function checkDepth(depth: number): void {
  if (depth <= maxDepth) return
  throw new TypeError(`cannot compare values that are nested more than ${maxDepth} deep, or contain themselves`)
}

function equal(a: unknown, b: unknown, field: Field, depth: number): boolean {
  if (a === b) return true
  checkDepth(depth)
  if (isMissing(a)) return isMissing(b) || (field.emptyIsNone && isObject(b) && equal(empty, b, field, depth))
  if (isMissing(b)) return field.emptyIsNone && isObject(a) && equal(a, empty, field, depth)
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length !== b.length) return false
    return a.every((item, i) => equal(item, b[i], inside(field), depth + 1))
  }
  if (!isObject(a)) return equalScalars(a, b, field)
  if (!isObject(b)) return false
  const isEqual = (key: string): boolean => equal(ownMember(a, key), ownMember(b, key), fieldOf(key, field), depth + 1)
  return Object.keys(a).every(isEqual) && Object.keys(b).every((key) => Object.hasOwn(a, key) || isEqual(key))
}

function derives(a: unknown, b: unknown, field: Field, depth: number): boolean {
  if (a === b || a === '' || isMissing(a)) return true
  checkDepth(depth)
  if (Array.isArray(a)) {
    if (!Array.isArray(b) || a.length > b.length) return false
    return a.every((item, i) => derives(item, b[i], inside(field), depth + 1))
  }
  if (!isObject(a)) return equalScalars(a, b, field)
  const data = field.emptyIsNone && isMissing(b) ? empty : b
  if (!isObject(data)) return false
  return Object.keys(a).every((key) => {
    // That a free key is there says something by itself.
    if (field.holds === 'text' && !isMissing(ownMember(a, key)) && ownMember(data, key) === undefined) return false
    return derives(ownMember(a, key), ownMember(data, key), fieldOf(key, field), depth + 1)
  })
}

/** What is in a list, or under a free key, has no name that says what it is; none of it is as good as absent. */
function inside(field: Field): Field {
  return field.emptyIsNone ? { ...field, emptyIsNone: false } : field
}

function isMissing(value: unknown): boolean {
  return value === undefined || value === null || (Array.isArray(value) && value.length === 0)
}

function equalScalars(a: unknown, b: unknown, { holds }: Field): boolean {
  if (typeof a === 'bigint') return isWhole(b) && BigInt(b) === a
  if (typeof b === 'bigint') return isWhole(a) && BigInt(a) === b
  if (holds === 'quantities')
    return isAmount(a) && isAmount(b) && isSame(a, b, (x, y) => parseQuantity(x).equals(parseQuantity(y)))
  if (holds === 'time' && typeof a === 'string' && typeof b === 'string') {
    return isSame(a, b, (x, y) => parseTimeNanoseconds(x) === parseTimeNanoseconds(y))
  }
  return false
}

/** Whether a comparison that texts may not be fit for says that they are the same. */
function isSame<T>(a: T, b: T, compare: (a: T, b: T) => boolean): boolean {
  try {
    return compare(a, b)
  } catch {
    return false
  }
}

function isWhole(value: unknown): value is number {
  return Number.isInteger(value)
}

function isAmount(value: unknown): value is string | number {
  return typeof value === 'string' || typeof value === 'number'
}
