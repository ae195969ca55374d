// Objects reduced to their metadata, where a server has sent the whole of them.

import type { PartialObjectMetadata } from '../gen/api/meta/v1.js'
import { goQuote, type KubernetesObject, type StoredList } from '../meta/index.js'
import type { MetadataList } from './types.js'

const apiVersion = 'meta.k8s.io/v1'
const kind = 'PartialObjectMetadata'

/** The metadata of an object. @throws Error when it has no type or metadata; without its content, which may be a Secret's */
export function partialOf(object: KubernetesObject): PartialObjectMetadata {
  if (!object.apiVersion) {
    throw new Error(`Object 'apiVersion' is missing in a ${goQuote(object.kind ?? '')}; is the host an API server?`)
  }
  const partial = watchedPartialOf(object)
  const { uid, creationTimestamp, name, generateName } = partial.metadata ?? {}
  if (uid || creationTimestamp || name || generateName) return partial
  const { kind: found = '', apiVersion: of = '' } = object
  throw new Error(
    `object does not appear to match the ObjectMeta schema: a ${goQuote(found)} of ${goQuote(of)} without uid, creationTimestamp, name and generateName; is the host an API server?`,
  )
}

/** As {@link partialOf}, of what a watch sends, which is never anything else. */
export function watchedPartialOf(object: KubernetesObject): PartialObjectMetadata {
  if (object.kind === kind) return object as PartialObjectMetadata
  return { apiVersion, kind, metadata: object.metadata as PartialObjectMetadata['metadata'] }
}

/** The metadata of all objects of a list. */
export function partialListOf({ metadata, items }: StoredList<KubernetesObject>): MetadataList {
  return { apiVersion, kind: `${kind}List`, metadata, items: items.map(watchedPartialOf) }
}
