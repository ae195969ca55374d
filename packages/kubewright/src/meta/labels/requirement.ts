// One condition on an object's labels: a key, an operator and the values it is compared with.

import { goJson, goQuote } from '../go-quote.js'
import { parseInteger } from '../integer.js'
import { labelKeyProblems, labelValueProblems } from './validation.js'

/** How a {@link Requirement} compares. `=`, `==` and `in` mean the same, as do `!=` and `notin`. */
export type Operator = '=' | '==' | '!=' | 'in' | 'notin' | 'exists' | '!' | 'gt' | 'lt'

/** Labels of an object; absent is as good as empty. */
export type Labels = Readonly<Record<string, string | undefined>>

/** A condition on one label. Made by {@link newRequirement} or by parsing; immutable. */
export interface Requirement {
  readonly key: string
  readonly operator: Operator
  readonly values: readonly string[]
}

/**
 * Makes a requirement.
 *
 * @throws Error when the key or a value is no valid label, or the operator does not go with the number of values.
 */
export function newRequirement(key: string, operator: Operator, given?: readonly string[]): Requirement {
  const values = given ?? []
  const problems: string[] = []
  const keyProblems = labelKeyProblems(key)
  if (keyProblems.length > 0) problems.push(invalid('key', key, keyProblems.join('; ')))
  const countProblem = valueCountProblem(operator, values.length)
  if (countProblem) problems.push(invalid('values', given ?? null, countProblem))
  values.forEach((value, i) => {
    if ((operator === 'gt' || operator === 'lt') && parseInteger(value, 64) === undefined) {
      problems.push(invalid(`values[${i}]`, value, "for 'Gt', 'Lt' operators, the value must be an integer"))
    }
  })
  values.forEach((value, i) => {
    const valueProblems = labelValueProblems(value)
    if (valueProblems.length > 0) problems.push(invalid(`values[${i}][${key}]`, value, valueProblems.join('; ')))
  })
  const different = [...new Set(problems)]
  if (different.length === 1) throw new Error(different[0])
  if (different.length > 1) throw new Error(`[${different.join(', ')}]`)
  return Object.freeze({ key, operator, values: Object.freeze([...values]) })
}

/**
 * The test whether labels meet a requirement. A missing label meets `!=`, `notin` and `!`, and no other operator.
 *
 * Made once and asked of many objects, so what can be looked up beforehand is.
 */
export function requirementTest({ key, operator, values }: Requirement): (labels: Labels) => boolean {
  const [first = ''] = values
  switch (operator) {
    case 'in':
    case '=':
    case '==':
      if (values.length === 1) return (labels) => valueOf(labels, key) === first
      return (labels) => isOneOf(values, valueOf(labels, key))
    case 'notin':
    case '!=':
      if (values.length === 1) return (labels) => valueOf(labels, key) !== first
      return (labels) => !isOneOf(values, valueOf(labels, key))
    case 'exists':
      return (labels) => valueOf(labels, key) !== undefined
    case '!':
      return (labels) => valueOf(labels, key) === undefined
    case 'gt':
    case 'lt': {
      const bound = parseInteger(first, 64)
      return (labels) => {
        const actual = parseInteger(valueOf(labels, key) ?? '', 64)
        if (actual === undefined || bound === undefined) return false
        return operator === 'gt' ? actual > bound : actual < bound
      }
    }
  }
}

/** What objects inherit, such as `constructor`, is no text. */
function valueOf(labels: Labels, key: string): string | undefined {
  const value = labels[key]
  return typeof value === 'string' ? value : undefined
}

/** The values are frozen, which makes `includes` slow. */
function isOneOf(values: readonly string[], value: string | undefined): boolean {
  for (const each of values) if (each === value) return true
  return false
}

/** The requirement as text, as a selector is written. */
export function requirementToString({ key, operator, values }: Requirement): string {
  const list = [...values].sort().join(',')
  switch (operator) {
    case 'exists':
      return key
    case '!':
      return `!${key}`
    case 'in':
    case 'notin':
      return `${key} ${operator} (${list})`
    case 'gt':
      return `${key}>${list}`
    case 'lt':
      return `${key}<${list}`
    default:
      return `${key}${operator}${list}`
  }
}

/** The words in which the API reports a bad field. */
export function invalid(field: string, value: string | readonly string[] | null, problem: string): string {
  const shown = typeof value === 'string' ? goQuote(value) : goJson(value)
  return `${field}: Invalid value: ${shown}: ${problem}`
}

function valueCountProblem(operator: Operator, count: number): string | undefined {
  switch (operator) {
    case 'in':
    case 'notin':
      return count === 0 ? "for 'in', 'notin' operators, values set can't be empty" : undefined
    case '=':
    case '==':
    case '!=':
      return count === 1 ? undefined : 'exact-match compatibility requires one single value'
    case 'exists':
    case '!':
      return count === 0 ? undefined : 'values set must be empty for exists and does not exist'
    case 'gt':
    case 'lt':
      return count === 1 ? undefined : "for 'Gt', 'Lt' operators, exactly one value is required"
  }
}
