// Scales of all versions that servers have had, as autoscaling/v1 and back. They differ in how they say the selector.

import type { Scale, ScaleInput } from '../gen/api/autoscaling/v1.js'
import type { LabelSelector } from '../gen/api/meta/v1.js'
import {
  type DeepReadonly,
  formatGroupVersion,
  type GroupVersion,
  goQuote,
  labelSelectorAsSelector,
  messageOf,
  parseToLabelSelector,
} from '../meta/index.js'

const current = 'autoscaling/v1'
/** Their status has the selector as labels, and as text in `targetSelector`. */
const older = new Set(['extensions/v1beta1', 'apps/v1beta1', 'apps/v1beta2'])

/** Of any version: what the fields may be is what is to be found out. */
interface AnyScale {
  readonly kind?: unknown
  readonly apiVersion?: unknown
  readonly metadata?: Scale['metadata'] | null
  readonly spec?: { readonly replicas?: number | null } | null
  readonly status?: {
    readonly replicas?: number | null
    readonly selector?: string | Readonly<Record<string, string>> | null
    readonly targetSelector?: string | null
  } | null
}

/**
 * A Scale of the server as one of autoscaling/v1, with its selector in the order of the keys.
 *
 * @throws Error when it is none, or its selector cannot be read
 */
export function toScale(value: unknown): Scale {
  const scale = scaleOf(value)
  const { status, spec } = scale
  const selector = selectorOf(scale)
  return {
    kind: 'Scale',
    apiVersion: current,
    metadata: scale.metadata ?? {},
    spec: { replicas: spec?.replicas ?? 0 },
    status: {
      replicas: status?.replicas ?? 0,
      ...(selector && { selector: textOf(selector) }),
    },
  }
}

/**
 * A Scale in the version that a server's resource takes.
 *
 * @throws Error when the version has no Scale, or the selector cannot be read
 */
export function fromScale(scale: DeepReadonly<ScaleInput>, groupVersion: GroupVersion): object {
  const apiVersion = formatGroupVersion(groupVersion)
  if (apiVersion !== current && !older.has(apiVersion)) throw new Error(`${apiVersion} has no kind Scale`)
  const { metadata = {}, spec, status } = scale
  const selector = selectorOf({ ...scale, apiVersion: current } as AnyScale)
  const text = selector && textOf(selector)
  const labels = selector?.matchExpressions?.length === 0 ? selector.matchLabels : undefined
  const selectors =
    apiVersion === current
      ? { ...(text && { selector: text }) }
      : {
          ...(labels && Object.keys(labels).length > 0 && { selector: labels }),
          ...(text && { targetSelector: text }),
        }
  return {
    kind: 'Scale',
    apiVersion,
    metadata,
    spec: { replicas: spec?.replicas ?? 0 },
    status: { replicas: status?.replicas ?? 0, ...selectors },
  }
}

function scaleOf(value: unknown): AnyScale {
  const { kind, apiVersion } = (value ?? {}) as AnyScale
  if (kind === 'Scale' && typeof apiVersion === 'string' && (apiVersion === current || older.has(apiVersion))) {
    return value as AnyScale
  }
  const quoted = (text: unknown) => goQuote(typeof text === 'string' ? text : '')
  const found = `kind ${quoted(kind)} of ${quoted(apiVersion)}`
  throw new Error(
    `received an object from a /scale endpoint which was not convertible to autoscaling Scale: it is of ${found}`,
  )
}

function selectorOf({ apiVersion, status }: AnyScale): LabelSelector | undefined {
  const { selector, targetSelector } = status ?? {}
  const text = apiVersion === current ? selector : targetSelector
  if (typeof text === 'string' && text !== '') return parsedSelector(text)
  if (apiVersion === current || typeof selector !== 'object' || selector === null) return undefined
  return { matchLabels: selector, matchExpressions: [] }
}

function textOf(selector: LabelSelector): string {
  try {
    return labelSelectorAsSelector(selector).toString()
  } catch (err) {
    throw new Error(`invalid label selector: ${messageOf(err)}`, { cause: err })
  }
}

function parsedSelector(text: string): LabelSelector {
  try {
    return parseToLabelSelector(text)
  } catch (err) {
    throw new Error(`failed to parse target selector: ${messageOf(err)}`, { cause: err })
  }
}
