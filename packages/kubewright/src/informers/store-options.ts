// How an informer of a factory keeps its objects.

import type { FieldFilterOptions } from '../cache/index.js'

/** Decoded objects, shared by all who read them: client-go's way. */
export interface ObjectStoreOptions {
  /** @defaultValue `objects` */
  readonly store?: 'objects' | undefined
}

/**
 * The bytes that the server sent, outside of the JavaScript heap: handlers are given references, and listers decode a copy
 * for whoever reads. For many objects of which few are read. See `newBytesInformer`.
 *
 * **Caveats**: objects and bytes of one resource are two caches, with a watch each. A cache of bytes leaves out what whoever
 * asked for it first wished; others have to wish for the same.
 */
export interface BytesStoreOptions extends FieldFilterOptions {
  readonly store: 'bytes'
}

/** What a factory may be told about how to keep the objects of a resource. */
export type StoreOptions = ObjectStoreOptions | BytesStoreOptions
