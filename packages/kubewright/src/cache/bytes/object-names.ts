// What names an object, read out of its bytes.

import { Members, stringAt } from './json-bytes.js'

const slash = 0x2f
const quote = 0x22
const backslash = 0x5c

/** What a cache has at hand of each object. */
export interface ObjectNames {
  /** `namespace/name`, or `name` for objects without a namespace. */
  readonly key: string
  /** `''` where there is none. */
  readonly resourceVersion: string
}

/** The offset of a member's value; -1 where the object that begins at `at` has none of that name. @throws SyntaxError */
export function findMember(bytes: Uint8Array, at: number, end: number, key: string): number {
  const members = new Members(bytes, at, end)
  while (members.next()) if (members.keyIs(key)) return members.valueStart
  return -1
}

/** The offset of the metadata of the object that begins at `at`. @throws SyntaxError when it has none */
export function findMetadata(bytes: Uint8Array, at: number, end: number): number {
  const found = findMember(bytes, at, end, 'metadata')
  if (found < 0) throw new SyntaxError('the object has no metadata')
  return found
}

/**
 * The names in the metadata that begins at `at`. Servers write them first: what follows them is not looked at.
 *
 * @throws SyntaxError when there is no name
 */
export function readNames(
  bytes: Uint8Array,
  at: number,
  end: number,
  { namespaced }: { namespaced: boolean },
): ObjectNames {
  const members = new Members(bytes, at, end)
  let [nameAt, nameEnd] = [0, 0]
  let [namespaceAt, namespaceEnd] = [0, 0]
  let resourceVersion: string | undefined
  let missing = namespaced ? 3 : 2
  while (missing > 0 && members.next()) {
    if (members.keyIs('name')) {
      nameAt = members.valueStart
      nameEnd = members.valueEnd
    } else if (members.keyIs('namespace')) {
      namespaceAt = members.valueStart
      namespaceEnd = members.valueEnd
    } else if (members.keyIs('resourceVersion')) {
      resourceVersion = stringAt(bytes, members.valueStart, members.valueEnd)
    } else {
      continue
    }
    missing--
  }
  const key =
    plainKey(bytes, namespaceAt, namespaceEnd, nameAt, nameEnd) ??
    keyOf(bytes, namespaceAt, namespaceEnd, nameAt, nameEnd)
  return { key, resourceVersion: resourceVersion ?? '' }
}

/** Where keys are put together: one that is made of two strings takes more than twice the memory until it is looked up. */
let scratch: Buffer | undefined
const scratchSize = 512

/** The key, if both strings are of ASCII without escapes, as names are. */
function plainKey(
  bytes: Uint8Array,
  namespaceAt: number,
  namespaceEnd: number,
  nameAt: number,
  nameEnd: number,
): string | undefined {
  // Quotes included, and an offset of 0 for what is missing.
  if (nameEnd - nameAt <= 2 || namespaceEnd - namespaceAt <= 2) return undefined
  if (bytes[nameAt] !== quote || bytes[namespaceAt] !== quote) return undefined
  if (nameEnd - nameAt + namespaceEnd - namespaceAt > scratchSize) return undefined
  scratch ??= Buffer.allocUnsafeSlow(scratchSize)
  let length = copyPlain(bytes, namespaceAt + 1, namespaceEnd - 1, scratch, 0)
  if (length < 0) return undefined
  scratch[length] = slash
  length = copyPlain(bytes, nameAt + 1, nameEnd - 1, scratch, length + 1)
  return length < 0 ? undefined : scratch.toString('latin1', 0, length)
}

/** @returns the offset in `to` behind the copy; -1 when there is a byte that stands for something else. */
function copyPlain(bytes: Uint8Array, start: number, end: number, to: Uint8Array, at: number): number {
  let length = at
  for (let i = start; i < end; i++) {
    const byte = bytes[i] as number
    if (byte === backslash || byte >= 0x80) return -1
    to[length++] = byte
  }
  return length
}

function keyOf(bytes: Uint8Array, namespaceAt: number, namespaceEnd: number, nameAt: number, nameEnd: number): string {
  const name = nameAt > 0 ? stringAt(bytes, nameAt, nameEnd) : undefined
  if (!name) throw new SyntaxError('the object has no metadata.name')
  const namespace = namespaceAt > 0 ? stringAt(bytes, namespaceAt, namespaceEnd) : undefined
  return namespace ? `${namespace}/${name}` : name
}
