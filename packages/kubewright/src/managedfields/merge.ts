// Merging what is applied into what is there.

import { isObject, ownMember, type Schema, setMember } from '../meta/index.js'
import { itemElement } from './list-items.js'
import { formatElement, formatPath, type PathElement, serializeElement } from './path-element.js'
import { noType, SchemaError, type SchemaProblem } from './schema-error.js'
import { deduce, fieldOf, type ListShape, type MapShape, type Shape, shapeOf } from './shape.js'
import { scalarProblem } from './validate.js'
import { isEmptyMap, isList, type JsonObject, keysOf } from './values.js'

/** `lhs` with what `rhs` says of it. The result shares parts with both. */
export function merge(lhs: unknown, rhs: unknown, schema: Schema): unknown {
  const merger = new Merger()
  const merged = merger.visit(schema, lhs, rhs)
  if (merger.problems.length > 0) throw new SchemaError(merger.problems)
  return merged
}

/** The right side where it says anything. */
const pick = (lhs: unknown, rhs: unknown): unknown => (rhs !== undefined ? rhs : lhs)

class Merger {
  problems: SchemaProblem[] = []
  readonly #path: PathElement[] = []

  #problem(message: string): undefined {
    this.problems.push({ path: formatPath(this.#path), message })
    return undefined
  }

  visit(schema: Schema | undefined, lhs: unknown, rhs: unknown): unknown {
    if (!schema) return this.#problem(noType)
    const shape = shapeOf(schema)
    const left = deduce(shape, lhs)
    const right = deduce(shape, rhs)
    if (rhs === undefined) return this.#visitShape(left, lhs, rhs)
    return this.#visitShape(right, lhs, rhs)
  }

  #visitShape({ map, scalar, list }: Shape, lhs: unknown, rhs: unknown): unknown {
    if (map) return this.#visitMap(map, isObject(lhs) ? lhs : undefined, isObject(rhs) ? rhs : undefined, lhs, rhs)
    if (scalar) return this.#visitScalar(scalar, lhs, rhs)
    if (list) return this.#visitList(list, lhs, rhs)
    return this.#problem(noType)
  }

  #visitScalar(scalar: Shape['scalar'], lhs: unknown, rhs: unknown): unknown {
    const left = scalarProblem(scalar, lhs, { prefix: 'lhs: ' })
    const right = scalarProblem(scalar, rhs, { prefix: 'rhs: ' })
    if (left !== undefined && right !== undefined) {
      this.#problem(left)
      return this.#problem(right)
    }
    return pick(lhs, rhs)
  }

  #visitMap(
    map: MapShape,
    lhs: JsonObject | undefined,
    rhs: JsonObject | undefined,
    left: unknown,
    right: unknown,
  ): unknown {
    // Two empty ones are a leaf, so that empty and null stay what they are.
    if (map.atomic || ((!lhs || isEmptyMap(lhs)) && (!rhs || isEmptyMap(rhs)))) return pick(left, right)
    const out: Record<string, unknown> = {}
    const visit = (name: string): void => {
      this.#path.push({ fieldName: name })
      const value = this.visit(
        fieldOf(map, name) ?? map.values,
        lhs && ownMember(lhs, name),
        rhs && ownMember(rhs, name),
      )
      this.#path.pop()
      if (value !== undefined) setMember(out, name, value)
    }
    if (lhs) for (const name of keysOf(lhs)) visit(name)
    if (rhs) for (const name of keysOf(rhs)) if (!lhs || ownMember(lhs, name) === undefined) visit(name)
    return isEmptyMap(out) ? undefined : out
  }

  #visitList(list: ListShape, left: unknown, right: unknown): unknown {
    const lhs = isList(left) ? left : []
    const rhs = isList(right) ? right : []
    if (!list.associative || (lhs.length === 0 && rhs.length === 0)) return pick(left, right)
    const before = this.problems.length
    const ofRight = this.#index(list, rhs, false)
    const ofLeft = this.#index(list, lhs, true)
    if (this.problems.length > before) return undefined
    const out = mergeOrders(ofLeft, ofRight, (element, l, r) => this.#item(list, element, l, r))
    return out.length > 0 ? out : undefined
  }

  #item(list: ListShape, element: PathElement, lhs: unknown, rhs: unknown): unknown {
    // What is wrong inside an item is not told, as by the API server: validation has told it before.
    const { problems } = this
    this.problems = []
    this.#path.push(element)
    const value = this.visit(list.items, lhs, rhs)
    this.#path.pop()
    this.problems = problems
    return value
  }

  #index(list: ListShape, items: readonly unknown[], allowDuplicates: boolean): Indexed {
    const indexed: Indexed = { entries: [], byKey: new Map() }
    for (const [index, item] of items.entries()) {
      const element = itemElement(list, item)
      if (typeof element === 'string') {
        this.#problem(`element ${index}: ${element}`)
        continue
      }
      const key = serializeElement(element)
      const seen = indexed.byKey.has(key)
      if (seen && !allowDuplicates) {
        this.#problem(`duplicate entries for key ${formatElement(element)}`)
        continue
      }
      // Items that cannot be told apart merge with nothing.
      indexed.byKey.set(key, seen ? null : item)
      indexed.entries.push({ key, element, item })
    }
    return indexed
  }
}

interface Entry {
  readonly key: string
  readonly element: PathElement
  readonly item: unknown
}

interface Indexed {
  readonly entries: Entry[]
  readonly byKey: Map<string, unknown>
}

/** The items of both lists, those of the right in its order, and those of the left alone between those around them. */
function mergeOrders(
  lhs: Indexed,
  rhs: Indexed,
  mergeItem: (element: PathElement, lhs: unknown, rhs: unknown) => unknown,
): unknown[] {
  const out: unknown[] = []
  const take = (element: PathElement, left: unknown, right: unknown): void => {
    const value = mergeItem(element, left, right)
    if (value !== undefined) out.push(value)
  }
  const shared = rhs.entries.filter(({ key }) => lhs.byKey.has(key)).map(({ key }) => key)
  let next = 0
  const merged = new Set<string>()
  let l = 0
  let r = 0
  while (l < lhs.entries.length || r < rhs.entries.length) {
    const left = lhs.entries[l]
    const right = rhs.entries[r]
    if (left && right) {
      if (left.key === right.key) {
        merged.add(left.key)
        take(left.element, lhs.byKey.get(left.key), rhs.byKey.get(left.key))
        l++
        r++
        next++
        continue
      }
      const wanted = shared[next]
      if (wanted !== undefined && wanted !== left.key && rhs.byKey.has(left.key)) {
        // In both, but not the one whose turn it is.
        l++
        continue
      }
    }
    if (left) {
      if (!rhs.byKey.has(left.key)) {
        take(left.element, left.item, undefined)
        l++
        continue
      }
      if (merged.has(left.key)) l++
    }
    if (right) {
      merged.add(right.key)
      take(right.element, lhs.byKey.get(right.key), rhs.byKey.get(right.key))
      r++
      if (shared[next] === right.key) next++
    }
  }
  return out
}
