// From what a server sends to references in a cache's memory, without decoding the objects.

import type { KubernetesObject, WatchEvent } from '../../meta/index.js'
import { ByteFilter, type FieldFilterOptions } from './byte-filter.js'
import { Members, skipSpace, skipValue, stringAt, textAt } from './json-bytes.js'
import { ObjectRef, type RefType } from './object-ref.js'
import type { Slabs } from './slabs.js'

const closeBrace = 0x7d
const closeBracket = 0x5d
const comma = 0x2c
const openBrace = 0x7b

/** Reads the objects of one cache. */
export class ObjectReader<T extends KubernetesObject> {
  readonly #slabs: Slabs
  readonly #type: RefType
  readonly #filter: ByteFilter | undefined

  /** @throws TypeError for a path of a field that is none */
  constructor(slabs: Slabs, type: RefType, filter: FieldFilterOptions = {}) {
    this.#slabs = slabs
    this.#type = type
    this.#filter = filter.pick || filter.drop?.length ? new ByteFilter(filter) : undefined
  }

  /** One object, such as an item of a list. @throws SyntaxError when it is none */
  object(bytes: Uint8Array): ObjectRef<T> {
    return this.#read(bytes, skipSpace(bytes, 0), bytes.length)
  }

  /**
   * One event of a watch, whose object is a reference if it is of the kind that is watched. Bookmarks, errors and what is
   * of another kind are decoded.
   *
   * @throws SyntaxError when it is no JSON, as far as that can be seen without decoding it, or more than one event.
   */
  event(bytes: Uint8Array): WatchEvent<ObjectRef<T>> {
    if (mayBeSeveral(bytes)) refuseSeveral(bytes)
    const members = new Members(bytes, skipSpace(bytes, 0), bytes.length)
    let type: string | undefined
    let [start, end] = [-1, -1]
    while (members.next()) {
      if (members.keyIs('type')) {
        type = stringAt(bytes, members.valueStart, members.valueEnd)
      } else if (members.keyIs('object')) {
        start = members.valueStart
        // An event has these two and no more: behind the object there is a brace. That spares a look at all of its bytes.
        end = type === undefined ? members.valueEnd : endBeforeBrace(bytes)
        if (type !== undefined) break
      }
    }
    if (type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED') {
      if (start >= 0 && bytes[start] === openBrace && this.#isOfKind(bytes, start, end)) {
        return { type, object: this.#read(bytes, start, end) }
      }
    }
    return this.#type.parse(textAt(bytes, 0, bytes.length)) as WatchEvent<ObjectRef<T>>
  }

  #read(source: Uint8Array, start: number, end: number): ObjectRef<T> {
    const room = this.#slabs.reserve(end - start)
    let to: number
    if (this.#filter) {
      to = this.#filter.copy(source, start, end, room.bytes, room.start)
    } else {
      room.bytes.set(source.subarray(start, end), room.start)
      to = room.start + end - start
    }
    return new ObjectRef<T>(this.#slabs, to - room.start, this.#type)
  }

  /** Events name the kind of their object; one that does not is taken for the kind that is watched, if it has metadata. */
  #isOfKind(bytes: Uint8Array, start: number, end: number): boolean {
    const members = new Members(bytes, start, end)
    let hasOther = false
    while (members.next()) {
      const isKind = members.keyIs('kind')
      if (isKind || members.keyIs('apiVersion')) {
        const value = stringAt(bytes, members.valueStart, members.valueEnd)
        if (value !== (isKind ? this.#type.kind : this.#type.apiVersion)) return false
        if (hasOther) return true
        hasOther = true
      } else if (members.keyIs('metadata')) {
        return true
      }
    }
    return hasOther
  }
}

/**
 * Whether these bytes may be more than one document: nothing but a comma or a closing bracket follows a closing brace
 * inside of one, except in a string. Servers write a newline behind each event, which spares a real look at all of them.
 */
function mayBeSeveral(bytes: Uint8Array): boolean {
  const last = trimEnd(bytes, bytes.length) - 1
  for (let i = bytes.indexOf(closeBrace); i >= 0 && i < last; i = bytes.indexOf(closeBrace, i + 1)) {
    const next = bytes[i + 1]
    if (next !== comma && next !== closeBrace && next !== closeBracket) return true
  }
  return false
}

/** Without it the first event's object would take in all that follows, and the others would be lost. @throws SyntaxError */
function refuseSeveral(bytes: Uint8Array): void {
  const end = skipValue(bytes, skipSpace(bytes, 0), bytes.length)
  if (skipSpace(bytes, end) < bytes.length) throw new SyntaxError('there is more behind the event')
}

/** The offset of the last closing brace, behind nothing but the one that closes what is inside of it. @throws SyntaxError */
function endBeforeBrace(bytes: Uint8Array): number {
  const end = trimEnd(bytes, bytes.length)
  if (bytes[end - 1] !== closeBrace) throw new SyntaxError('the JSON does not end')
  return trimEnd(bytes, end - 1)
}

function trimEnd(bytes: Uint8Array, end: number): number {
  let i = end
  while (i > 0 && (bytes[i - 1] as number) <= 0x20) i--
  return i
}
