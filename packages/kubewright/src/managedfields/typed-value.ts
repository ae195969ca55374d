// A value with its schema: what can be asked of it and done with it once it is known to be what the schema says.

import type { Schema } from '../meta/index.js'
import { type Comparison, compare } from './compare.js'
import { FieldSet } from './field-set.js'
import { merge } from './merge.js'
import type { Path } from './path-element.js'
import { selectItems } from './select-items.js'
import { toFieldSet } from './to-field-set.js'
import { validate } from './validate.js'

/** Options of {@link TypedValue.of}. */
export interface TypedOptions {
  /** Takes lists with items that cannot be told apart, as stored objects may have. Off by default. */
  readonly allowDuplicates?: boolean
}

/** Options of {@link TypedValue.extractItems}. */
export interface ExtractItemsOptions {
  /** Also keeps the key fields of list items that are kept. Off by default. */
  readonly appendKeyFields?: boolean
}

/**
 * A value and its schema: typed.TypedValue of structured-merge-diff.
 *
 * **Guarantees**: no method changes the value; results share parts with what they are made of.
 */
export class TypedValue {
  readonly value: unknown
  readonly schema: Schema

  private constructor(value: unknown, schema: Schema) {
    this.value = value
    this.schema = schema
  }

  /**
   * A value that is what the schema says.
   *
   * @throws SchemaError with all that is wrong with it
   * @throws Error for an object that is nested without end
   */
  static of(value: unknown, schema: Schema, { allowDuplicates = false }: TypedOptions = {}): TypedValue {
    validate(value, schema, allowDuplicates)
    return new TypedValue(value, schema)
  }

  /** The fields that the value has: those that its applier would own. */
  toFieldSet(): FieldSet {
    return toFieldSet(this.value, this.schema)
  }

  /**
   * This value with what `config` says of it: where both have a leaf, `config`'s is taken; nothing is removed.
   * Items of lists are in `config`'s order where it has any.
   *
   * @throws Error for a value of another schema
   */
  merge(config: TypedValue): TypedValue {
    this.#sameSchema(config)
    return new TypedValue(merge(this.value, config.value, this.schema), this.schema)
  }

  /**
   * What `other` adds to this value, removes from it and changes.
   *
   * @throws Error for a value of another schema
   */
  compare(other: TypedValue): Comparison {
    this.#sameSchema(other)
    return compare(this.value, other.value, this.schema)
  }

  /** The value without these fields and list items; null where nothing is left of what had something. */
  removeItems(items: FieldSet): TypedValue {
    return new TypedValue(selectItems(this.value, items, this.schema, false), this.schema)
  }

  /** The value with nothing but these fields and list items; null when it has none of them. */
  extractItems(items: FieldSet, { appendKeyFields = false }: ExtractItemsOptions = {}): TypedValue {
    const wanted = appendKeyFields ? items.union(this.#keyFieldsOf(items)) : items
    return new TypedValue(selectItems(this.value, wanted, this.schema, true), this.schema)
  }

  #keyFieldsOf(items: FieldSet): FieldSet {
    const mine = this.toFieldSet()
    const found = FieldSet.of()
    for (const path of items) if (mine.has(path)) for (const field of keyFieldsOn(path)) found.insert(field)
    return found
  }

  #sameSchema(other: TypedValue): void {
    if (other.schema !== this.schema) throw new Error('expected objects with types from the same schema')
  }
}

function* keyFieldsOn(path: Path): Generator<Path> {
  for (const [i, element] of path.entries()) {
    if (!('key' in element)) continue
    for (const { name } of element.key) yield [...path.slice(0, i + 1), { fieldName: name }]
  }
}

/**
 * The fields that a value has: what a manager owns who applies it.
 *
 * @throws SchemaError for a value that is not what the schema says
 */
export const fieldSetOf = (value: unknown, schema: Schema): FieldSet => TypedValue.of(value, schema).toFieldSet()
