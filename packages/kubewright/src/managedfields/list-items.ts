// How the items of lists that merge are told apart.

import { goQuote, isObject, ownMember } from '../meta/index.js'
import { invalidElement, type PathElement, sortedKey } from './path-element.js'
import type { ListShape } from './shape.js'
import { isList } from './values.js'

/** The element that selects an item, or a text that says why there is none. */
export function itemElement(list: ListShape, item: unknown): PathElement | string {
  if (!list.associative) return 'invalid indexing of non-associative list'
  return list.keys.length > 0 ? keyed(list, item) : ofSet(item)
}

/** The element of an item; of what can have none, a null that was left of an item say, {@link invalidElement}. */
export function elementOfAny(list: ListShape, item: unknown): PathElement {
  const element = itemElement(list, item)
  return typeof element === 'string' ? invalidElement : element
}

function keyed({ keys, keyDefaults }: ListShape, item: unknown): PathElement | string {
  if (item === null || item === undefined) return 'associative list with keys may not have a null element'
  if (!isObject(item)) return 'associative list with keys may not have non-map elements'
  const key = []
  for (const name of keys) {
    // An item without the field is another than one that has it.
    const value = ownMember(item, name) ?? (ownMember(item, name) === undefined ? ownMember(keyDefaults, name) : null)
    if (value !== undefined) key.push({ name, value })
  }
  if (key.length === 0) {
    const names = `[${keys.map(goQuote).join(' ')}]`
    return `associative list with keys has an element that omits all key fields ${names} (and doesn't have default values for any key fields)`
  }
  return { key: sortedKey(key) }
}

function ofSet(item: unknown): PathElement | string {
  if (isObject(item)) return "associative list without keys has an element that's a map type"
  if (isList(item)) return 'not supported: associative list with lists as elements'
  if (item === null || item === undefined) return "associative list without keys has an element that's an explicit null"
  return { value: item }
}
