// The LabelSelector of the API's objects, as Deployments and Services have it, and the selectors of queries.

import type { LabelSelector, LabelSelectorRequirement } from '../gen/api/meta/v1.js'
import { goQuote } from './go-quote.js'
import { newRequirement, type Operator, type Requirement } from './labels/requirement.js'
import { everything, nothing, parseLabelSelector, type Selector, selectorFromRequirements } from './labels/selector.js'
import { messageOf } from './message-of.js'
import type { DeepReadonly } from './object.js'

const operators: Readonly<Record<string, Operator>> = { In: 'in', NotIn: 'notin', Exists: 'exists', DoesNotExist: '!' }
const names: Readonly<Partial<Record<Operator, string>>> = {
  in: 'In',
  notin: 'NotIn',
  exists: 'Exists',
  '!': 'DoesNotExist',
}

/**
 * The selector that an object's LabelSelector means. Undefined matches nothing, an empty one everything.
 *
 * @throws Error in apimachinery's words when a key, value or operator is invalid.
 */
export function labelSelectorAsSelector(selector: DeepReadonly<LabelSelector> | undefined): Selector {
  if (selector === undefined || selector === null) return nothing
  const { matchLabels = {}, matchExpressions = [] } = selector
  const requirements: Requirement[] = Object.entries(matchLabels).map(([key, value]) =>
    newRequirement(key, '=', [value]),
  )
  for (const { key, operator, values } of matchExpressions) {
    const meant = Object.hasOwn(operators, operator) ? operators[operator] : undefined
    if (meant === undefined) throw new Error(`${goQuote(operator)} ${notAnOperator}`)
    requirements.push(newRequirement(key, meant, values?.length ? values : undefined))
  }
  return requirements.length === 0 ? everything : selectorFromRequirements(requirements)
}

/**
 * The LabelSelector that a selector's text means, for an object's spec.
 *
 * @throws Error when the text is no selector, or has an operator (`!=` apart from `notin`, `>`, `<`) that a
 * LabelSelector has not.
 */
export function parseToLabelSelector(text: string): Required<LabelSelector> {
  const matchLabels: Record<string, string> = {}
  const matchExpressions: LabelSelectorRequirement[] = []
  for (const { key, operator, values } of parsed(text).requirements) {
    const [value] = values
    if ((operator === '=' || operator === '==') && value !== undefined) {
      matchLabels[key] = value
      continue
    }
    const name = names[operator]
    if (name === undefined) {
      const problem = operator === 'gt' || operator === 'lt' ? "isn't supported in label selectors" : notAnOperator
      throw new Error(`${goQuote(operator)} ${problem}`)
    }
    matchExpressions.push({ key, operator: name, values: [...values] })
  }
  return { matchLabels, matchExpressions }
}

const notAnOperator = 'is not a valid label selector operator'

function parsed(text: string): Selector {
  try {
    return parseLabelSelector(text)
  } catch (err) {
    throw new Error(`couldn't parse the selector string "${text}": ${messageOf(err)}`, { cause: err })
  }
}
