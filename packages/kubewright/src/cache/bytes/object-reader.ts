// From what a server sends to references in a cache's memory, without decoding the objects.

import type { KubernetesObject, WatchEvent } from '../../meta/index.js'
import { ByteFilter, type FieldFilterOptions } from './byte-filter.js'
import { EventHead, EventHeads } from './event-heads.js'
import { asBuffer, Members, skipSpace, skipValue, stringAt, textAt } from './json-bytes.js'
import { findMetadata, readNames } from './object-names.js'
import { ObjectRef, type RefType } from './object-ref.js'
import type { Slabs } from './slabs.js'

const openBrace = 0x7b
const closeBrace = 0x7d

/** Reads the objects of one cache. */
export class ObjectReader<T extends KubernetesObject> {
  readonly #slabs: Slabs
  readonly #type: RefType
  readonly #filter: ByteFilter | undefined
  readonly #heads = new EventHeads()

  /** @throws TypeError for a path of a field that is none */
  constructor(slabs: Slabs, type: RefType, filter: FieldFilterOptions = {}) {
    this.#slabs = slabs
    this.#type = type
    this.#filter = filter.pick || filter.drop?.length ? new ByteFilter(filter) : undefined
  }

  /** One object, such as an item of a list. @throws SyntaxError when it is none */
  object(bytes: Uint8Array): ObjectRef<T> {
    const start = skipSpace(bytes, 0)
    const metadataAt = findMetadata(bytes, start, bytes.length)
    return this.#read(bytes, start, behindBrace(bytes, bytes.length), metadataAt)
  }

  /**
   * One event of a watch, whose object is a reference if it is of the kind that is watched. Bookmarks, errors and what is
   * of another kind are decoded.
   *
   * @throws SyntaxError when it is no JSON, as far as that can be seen without decoding it, or more than one event.
   */
  event(bytes: Uint8Array): WatchEvent<ObjectRef<T>> {
    const head = this.#heads.of(bytes)
    if (head && !hasSecondObject(bytes, head.length)) {
      return { type: head.type, object: this.#read(bytes, head.objectAt, objectEnd(bytes), head.metadataAt) }
    }
    return this.#eventOf(bytes)
  }

  #eventOf(bytes: Uint8Array): WatchEvent<ObjectRef<T>> {
    const members = new Members(bytes, skipSpace(bytes, 0), bytes.length)
    let type: string | undefined
    let [start, end] = [-1, -1]
    let endsWithObject = false
    while (!endsWithObject && members.next()) {
      if (members.keyIs('type')) {
        type = stringAt(bytes, members.valueStart, members.valueEnd)
      } else if (members.keyIs('object')) {
        start = members.valueStart
        if (hasSecondObject(bytes, start)) refuseSeveral(bytes)
        // An event has these two and no more: behind the object there is a brace. That spares a look at all of its bytes.
        endsWithObject = type !== undefined && bytes[start] === openBrace
        end = endsWithObject ? objectEnd(bytes) : members.valueEnd
      }
    }
    if (type === 'ADDED' || type === 'MODIFIED' || type === 'DELETED') {
      if (start >= 0 && bytes[start] === openBrace && this.#isOfKind(bytes, start, end)) {
        const metadataAt = findMetadata(bytes, start, end)
        const object = this.#read(bytes, start, end, metadataAt)
        if (endsWithObject) this.#heads.add(new EventHead(bytes, type, start, metadataAt))
        return { type, object }
      }
    }
    return this.#type.parse(textAt(bytes, 0, bytes.length)) as WatchEvent<ObjectRef<T>>
  }

  #read(source: Uint8Array, start: number, end: number, metadataAt: number): ObjectRef<T> {
    const names = readNames(source, metadataAt, end, this.#type)
    const room = this.#slabs.reserve(end - start)
    let to: number
    if (this.#filter) {
      to = this.#filter.copy(source, start, end, room.bytes, room.start)
    } else {
      room.bytes.set(source.subarray(start, end), room.start)
      to = room.start + end - start
    }
    return new ObjectRef<T>(this.#slabs, to - room.start, this.#type, names)
  }

  /** Events name the kind of their object; one that does not is taken for the kind that is watched, if it has metadata. */
  #isOfKind(bytes: Uint8Array, start: number, end: number): boolean {
    if (this.#type.ofAnyKind) return true
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

/** What a further event in the same line has. Not its quote before: those are so many that the search takes four times as long. */
const objectKey = /* @__PURE__ */ Buffer.from('object"')

/**
 * Whether there may be a second event behind the first one's object, which begins at `at`. Servers write a newline behind
 * each event, which spares a real look at all of its bytes.
 */
function hasSecondObject(bytes: Uint8Array, at: number): boolean {
  return asBuffer(bytes).indexOf(objectKey, at) >= 0
}

/** Without it the first event's object would take in all that follows, and the others would be lost. @throws SyntaxError */
function refuseSeveral(bytes: Uint8Array): void {
  const end = skipValue(bytes, skipSpace(bytes, 0), bytes.length)
  if (skipSpace(bytes, end) < bytes.length) throw new SyntaxError('there is more behind the event')
}

/** The end of an event's object: there are two closing braces, and nothing behind the outer one. @throws SyntaxError */
function objectEnd(bytes: Uint8Array): number {
  return behindBrace(bytes, behindBrace(bytes, bytes.length) - 1)
}

/** The offset behind the last closing brace before `end`, where nothing but space follows it. @throws SyntaxError */
function behindBrace(bytes: Uint8Array, end: number): number {
  let i = end
  while (i > 0 && (bytes[i - 1] as number) <= 0x20) i--
  if (bytes[i - 1] !== closeBrace) throw new SyntaxError('the JSON does not end')
  return i
}
