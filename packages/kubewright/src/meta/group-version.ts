// Groups, versions, kinds and resources as text.

import { goQuote } from './go-quote.js'
import type { GroupVersionKind, GroupVersionResource } from './kind.js'
import { pathSegmentNameProblems } from './names.js'

/** `{ group: 'apps', version: 'v1' }`. The core group is `''`. */
export interface GroupVersion {
  readonly group: string
  readonly version: string
}

/** A kind in any version. */
export interface GroupKind {
  readonly group: string
  readonly kind: string
}

/** A resource in any version. */
export interface GroupResource {
  readonly group: string
  readonly resource: string
}

/**
 * Reads an `apiVersion`: `apps/v1`, or `v1` of the core group. The empty text is the empty group and version.
 *
 * @throws Error when there is more than one slash.
 */
export function parseGroupVersion(text: string): GroupVersion {
  if (text === '' || text === '/') return { group: '', version: '' }
  const [first = '', second, ...more] = text.split('/')
  if (more.length > 0) throw new Error(`unexpected GroupVersion string: ${text}`)
  return second === undefined ? { group: '', version: first } : { group: first, version: second }
}

/** Writes an `apiVersion`: `apps/v1`, `v1`. */
export function formatGroupVersion({ group, version }: GroupVersion): string {
  return group === '' ? version : `${group}/${version}`
}

/**
 * Sees to it that a group-version may be a part of a path: it leads to no other path of the server than its own.
 *
 * @throws TypeError saying what is wrong with it
 */
export function checkGroupVersion({ group, version }: GroupVersion): void {
  const problems = [
    ...(version === '' ? ['has no version'] : []),
    ...[group, version].flatMap((part) => pathSegmentNameProblems(part)),
  ]
  if (problems.length === 0) return
  const given = goQuote(group === '' ? version : `${group}/${version}`)
  throw new TypeError(`invalid group-version ${given}: [${problems.join(' ')}]; as apps/v1, or v1`)
}

/** Writes a resource with its version as client-go's messages have it: `apps/v1, Resource=deployments`. */
export function formatGroupVersionResource({ group, version, resource }: GroupVersionResource): string {
  return `${group}/${version}, Resource=${resource}`
}

/** Writes a kind with its version as client-go's messages have it: `apps/v1, Kind=Deployment`. */
export function formatGroupVersionKind({ group, version, kind }: GroupVersionKind): string {
  return `${group}/${version}, Kind=${kind}`
}

/** Writes `resource.group`; of the core group `resource`. */
export function formatGroupResource({ group, resource }: GroupResource): string {
  return group === '' ? resource : `${resource}.${group}`
}

/** Reads `Kind.group`. */
export function parseGroupKind(text: string): GroupKind {
  const [kind, group] = splitAtDot(text)
  return { group, kind }
}

/** Reads `resource.group`. */
export function parseGroupResource(text: string): GroupResource {
  const [resource, group] = splitAtDot(text)
  return { group, resource }
}

/**
 * Reads what may be `Kind.group` or `Kind.version.group`, as users write it, both ways: which one is meant, only a list of
 * the server's groups can tell. `groupVersionKind` is undefined where there are less than two dots.
 */
export function parseKindArg(text: string): { groupVersionKind: GroupVersionKind | undefined; groupKind: GroupKind } {
  const parts = splitAtTwoDots(text)
  const groupVersionKind = parts && { group: parts[2], version: parts[1], kind: parts[0] }
  return { groupVersionKind, groupKind: parseGroupKind(text) }
}

/** As {@link parseKindArg}, for `resource.group` and `resource.version.group`. */
export function parseResourceArg(text: string): {
  groupVersionResource: GroupVersionResource | undefined
  groupResource: GroupResource
} {
  const parts = splitAtTwoDots(text)
  const groupVersionResource = parts && { group: parts[2], version: parts[1], resource: parts[0] }
  return { groupVersionResource, groupResource: parseGroupResource(text) }
}

function splitAtDot(text: string): [name: string, group: string] {
  const dot = text.indexOf('.')
  return dot < 0 ? [text, ''] : [text.slice(0, dot), text.slice(dot + 1)]
}

function splitAtTwoDots(text: string): [name: string, version: string, group: string] | undefined {
  const [name, rest] = splitAtDot(text)
  return rest.includes('.') ? [name, ...splitAtDot(rest)] : undefined
}
