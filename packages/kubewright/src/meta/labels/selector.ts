// Label selectors: which objects a query is about.

import { parseRequirements } from './parse.js'
import { type Labels, newRequirement, type Requirement, requirementTest, requirementToString } from './requirement.js'

/** A set of requirements that labels must all meet. Immutable. */
export interface Selector {
  /** Sorted by key. */
  readonly requirements: readonly Requirement[]
  /** Whether every set of labels matches. */
  readonly empty: boolean
  /** Whether the labels meet all requirements. Absent labels are as good as none. */
  matches(labels: Labels | undefined): boolean
  /** The selector as text: what `labelSelector` of the API's options takes. */
  toString(): string
}

/** A selector of these requirements; none: matches everything. */
export function selectorFromRequirements(requirements: readonly Requirement[]): Selector {
  const sorted = Object.freeze([...requirements].sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0)))
  const tests = sorted.map(requirementTest)
  return Object.freeze({
    requirements: sorted,
    empty: sorted.length === 0,
    matches: (labels: Labels | undefined) => tests.every((test) => test(labels ?? noLabels)),
    toString: () => sorted.map(requirementToString).join(','),
  })
}

/**
 * Reads a selector: requirements joined by commas, each one of `key=value`, `key==value`, `key!=value`,
 * `key in (a,b)`, `key notin (a,b)`, `key`, `!key`, `key>1`, `key<1`. The empty text matches everything.
 *
 * @throws Error that says what was found and what was expected, in apimachinery's words.
 */
export function parseLabelSelector(text: string): Selector {
  return selectorFromRequirements(parseRequirements(text))
}

/**
 * A selector of exactly these labels; none: matches everything.
 *
 * @throws Error when a key or value is no valid label.
 */
export function selectorFromSet(set: Labels): Selector {
  return selectorFromRequirements(
    Object.entries(set).flatMap(([key, value]) => (value === undefined ? [] : [newRequirement(key, '=', [value])])),
  )
}

/** Matches all labels. */
export const everything: Selector = selectorFromRequirements([])

/** Matches no labels; as text it would match all, so it is for local use only. */
export const nothing: Selector = Object.freeze({
  requirements: Object.freeze([]),
  empty: false,
  matches: () => false,
  toString: () => '',
})

const noLabels: Labels = Object.freeze({})
