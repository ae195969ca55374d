// What an object's metadata may hold. Each check lists what is wrong, in the API server's words; an empty list is good.

import type { OwnerReference } from '../gen/api/meta/v1.js'
import { goJson, goQuote } from './go-quote.js'
import { formatGroupVersion, parseGroupVersion } from './group-version.js'
import { labelKeyProblems } from './labels/index.js'

const maxAnnotationBytes = 256 * 1024

/**
 * What is wrong with a `generateName`, where names have to meet the check: `generateNameProblems('web-',
 * dns1123SubdomainProblems)`. It may end in a dash.
 */
export function generateNameProblems(base: string, nameProblems: (name: string) => string[]): string[] {
  return nameProblems(masked(base))
}

/** What is wrong with annotations: their keys, or all of them together, which may be 256 KiB. */
export function annotationsProblems(annotations: Readonly<Record<string, string>> | undefined): string[] {
  const entries = Object.entries(annotations ?? {})
  const problems = entries.flatMap(([key]) =>
    labelKeyProblems(key.toLowerCase()).map((problem) => `Invalid value: ${goQuote(key)}: ${problem}`),
  )
  const encoder = new TextEncoder()
  const size = entries.flat().reduce((sum, text) => sum + encoder.encode(text).length, 0)
  if (size > maxAnnotationBytes) problems.push(`Too long: may not be more than ${maxAnnotationBytes} bytes`)
  return problems
}

/** What is wrong with finalizers: their names, or that the two of the garbage collector exclude each other. */
export function finalizersProblems(finalizers: readonly string[] | undefined): string[] {
  const names = finalizers ?? []
  const problems = names.flatMap((name) =>
    labelKeyProblems(name).map((problem) => `Invalid value: ${goQuote(name)}: ${problem}`),
  )
  if (names.includes('orphan') && names.includes('foregroundDeletion')) {
    problems.push(`Invalid value: ${goJson(names)}: finalizer orphan and foregroundDeletion cannot be both set`)
  }
  return problems
}

/** What is wrong with owner references, each problem with the field it is of. */
export function ownerReferencesProblems(references: readonly OwnerReference[] | undefined): string[] {
  const problems = (references ?? []).flatMap(ownerReferenceProblems)
  const controllers = (references ?? []).filter(({ controller }) => controller)
  for (const { kind, name } of controllers.slice(1)) {
    const first = `${controllers[0]?.kind}/${controllers[0]?.name}`
    problems.push(
      'Only one reference can have Controller set to true. ' +
        `Found "true" in references for ${first} and ${kind}/${name}`,
    )
  }
  return problems
}

/** As if a name went on behind a dash at the end. As in Go, the character before the dash counts for nothing. */
function masked(base: string): string {
  if (base.length < 2 || !base.endsWith('-')) return base
  return base.charCodeAt(base.length - 2) < 0x80 ? `${base.slice(0, -2)}a` : base.slice(0, -1)
}

function ownerReferenceProblems({ apiVersion, kind, name, uid }: OwnerReference): string[] {
  const problems: string[] = []
  const groupVersion = groupVersionOf(apiVersion)
  if (groupVersion.version === '') {
    problems.push(`apiVersion: Invalid value: ${goQuote(apiVersion)}: version must not be empty`)
  }
  for (const [field, value] of Object.entries({ kind, name, uid })) {
    if (value === '') problems.push(`${field}: Invalid value: "": must not be empty`)
  }
  if (formatGroupVersion(groupVersion) === 'v1' && kind === 'Event') {
    problems.push('/v1, Kind=Event is disallowed from being an owner')
  }
  return problems
}

function groupVersionOf(apiVersion: string): { group: string; version: string } {
  try {
    return parseGroupVersion(apiVersion)
  } catch {
    return { group: '', version: '' }
  }
}
