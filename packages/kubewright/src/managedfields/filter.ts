// Filters: which of its fields a manager may own. Strategies of the API server reset the others.

import type { FieldSet } from './field-set.js'
import { compareElements, makePath, type PathElement, type PathPart } from './path-element.js'

/** Says what of a set counts. */
export type FieldFilter = (set: FieldSet) => FieldSet

/** All but these fields and what is below them: of an update of the spec, `status`. */
export const excludeFields =
  (fields: FieldSet): FieldFilter =>
  (set) =>
    set.recursiveDifference(fields)

/** Any element, in a pattern of {@link includeFields}. */
export const anyElement: unique symbol = Symbol('any element')

/** The start of paths; `anyElement` matches every element. */
export type PathPattern = readonly (PathPart | typeof anyElement)[]

/**
 * Only the fields that begin with one of these patterns, and those that lead to them.
 *
 * @example
 * ```ts
 * includeFields(['spec', 'containers', anyElement, 'resources'])   // what the resize of a Pod may own
 * ```
 */
export function includeFields(...patterns: readonly PathPattern[]): FieldFilter {
  const matcher = new Matcher()
  for (const pattern of patterns)
    matcher.add(pattern.map((part) => (part === anyElement ? anyElement : (makePath(part)[0] as PathElement))))
  return (set) => matcher.filter(set)
}

class Matcher {
  /** Everything from here on. */
  #all = false
  readonly #members: { readonly element: PathElement | typeof anyElement; readonly below: Matcher }[] = []

  add([first, ...rest]: readonly (PathElement | typeof anyElement)[]): void {
    if (first === undefined) {
      this.#all = true
      return
    }
    let member = this.#members.find(({ element }) => matches(element, first))
    if (!member) this.#members.push((member = { element: first, below: new Matcher() }))
    member.below.add(rest)
  }

  filter(set: FieldSet): FieldSet {
    if (this.#all) return set
    return set.filter((element, children) => {
      const below = this.#below(element)
      return { member: below !== undefined, children: children && below?.filter(children) }
    })
  }

  /** Where any element matches, no other pattern of this level is looked at: as in structured-merge-diff. */
  #below(element: PathElement): Matcher | undefined {
    const any = this.#members.find((member) => member.element === anyElement)
    if (any) return any.below
    return this.#members.find(
      (member) => member.element !== anyElement && compareElements(member.element, element) === 0,
    )?.below
  }
}

const matches = (a: PathElement | typeof anyElement, b: PathElement | typeof anyElement): boolean =>
  a === anyElement || b === anyElement ? a === b : compareElements(a, b) === 0
