// Listers of caches that keep bytes: what is read is decoded for the reader.

import type { Indexer, ObjectRef } from '../cache/index.js'
import type { DeepReadonly, KubernetesObject } from '../meta/index.js'
import { newGenericLister } from './lister.js'
import type { BytesLister, BytesNamespaceLister, NamespaceLister } from './types.js'

/** Makes a lister of a cache of bytes: that of an informer of `newBytesInformer`. */
export function newBytesLister<T extends KubernetesObject>(indexer: Indexer<ObjectRef<T>>): BytesLister<T> {
  const refs = newGenericLister(indexer)
  return { ...decoding(refs), byNamespace: (namespace) => decoding(refs.byNamespace(namespace)) }
}

function decoding<T extends KubernetesObject>(refs: NamespaceLister<ObjectRef<T>>): BytesNamespaceLister<T> {
  return {
    list: (selector) => refs.list(selector).map(decoded<T>),
    get: (name) => {
      const ref = refs.get(name)
      return ref && decoded<T>(ref)
    },
  }
}

function decoded<T extends KubernetesObject>(ref: DeepReadonly<ObjectRef<T>>): T {
  return (ref as ObjectRef<T>).decode()
}
