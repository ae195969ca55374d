// An informer whose cache keeps objects as the bytes they came in.

import { filterWatch, type KubernetesObject } from '../../meta/index.js'
import { encodeJSON, type JSONParser, jsonParserFor } from '../../rest/index.js'
import type { ListerWatcher } from '../lister-watcher.js'
import type { TransformFunc } from '../reflector-store.js'
import { SharedIndexInformer, type SharedIndexInformerOptions } from '../shared-informer.js'
import type { FieldFilterOptions } from './byte-filter.js'
import { ObjectReader } from './object-reader.js'
import type { ObjectRef, RefType } from './object-ref.js'
import { Slabs } from './slabs.js'

/** The kind whose objects a cache of bytes holds. A `Kind`, generated or defined, is one. */
export interface BytesKind {
  readonly apiVersion: string
  /** Absent: not known; objects say it themselves, and lists of what their items are. */
  readonly kind?: string | undefined
  /** Absent: not known. */
  readonly namespaced?: boolean | undefined
}

/** Options of {@link newBytesInformer}. */
export interface BytesInformerOptions<T extends KubernetesObject>
  extends Omit<SharedIndexInformerOptions<ObjectRef<T>>, 'onDropped' | 'expectedKind' | 'transform' | 'freeze'>,
    FieldFilterOptions {
  /**
   * Changes each object before it is stored: it is decoded, changed and encoded for that, which costs several times what
   * keeping its bytes does. To leave fields out, `drop` and `pick` are there.
   */
  transform?: TransformFunc<T> | undefined
}

/**
 * An informer like any other, whose cache holds {@link ObjectRef}s: objects as the bytes they came in, outside the
 * JavaScript heap, decoded when somebody reads them. Handlers get them too; one that only needs the key decodes nothing.
 *
 * ```ts
 * const informer = newBytesInformer(Pod, clientset.coreV1().pods(''), { drop: ['metadata.managedFields'] })
 * informer.addEventHandler({ onAdd: (ref) => queue.add(ref.key) })
 * const pod = informer.indexer.getByKey('default/web')?.decode()
 * ```
 *
 * **Guarantees**: all of {@link SharedIndexInformer}. A {@link ObjectRef} stays what it was, however long it is kept.
 *
 * **Caveats**: whatever is read is decoded at each reading: about 45 µs for a Pod of 6 KB. What loops over all objects all
 * the time is better off with decoded ones. The bytes of a client that is none of this library's, such as a fake, are made
 * by JSON.stringify. Its `setTransform` throws: see the options `drop`, `pick` and `transform`.
 *
 * @throws TypeError for a path in `drop` or `pick` that is none; as the constructor of {@link SharedIndexInformer}.
 */
export function newBytesInformer<T extends KubernetesObject>(
  kind: BytesKind,
  client: ListerWatcher<T>,
  { drop, pick, transform, ...options }: BytesInformerOptions<T> = {},
): SharedIndexInformer<ObjectRef<T>> {
  const slabs = new Slabs()
  const type = new LearnedType(kind)
  const reader = new ObjectReader<T>(slabs, type, { drop, pick })
  return new BytesInformer<T>(learning(bytesOf(client, reader, type), type), {
    typeDescription: kind.kind,
    ...options,
    expectedKind: type.ofAnyKind ? undefined : { apiVersion: type.apiVersion, kind: type.kind },
    transform: transform && reencoded(transform, reader, slabs),
    onDropped: (ref) => slabs.release(ref),
  })
}

/** What is known of the objects: their kind perhaps only when there has been a list. */
class LearnedType implements RefType {
  readonly apiVersion: string
  readonly ofAnyKind: boolean
  readonly namespaced: boolean
  kind: string
  parse: JSONParser = jsonParserFor({ losslessIntegers: false })

  constructor({ apiVersion, kind = '', namespaced = true }: BytesKind) {
    this.apiVersion = apiVersion
    this.kind = kind
    this.ofAnyKind = kind === ''
    this.namespaced = namespaced
  }
}

class BytesInformer<T extends KubernetesObject> extends SharedIndexInformer<ObjectRef<T>> {
  override setTransform(): never {
    throw new Error(
      'a cache of bytes has no objects that a transform could change: leave fields out with the options drop and pick of ' +
        'newBytesInformer; its option transform decodes each object, changes it, and encodes it again',
    )
  }
}

function bytesOf<T extends KubernetesObject>(
  client: ListerWatcher<T>,
  reader: ObjectReader<T>,
  type: LearnedType,
): ListerWatcher<ObjectRef<T>> {
  if (!client.decodedBy) return encoded(client, reader, type)
  return client.decodedBy<ObjectRef<T>>((parse) => {
    type.parse = parse
    return reader
  })
}

/** Items of built-in lists do not say of what kind they are; the list does. */
function learning<T extends KubernetesObject>(
  source: ListerWatcher<ObjectRef<T>>,
  type: LearnedType,
): ListerWatcher<ObjectRef<T>> {
  if (!type.ofAnyKind) return source
  return {
    isWatchListSemanticsUnSupported: () => source.isWatchListSemanticsUnSupported?.() ?? false,
    watch: (options) => source.watch(options),
    list: async (options) => {
      const list = await source.list(options)
      if (typeof list.kind === 'string') type.kind = list.kind.replace(/List$/, '')
      return list
    },
  }
}

function reencoded<T extends KubernetesObject>(
  transform: TransformFunc<T>,
  reader: ObjectReader<T>,
  slabs: Slabs,
): TransformFunc<ObjectRef<T>> {
  return (ref) => {
    try {
      return reader.object(Buffer.from(encodeJSON(transform(ref.decode()), { allowRounded: true })))
    } finally {
      slabs.release(ref)
    }
  }
}

/** Of clients that decode, whether they are asked to or not. */
function encoded<T extends KubernetesObject>(
  client: ListerWatcher<T>,
  reader: ObjectReader<T>,
  type: LearnedType,
): ListerWatcher<ObjectRef<T>> {
  const bytes = (value: unknown): Uint8Array => {
    try {
      return Buffer.from(JSON.stringify(value))
    } catch {
      // It has bigints, as these objects then have when they are read.
      type.parse = jsonParserFor({ losslessIntegers: true })
      return Buffer.from(encodeJSON(value, { allowRounded: true }))
    }
  }
  return {
    isWatchListSemanticsUnSupported: () => client.isWatchListSemanticsUnSupported?.() ?? false,
    list: async (options) => {
      const list = await client.list(options)
      return { ...list, items: list.items.map((item) => reader.object(bytes(item))) }
    },
    watch: async (options) => filterWatch(await client.watch(options), (event) => reader.event(bytes(event))),
  }
}
