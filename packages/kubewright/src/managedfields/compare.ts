// What differs between two values.

import { isObject, ownMember, type Schema } from '../meta/index.js'
import { FieldSet } from './field-set.js'
import { itemElement } from './list-items.js'
import { formatPath, type PathElement, serializeElement } from './path-element.js'
import { noType, SchemaError, type SchemaProblem } from './schema-error.js'
import { deduce, fieldOf, type ListShape, type MapShape, type Shape, shapeOf } from './shape.js'
import { scalarProblem } from './validate.js'
import { equalValues, isEmptyMap, isList, type JsonObject, keysOf } from './values.js'
import { WalkedPath } from './walked-path.js'

/** How two values differ. No path is in more than one of the sets. */
export interface Comparison {
  /** What only the right value has. */
  readonly added: FieldSet
  /** What only the left value has. */
  readonly removed: FieldSet
  /** What both have, with another value. */
  readonly modified: FieldSet
}

export function compare(lhs: unknown, rhs: unknown, schema: Schema): Comparison {
  const comparer = new Comparer()
  comparer.visit(schema, lhs, rhs)
  if (comparer.problems.length > 0) throw new SchemaError(comparer.problems)
  return comparer.comparison
}

class Comparer {
  readonly problems: SchemaProblem[] = []
  readonly comparison = { added: FieldSet.of(), removed: FieldSet.of(), modified: FieldSet.of() }
  readonly #path: WalkedPath = new WalkedPath()

  #problem(message: string): boolean {
    this.problems.push({ path: formatPath(this.#path.elements), message })
    return false
  }

  visit(schema: Schema | undefined, lhs: unknown, rhs: unknown): void {
    const shape = schema ? shapeOf(schema) : {}
    const left = deduce(shape, lhs)
    const right = deduce(shape, rhs)
    if (rhs !== undefined && lhs !== undefined && left !== right) this.#visitShape(left, lhs, rhs)
    const leaf = this.#visitShape(rhs === undefined ? left : right, lhs, rhs)
    if (leaf) return
    if (lhs === undefined) this.comparison.added.insertWalked(this.#path)
    else if (rhs === undefined) this.comparison.removed.insertWalked(this.#path)
  }

  /** Whether the values were compared whole. */
  #visitShape({ map, scalar, list }: Shape, lhs: unknown, rhs: unknown): boolean {
    if (map) return this.#visitMap(map, lhs, rhs)
    if (scalar) return this.#visitScalar(scalar, lhs, rhs)
    if (list) return this.#visitList(list, lhs, rhs)
    return this.#problem(noType)
  }

  #leaf(lhs: unknown, rhs: unknown): true {
    const { added, removed, modified } = this.comparison
    if (lhs === undefined) added.insertWalked(this.#path)
    else if (rhs === undefined) removed.insertWalked(this.#path)
    else if (!equalValues(lhs, rhs)) modified.insertWalked(this.#path)
    return true
  }

  #visitScalar(scalar: Shape['scalar'], lhs: unknown, rhs: unknown): boolean {
    const left = scalarProblem(scalar, lhs, { prefix: 'lhs: ' })
    const right = scalarProblem(scalar, rhs, { prefix: 'rhs: ' })
    if (left === undefined || right === undefined) return this.#leaf(lhs, rhs)
    this.#problem(left)
    return this.#problem(right)
  }

  #visitMap(map: MapShape, left: unknown, right: unknown): boolean {
    const lhs: JsonObject = isObject(left) ? left : {}
    const rhs: JsonObject = isObject(right) ? right : {}
    if (map.atomic || (isEmptyMap(lhs) && isEmptyMap(rhs))) return this.#leaf(left, right)
    const visit = (name: string): void => {
      this.#path.push({ fieldName: name })
      this.visit(fieldOf(map, name) ?? map.values, ownMember(lhs, name), ownMember(rhs, name))
      this.#path.pop()
    }
    for (const name of keysOf(lhs)) visit(name)
    for (const name of keysOf(rhs)) if (ownMember(lhs, name) === undefined) visit(name)
    return false
  }

  #visitList(list: ListShape, left: unknown, right: unknown): boolean {
    const lhs = isList(left) ? left : []
    const rhs = isList(right) ? right : []
    if (!list.associative || (lhs.length === 0 && rhs.length === 0)) return this.#leaf(left, right)
    const ofLeft = this.#group(list, lhs)
    const ofRight = this.#group(list, rhs)
    for (const [key, { element, items }] of ofLeft)
      this.#visitItems(list, element, key, items, ofRight.get(key)?.items ?? [])
    for (const [key, { element, items }] of ofRight)
      if (!ofLeft.has(key)) this.#visitItems(list, element, key, [], items)
    return false
  }

  #group(list: ListShape, items: readonly unknown[]): Map<string, { element: PathElement; items: unknown[] }> {
    const groups = new Map<string, { element: PathElement; items: unknown[] }>()
    for (const [index, item] of items.entries()) {
      const element = itemElement(list, item)
      if (typeof element === 'string') {
        this.#problem(`element ${index}: ${element}`)
        continue
      }
      const key = serializeElement(element)
      const group = groups.get(key)
      if (group) group.items.push(item)
      else groups.set(key, { element, items: [item] })
    }
    return groups
  }

  /** Items of one element: one on each side as a rule, more where they cannot be told apart. */
  #visitItems(
    list: ListShape,
    element: PathElement,
    key: string,
    lhs: readonly unknown[],
    rhs: readonly unknown[],
  ): void {
    const { added, removed, modified } = this.comparison
    this.#path.push(element, key)
    if (lhs.length <= 1 && rhs.length <= 1) this.visit(list.items, lhs[0], rhs[0])
    else if (lhs.length >= 2 && rhs.length >= 2) {
      if (!equalValues(lhs, rhs)) modified.insertWalked(this.#path)
    } else if (lhs.length >= 2) {
      if (rhs.length > 0) this.visit(list.items, undefined, rhs[0])
      removed.insertWalked(this.#path)
    } else {
      if (lhs.length > 0) this.visit(list.items, lhs[0], undefined)
      added.insertWalked(this.#path)
    }
    this.#path.pop()
  }
}
