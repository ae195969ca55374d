// The fields that a value has: what its applier owns.

import { isObject, type Schema } from '../meta/index.js'
import { FieldSet } from './field-set.js'
import { elementOfAny } from './list-items.js'
import { serializeElement } from './path-element.js'
import { deduce, fieldOf, type ListShape, type MapShape, shapeOf } from './shape.js'
import { isEmptyMap, isList, keysOf } from './values.js'
import { WalkedPath } from './walked-path.js'

/** The fields of a value that was validated. */
export function toFieldSet(value: unknown, schema: Schema): FieldSet {
  const walker = new Walker()
  walker.visit(schema, value)
  return walker.set
}

class Walker {
  readonly set: FieldSet = FieldSet.of()
  readonly #path: WalkedPath = new WalkedPath()

  visit(schema: Schema, value: unknown): void {
    const { map, scalar, list } = deduce(shapeOf(schema), value)
    if (map) {
      if (map.atomic) this.set.insertWalked(this.#path)
      else if (isObject(value)) this.#visitMap(map, value)
    } else if (scalar) this.set.insertWalked(this.#path)
    else if (list) {
      if (!list.associative) this.set.insertWalked(this.#path)
      else if (isList(value)) this.#visitList(list, value)
    }
  }

  #visitMap(map: MapShape, value: Readonly<Record<string, unknown>>): void {
    for (const name of keysOf(value)) {
      const item = value[name]
      const field = fieldOf(map, name)
      this.#path.push({ fieldName: name })
      this.visit((field ?? map.values) as Schema, item)
      // A field without content is there for itself, and so is each key of a map.
      if (!field || item === null || (isObject(item) && isEmptyMap(item))) this.set.insertWalked(this.#path)
      this.#path.pop()
    }
  }

  #visitList(list: ListShape, value: readonly unknown[]): void {
    const elements = value.map((item) => elementOfAny(list, item))
    const keys = elements.map(serializeElement)
    const counts = new Map<string, number>()
    for (const key of keys) counts.set(key, (counts.get(key) ?? 0) + 1)
    for (const [i, element] of elements.entries()) {
      this.#path.push(element, keys[i])
      // Of items that cannot be told apart nothing more is known than that they are there.
      if (counts.get(keys[i] as string) === 1) this.visit(list.items, value[i])
      this.set.insertWalked(this.#path)
      this.#path.pop()
    }
  }
}
