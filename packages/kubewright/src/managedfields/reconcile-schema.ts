// Field sets that were written when the schema was another: what was granular may be atomic now.

import type { Schema } from '../meta/index.js'
import { FieldSet } from './field-set.js'
import type { PathElement } from './path-element.js'
import { fieldOf, type MapShape, shapeOf } from './shape.js'
import { WalkedPath } from './walked-path.js'

/**
 * The set as its manager would own it by this schema: the whole of what is atomic now, instead of parts of it. Types
 * that became granular stay as they are.
 */
export function reconcileFieldSetWithSchema(set: FieldSet, schema: Schema): FieldSet {
  const reconciler = new Reconciler()
  reconciler.visit(schema, set, false)
  const { atomic } = reconciler
  return atomic.empty ? set : set.recursiveDifference(atomic).union(atomic)
}

class Reconciler {
  /** Roots of what is atomic now and was owned in parts. */
  readonly atomic: FieldSet = FieldSet.of()
  readonly #path: WalkedPath = new WalkedPath()

  visit(schema: Schema, set: FieldSet | undefined, whole: boolean): void {
    const { map, scalar, list } = shapeOf(schema)
    if (map) {
      if (isDeduced(map)) return
      if (!whole && map.atomic) {
        if (set && !set.empty) this.atomic.insertWalked(this.#path)
      } else if (set)
        this.#descend(
          set,
          (element) => ('fieldName' in element ? fieldOf(map, element.fieldName) : undefined) ?? map.values,
        )
    } else if (!scalar && list) {
      if (!whole && !list.associative) this.atomic.insertWalked(this.#path)
      else if (set) this.#descend(set, () => list.items)
    }
  }

  #descend(set: FieldSet, schemaOf: (element: PathElement) => Schema | undefined): void {
    for (const { element, member, children } of set.elements) {
      const schema = schemaOf(element)
      if (!schema) continue
      this.#path.push(element)
      this.visit(schema, children, member && !children)
      this.#path.pop()
    }
  }
}

/** Types of which nothing is known are not reconciled. */
const isDeduced = ({ fields, values }: MapShape): boolean =>
  values !== undefined &&
  (values.type === 'any' || (values.type === 'untyped' && !values.atomic)) &&
  (!fields || Object.keys(fields).length === 0)
