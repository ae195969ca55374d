// The objects of all resources, and what follows from one being stored.

import type { CustomResourceDefinition } from '../gen/api/apiextensions/v1.js'
import { deepCopy, type Unstructured } from '../meta/index.js'
import { newNotFound } from './api-errors.js'
import { Collection } from './collection.js'
import type { ResourceInfo, ResourceRegistry } from './resources.js'
import { isUnchanged } from './write-rules.js'

/** How something is stored. */
export interface StoreOptions {
  /** `['All']`: it is not. */
  readonly dryRun?: readonly string[] | undefined
}

/** A collection for each resource. What its methods give is the caller's, unless they say something else. */
export class ObjectStore {
  readonly #resources: ResourceRegistry
  readonly #collections = new Map<string, Collection>()

  constructor(resources: ResourceRegistry) {
    this.#resources = resources
  }

  /** The collection of a resource. */
  of({ group, version, resource }: ResourceInfo): Collection {
    const key = `${group}/${version}/${resource}`
    let collection = this.#collections.get(key)
    if (!collection) {
      collection = new Collection()
      this.#collections.set(key, collection)
    }
    return collection
  }

  /** The stored object itself. @throws ApiError isNotFound */
  live(info: ResourceInfo, namespace: string, name: string): Unstructured {
    const found = this.of(info).get(namespace, name)
    if (found) return found
    throw newNotFound(info, name)
  }

  /** Stores a new object, which becomes the store's own. `version` is the least that it gets. */
  add(
    info: ResourceInfo,
    object: Unstructured,
    { dryRun, version }: StoreOptions & { version?: number },
  ): Unstructured {
    if (dryRun?.length) return object
    return deepCopy<Unstructured>(this.#stored(info, this.of(info).store(object, version)))
  }

  /** Stores an object in the place of another: not if it is the same, and not for long if it is to be deleted. */
  replace(info: ResourceInfo, live: Unstructured, object: Unstructured, { dryRun }: StoreOptions): Unstructured {
    if (isUnchanged(live, object)) return deepCopy<Unstructured>(live)
    if (dryRun?.length) return object
    const { deletionTimestamp, deletionGracePeriodSeconds = 0, finalizers = [] } = object.metadata
    if (deletionTimestamp !== undefined && deletionGracePeriodSeconds === 0 && finalizers.length === 0) {
      return deepCopy<Unstructured>(this.of(info).remove(object))
    }
    return deepCopy<Unstructured>(this.#stored(info, this.of(info).store(object)))
  }

  #stored(info: ResourceInfo, object: Unstructured): Unstructured {
    if (info.group === 'apiextensions.k8s.io' && info.kind === 'CustomResourceDefinition') {
      this.#resources.define(object as unknown as CustomResourceDefinition)
    }
    return object
  }
}
