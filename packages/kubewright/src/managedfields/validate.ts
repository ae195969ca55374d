// Whether a value is what its schema says.

import { goType, goValue, isNumber, isObject, type Schema } from '../meta/index.js'
import { maxDepth } from './field-set.js'
import { itemElement } from './list-items.js'
import { formatElement, formatPath, type PathElement, serializeElement } from './path-element.js'
import { noType, SchemaError, type SchemaProblem } from './schema-error.js'
import { deduce, fieldOf, type ListShape, type MapShape, type Shape, shapeOf } from './shape.js'
import { goSyntax, isList, keysOf } from './values.js'

/** @throws SchemaError with all problems */
export function validate(value: unknown, schema: Schema, allowDuplicates: boolean): void {
  const walker = new Validator(allowDuplicates)
  walker.visit(schema, value)
  if (walker.problems.length > 0) throw new SchemaError(walker.problems)
}

/** What is wrong with a value as a scalar, with `prefix` before it and the value only if it may be `shown`; undefined for none. */
export function scalarProblem(
  scalar: Shape['scalar'],
  value: unknown,
  { prefix = '', shown = true }: { readonly prefix?: string; readonly shown?: boolean } = {},
): string | undefined {
  if (value === null || value === undefined) return undefined
  switch (scalar) {
    case 'numeric':
      return isNumber(value) ? undefined : `${prefix}expected numeric (int or float), got ${goType(value)}`
    case 'string':
      return typeof value === 'string'
        ? undefined
        : `${prefix}expected string, got &value.valueUnstructured{Value:${shown ? goSyntax(value) : '…'}}`
    case 'boolean':
      return typeof value === 'boolean'
        ? undefined
        : `${prefix}expected boolean, got &{${shown ? goValue(value) : '…'}}`
    default:
      return typeof value !== 'object'
        ? undefined
        : `${prefix}expected any scalar, got &{${shown ? goValue(value) : '…'}}`
  }
}

class Validator {
  readonly problems: SchemaProblem[] = []
  readonly #allowDuplicates: boolean
  readonly #path: PathElement[] = []

  constructor(allowDuplicates: boolean) {
    this.#allowDuplicates = allowDuplicates
  }

  #problem(message: string): void {
    this.problems.push({ path: formatPath(this.#path), message })
  }

  /** Not what is in the data of an object, which may be a Secret's, nor a whole object. */
  #mayShow(): boolean {
    const [first] = this.#path
    return first !== undefined && !('fieldName' in first && ['data', 'stringData'].includes(first.fieldName))
  }

  visit(schema: Schema | undefined, value: unknown): void {
    if (this.#path.length > maxDepth)
      throw new Error(`the object is nested deeper than ${maxDepth} levels; does it refer to itself?`)
    const { map, scalar, list } = schema ? deduce(shapeOf(schema), value) : ({} as Shape)
    if (map) this.#visitMap(map, value)
    else if (scalar) {
      const problem = scalarProblem(scalar, value, { shown: this.#mayShow() })
      if (problem !== undefined) this.#problem(problem)
    } else if (list) this.#visitList(list, value)
    else this.#problem(noType)
  }

  #descend(element: PathElement, schema: Schema | undefined, value: unknown): void {
    this.#path.push(element)
    this.visit(schema, value)
    this.#path.pop()
  }

  #visitMap(map: MapShape, value: unknown): void {
    if (value === null || value === undefined) return
    if (!isObject(value)) return this.#problem(`expected map, got &{${this.#mayShow() ? goValue(value) : '…'}}`)
    for (const name of keysOf(value)) {
      const schema = fieldOf(map, name) ?? map.values
      if (!schema) {
        this.problems.push({
          path: formatPath([...this.#path, { fieldName: name }]),
          message: 'field not declared in schema',
        })
        return
      }
      this.#descend({ fieldName: name }, schema, value[name])
    }
  }

  #visitList(list: ListShape, value: unknown): void {
    if (value === null || value === undefined) return
    if (!isList(value)) return this.#problem(`expected list, got &{${this.#mayShow() ? goValue(value) : '…'}}`)
    const seen = new Set<string>()
    for (const [index, item] of value.entries()) {
      if (!list.associative) {
        this.#descend({ index }, list.items, item)
        continue
      }
      const element = itemElement(list, item)
      if (typeof element === 'string') return this.#problem(`element ${index}: ${element}`)
      const key = serializeElement(element)
      if (seen.has(key) && !this.#allowDuplicates) this.#problem(`duplicate entries for key ${formatElement(element)}`)
      seen.add(key)
      this.#descend(element, list.items, item)
    }
  }
}
