// Values as text: as Go prints them when they stand alone, as Go's encoding/json when they are or are to be JSON.

import { goJson, goNumber, isInt64, isObject } from '../meta/index.js'
import { circular, itemsOf, type JsonMap, keysOf } from './values.js'

/** A value as `-o jsonpath` prints it: maps and arrays as compact JSON, the rest as it reads. */
export function printValue(value: unknown): string {
  // client-go looks for nothing in nothing, which happens in the data alone.
  if (value === undefined) return '<no value>'
  if (typeof value === 'string') return value
  if (typeof value === 'number' && !isInt64(value)) return printFraction(value)
  return jsonOf(value)
}

/** JSON as Go writes it: keys sorted, HTML escaped; on one line without `indent`. Deep data is no danger. */
export function jsonOf(root: unknown, indent = ''): string {
  const open: Container[] = []
  const above = new Set<object>()
  const newLine = (): string => (indent === '' ? '' : `\n${indent.repeat(open.length)}`)
  let text = ''
  let value = root
  for (;;) {
    const container = containerOf(value)
    if (container === undefined) text += scalar(value)
    else if (container.items.length === 0) text += container.brackets
    else {
      if (above.has(container.source)) throw circular()
      above.add(container.source)
      open.push(container)
      text += container.brackets[0]
    }
    let top = open.at(-1)
    while (top !== undefined && top.next === top.items.length) {
      open.pop()
      above.delete(top.source)
      text += newLine() + top.brackets[1]
      top = open.at(-1)
    }
    if (top === undefined) return text
    if (top.next > 0) text += ','
    text += newLine()
    const key = top.keys?.[top.next]
    if (key !== undefined) text += `${goJson(key)}:${indent === '' ? '' : ' '}`
    value = top.items[top.next++]
  }
}

interface Container {
  readonly source: object
  readonly brackets: '{}' | '[]'
  readonly keys: readonly string[] | undefined
  readonly items: readonly unknown[]
  next: number
}

function containerOf(value: unknown): Container | undefined {
  if (Array.isArray(value)) {
    return { source: value, brackets: '[]', keys: undefined, items: itemsOf(value), next: 0 }
  }
  if (!isObject(value)) return undefined
  const prototype: unknown = Object.getPrototypeOf(value)
  if (prototype !== Object.prototype && prototype !== null) throw notJSON(constructorOf(value))
  return { source: value, brackets: '{}', keys: keysOf(value), items: itemsOf(value), next: 0 }
}

function constructorOf(value: JsonMap): string {
  return typeof value.constructor === 'function' ? value.constructor.name : 'an object'
}

function scalar(value: unknown): string {
  if (value === null || value === undefined) return 'null'
  if (typeof value === 'string') return goJson(value)
  if (typeof value === 'boolean') return String(value)
  if (typeof value === 'bigint') return value.toString()
  if (typeof value !== 'number') throw notJSON(typeof value)
  if (!Number.isFinite(value)) throw notJSON(String(value))
  return String(value)
}

function printFraction(value: number): string {
  if (!Number.isFinite(value)) throw notJSON(String(value))
  return goNumber(value)
}

const notJSON = (what: string): TypeError =>
  new TypeError(`cannot print a value that JSON does not have (${what}): objects of the API are plain data`)
