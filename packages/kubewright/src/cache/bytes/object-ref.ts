// An object that is kept as the bytes it came in, and decoded when somebody reads it.

import type { KubernetesObject, OwnerReference } from '../../meta/index.js'
import { type FieldPath, keysOf } from './field-path.js'
import { skipValue, textAt } from './json-bytes.js'
import { findMember, type ObjectNames } from './object-names.js'
import { Piece, type Slabs } from './slabs.js'

const openBrace = 0x7b

/** What all objects of one cache have in common. */
export interface RefType {
  /** Of events that say otherwise, there are no references. Items of built-in lists do not say. */
  readonly apiVersion: string
  /** `''`: not known, or not yet. */
  readonly kind: string
  /** Of events too that say otherwise there are references. */
  readonly ofAnyKind?: boolean | undefined
  /** Whether to look for a namespace. */
  readonly namespaced: boolean
  /** Text of JSON to a value. @throws SyntaxError */
  readonly parse: (text: string) => unknown
}

/**
 * An object in a cache of bytes. What names it is at hand; all else is decoded from its bytes, anew at each reading, and
 * is the reader's own.
 *
 * **Guarantees**: it stands for the object as it was received, however long it is kept.
 */
export class ObjectRef<T extends KubernetesObject = KubernetesObject> extends Piece {
  /** `namespace/name`, or `name` for objects without a namespace. */
  readonly key: string
  readonly resourceVersion: string
  readonly #type: RefType

  /** Of the bytes that were written where the slabs have reserved room, and of what was read in them. */
  constructor(slabs: Slabs, byteLength: number, type: RefType, { key, resourceVersion }: ObjectNames) {
    super(slabs, byteLength)
    this.#type = type
    this.key = key
    this.resourceVersion = resourceVersion
  }

  get apiVersion(): string {
    return this.#type.apiVersion
  }

  get kind(): string {
    return this.#type.kind || ((this.field('kind') as string | undefined) ?? '')
  }

  get namespace(): string {
    return this.key.slice(0, Math.max(0, this.key.indexOf('/')))
  }

  get name(): string {
    return this.key.slice(this.key.indexOf('/') + 1)
  }

  get uid(): string {
    return this.metadata.uid ?? ''
  }

  get labels(): Record<string, string> {
    return this.metadata.labels ?? {}
  }

  /** The object's metadata. A field of it is decoded when it is read. */
  get metadata(): RefMetadata {
    return new RefMetadata(this)
  }

  /** One field, decoded; undefined where there is none. @throws TypeError for a path that is none */
  field(path: FieldPath): unknown {
    let at = this.start
    for (const key of keysOf(path)) {
      at = this.bytes[at] === openBrace ? findMember(this.bytes, at, this.#end, key) : -1
      if (at < 0) return undefined
    }
    return this.#decoded(at)
  }

  /** The whole object. @throws SyntaxError when what the server sent began like an object, but is none */
  decode(): T {
    const { apiVersion, kind, parse } = this.#type
    return { apiVersion, kind, ...(parse(textAt(this.bytes, this.start, this.#end)) as T) }
  }

  get #end(): number {
    return this.start + this.byteLength
  }

  #decoded(at: number): unknown {
    if (at < 0) return undefined
    return this.#type.parse(textAt(this.bytes, at, skipValue(this.bytes, at, this.#end)))
  }
}

/** The metadata of an {@link ObjectRef}: of each object the part that listers, indices and predicates look at. */
export class RefMetadata {
  readonly #ref: ObjectRef

  constructor(ref: ObjectRef) {
    this.#ref = ref
  }

  get name(): string {
    return this.#ref.name
  }

  get namespace(): string {
    return this.#ref.namespace
  }

  get resourceVersion(): string {
    return this.#ref.resourceVersion
  }

  get uid(): string {
    return (this.#field('uid') as string | undefined) ?? ''
  }

  get labels(): Record<string, string> {
    return (this.#field('labels') as Record<string, string> | null | undefined) ?? {}
  }

  get annotations(): Record<string, string> {
    return (this.#field('annotations') as Record<string, string> | null | undefined) ?? {}
  }

  get ownerReferences(): OwnerReference[] {
    return (this.#field('ownerReferences') as OwnerReference[] | null | undefined) ?? []
  }

  /** Set once the object is being deleted, and waits for its finalizers. */
  get deletionTimestamp(): string | undefined {
    return (this.#field('deletionTimestamp') as string | null | undefined) ?? undefined
  }

  #field(key: string): unknown {
    return this.#ref.field(['metadata', key])
  }
}
