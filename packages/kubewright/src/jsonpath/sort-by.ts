// kubectl's --sort-by.

import { compareText, goQuote, goType, isNumber, parseQuantity, type Quantity } from '../meta/index.js'
import { jsonPath } from './json-path.js'
import { relaxedJSONPathExpression } from './relaxed-expression.js'
import { compareNumbers } from './values.js'

/**
 * The objects in the order of what a path finds in each, as `kubectl get --sort-by` has them: `metadata.name`,
 * `{.spec.replicas}`. Objects without the field come first, then those where it is null. Numbers go by size, two
 * quantities (`1Gi`, `500m`, `12`) by amount, other text by its bytes, which for times in UTC is their order.
 *
 * **Guarantees**
 * - A new array; what compares equal keeps its order.
 *
 * **Caveats**
 * - Where some texts are quantities and some are not (`9`, `10`, `1a`), there is no order that all pairs agree on.
 *
 * @throws Error when the path cannot be read, none of the objects has it, or two values found do not compare
 */
export function sortBy<T>(objects: readonly T[], path: string): T[] {
  const template = relaxedJSONPathExpression(path)
  const parsed = jsonPath(template, { allowMissingKeys: true })
  if (objects.length === 0) return []
  const entries = objects.map((object) => sortKeyOf(object, parsed.findResults(object)[0]))
  if (!entries.some(({ isFound }) => isFound)) {
    throw new Error(`couldn't find any field with path ${goQuote(template)} in the list of objects`)
  }
  return entries.sort((a, b) => compareKeys(a, b, template)).map(({ object }) => object)
}

interface SortKey<T> {
  readonly object: T
  readonly isFound: boolean
  readonly value: unknown
  readonly quantity: Quantity | undefined
}

function sortKeyOf<T>(object: T, results: readonly unknown[] = []): SortKey<T> {
  const value = results[0] ?? undefined
  return { object, isFound: results.length > 0, value, quantity: quantityOf(value) }
}

function quantityOf(value: unknown): Quantity | undefined {
  if (typeof value !== 'string') return undefined
  try {
    return parseQuantity(value)
  } catch {
    return undefined
  }
}

function compareKeys<T>(a: SortKey<T>, b: SortKey<T>, template: string): number {
  if (!a.isFound || !b.isFound) return Number(a.isFound) - Number(b.isFound)
  const [x, y] = [a.value, b.value]
  if (x === undefined || y === undefined) return Number(x !== undefined) - Number(y !== undefined)
  if (a.quantity && b.quantity) return a.quantity.cmp(b.quantity)
  if (typeof x === 'string' && typeof y === 'string') return compareText(x, y)
  if (isNumber(x) && isNumber(y)) return compareNumbers(x, y)
  throw new Error(`cannot sort by ${template}: ${problemOf(x, y)}`)
}

function problemOf(x: unknown, y: unknown): string {
  const unsortable = [x, y].find((value) => typeof value !== 'string' && !isNumber(value))
  if (unsortable !== undefined) return `unsortable type: ${goType(unsortable)}`
  return `${goType(x)} and ${goType(y)} have no order`
}
