// Listers: typed reading of an informer's cache, by label selector, namespace and name.

import { type Indexer, namespaceIndex } from '../cache/index.js'
import { type DeepReadonly, type KubernetesObject, parseLabelSelector, type Selector } from '../meta/index.js'
import type { ClusterLister, GenericLister, Lister, NamespacedLister, NamespaceLister } from './types.js'

/** Makes the lister of a cluster-scoped resource. */
export function newClusterLister<T extends KubernetesObject>(indexer: Indexer<T>): ClusterLister<T> {
  return {
    list: (selector) => listAll(indexer, selector),
    get: (name) => indexer.getByKey(name),
  }
}

/** Makes the lister of a namespaced resource; `method` is its name for one namespace, such as `deployments`. */
export function newNamespacedLister<T extends KubernetesObject, M extends string>(
  indexer: Indexer<T>,
  method: M,
): NamespacedLister<T, M> {
  const lister: Lister<T> = { list: (selector) => listAll(indexer, selector) }
  const inNamespace = (namespace: string): NamespaceLister<T> => newNamespaceLister(indexer, namespace)
  return { ...lister, [method]: inNamespace } as NamespacedLister<T, M>
}

/** Makes a lister of a resource whose type is not known. */
export function newGenericLister<T extends KubernetesObject>(indexer: Indexer<T>): GenericLister<T> {
  return { ...newClusterLister(indexer), byNamespace: (namespace) => newNamespaceLister(indexer, namespace) }
}

function newNamespaceLister<T extends KubernetesObject>(indexer: Indexer<T>, namespace: string): NamespaceLister<T> {
  return {
    list: (selector) => listAllByNamespace(indexer, namespace, selector),
    get: (name) => indexer.getByKey(namespace === '' ? name : `${namespace}/${name}`),
  }
}

/** The cached objects whose labels match. @throws Error when the text is not a label selector. */
export function listAll<T extends KubernetesObject>(
  indexer: Indexer<T>,
  selector: string | Selector | undefined,
): DeepReadonly<T>[] {
  return select(indexer.list(), selector)
}

/**
 * The cached objects of a namespace whose labels match; of all namespaces for `''`. Without the index by namespace it
 * looks at every object.
 *
 * @throws Error when the text is not a label selector.
 */
export function listAllByNamespace<T extends KubernetesObject>(
  indexer: Indexer<T>,
  namespace: string,
  selector: string | Selector | undefined,
): DeepReadonly<T>[] {
  if (namespace === '') return listAll(indexer, selector)
  const indexed = Object.hasOwn(indexer.getIndexers(), namespaceIndex)
  const objects = indexed
    ? indexer.byIndex(namespaceIndex, namespace)
    : indexer.list().filter((obj) => (obj as KubernetesObject).metadata?.namespace === namespace)
  return select(objects, selector)
}

function select<T>(objects: DeepReadonly<T>[], selector: string | Selector | undefined): DeepReadonly<T>[] {
  const parsed = typeof selector === 'string' ? parseLabelSelector(selector) : selector
  if (parsed === undefined || parsed.empty) return objects
  return objects.filter((obj) => parsed.matches((obj as KubernetesObject).metadata?.labels))
}
