// An informer whose cache keeps objects as the bytes they came in.

import { ResourceClientImpl } from '../../kubernetes/index.js'
import type { KubernetesObject, WatchEvent } from '../../meta/index.js'
import { jsonParserFor } from '../../rest/index.js'
import type { ListerWatcher } from '../lister-watcher.js'
import { SharedIndexInformer, type SharedIndexInformerOptions } from '../shared-informer.js'
import type { FieldFilterOptions } from './byte-filter.js'
import { ObjectReader } from './object-reader.js'
import type { ObjectRef } from './object-ref.js'
import { Slabs } from './slabs.js'

/** The kind whose objects a cache of bytes holds. A `Kind`, generated or defined, is one. */
export interface BytesKind {
  readonly apiVersion: string
  readonly kind: string
  readonly namespaced: boolean
}

/** Options of {@link newBytesInformer}. */
export interface BytesInformerOptions<T extends KubernetesObject>
  extends Omit<SharedIndexInformerOptions<ObjectRef<T>>, 'onDropped' | 'expectedKind'>,
    FieldFilterOptions {}

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
 * by JSON.stringify. There is no transform: see `drop` and `pick`.
 *
 * @throws TypeError for a path in `drop` or `pick` that is none; as the constructor of {@link SharedIndexInformer}.
 */
export function newBytesInformer<T extends KubernetesObject>(
  kind: BytesKind,
  client: ListerWatcher<T>,
  { drop, pick, ...options }: BytesInformerOptions<T> = {},
): SharedIndexInformer<ObjectRef<T>> {
  const slabs = new Slabs()
  const { apiVersion, namespaced } = kind
  const losslessIntegers = client instanceof ResourceClientImpl && client.rest.config.losslessIntegers
  const parse = jsonParserFor({ losslessIntegers })
  const reader = new ObjectReader<T>(slabs, { apiVersion, kind: kind.kind, namespaced, parse }, { drop, pick })
  return new SharedIndexInformer<ObjectRef<T>>(bytesOf(client, reader), {
    typeDescription: kind.kind,
    ...options,
    expectedKind: { apiVersion, kind: kind.kind },
    onDropped: (ref) => slabs.release(ref),
  })
}

function bytesOf<T extends KubernetesObject>(
  client: ListerWatcher<T>,
  reader: ObjectReader<T>,
): ListerWatcher<ObjectRef<T>> {
  if (!(client instanceof ResourceClientImpl)) return encoded(client, reader)
  const { rest, apiVersion, target, inNamespace } = client
  // Without its kind, which a client would add to each item: a reference knows it.
  const { kind: _, ...untyped } = target
  return new ResourceClientImpl<ObjectRef<T>>(rest.withDecoder(reader), apiVersion, untyped, inNamespace)
}

/** Of clients that decode, whether they are asked to or not. */
function encoded<T extends KubernetesObject>(
  client: ListerWatcher<T>,
  reader: ObjectReader<T>,
): ListerWatcher<ObjectRef<T>> {
  const bytes = (value: unknown): Uint8Array => Buffer.from(JSON.stringify(value))
  return {
    isWatchListSemanticsUnSupported: () => client.isWatchListSemanticsUnSupported?.() ?? false,
    list: async (options) => {
      const list = await client.list(options)
      return { ...list, items: list.items.map((item) => reader.object(bytes(item))) }
    },
    watch: async (options) => {
      const watch = await client.watch(options)
      async function* events(): AsyncGenerator<WatchEvent<ObjectRef<T>>> {
        for await (const event of watch) yield reader.event(bytes(event))
      }
      return { stop: () => watch.stop(), [Symbol.asyncIterator]: events }
    },
  }
}
