// The operators of filters.

import { compareText, isNumber } from '../meta/index.js'
import { compareNumbers } from './values.js'

const badType = 'invalid type for comparison'
const badPair = 'incompatible types for comparison'

const operators: ReadonlyMap<string, (order: number) => boolean> = new Map([
  ['==', (order) => order === 0],
  ['!=', (order) => order !== 0],
  ['<', (order) => order < 0],
  ['<=', (order) => order <= 0],
  ['>', (order) => order > 0],
  ['>=', (order) => order >= 0],
])

/** Whether two values compare as the operator says, or why they do not compare at all, in Go's words. */
export function compare(left: unknown, operator: string, right: unknown): boolean | string {
  const holds = operators.get(operator)
  if (!holds) return `unrecognized filter operator ${operator}`
  if (!isBasic(left) || !isBasic(right)) return badType
  if (typeof left === 'string' && typeof right === 'string') return holds(compareText(left, right))
  if (typeof left === 'boolean' && typeof right === 'boolean') {
    const isEquality = operator === '==' || operator === '!='
    return isEquality ? holds(left === right ? 0 : 1) : badType
  }
  return isNumber(left) && isNumber(right) ? holds(compareNumbers(left, right)) : badPair
}

type Basic = string | boolean | number | bigint

function isBasic(value: unknown): value is Basic {
  return ['string', 'boolean', 'number', 'bigint'].includes(typeof value)
}
