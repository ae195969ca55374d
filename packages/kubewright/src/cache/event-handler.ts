// Who is told of changes.

import type { DeepReadonly } from '../meta/index.js'
import { DeletedFinalStateUnknown } from './keys.js'

/**
 * Told of the changes of a cache.
 *
 * **Guarantees**: calls come one at a time, in the order of the changes; where one returns a promise, the next waits for
 * it. A call that throws, or rejects, is reported and the next one still comes.
 *
 * **Caveats**: the cache has the change already, and maybe later ones. The objects are the cache's own: do not change
 * them. An object that was deleted and created again between two lists is seen as one update, with different uids.
 */
export interface ResourceEventHandler<T> {
  /** @param isInInitialList the object was there when the informer, or this handler, started. */
  onAdd?(obj: DeepReadonly<T>, isInInitialList: boolean): unknown
  /** `oldObj` is `newObj` at resyncs. */
  onUpdate?(oldObj: DeepReadonly<T>, newObj: DeepReadonly<T>): unknown
  /** @param obj the last state; or, where the deletion was missed, a {@link DeletedFinalStateUnknown}. */
  onDelete?(obj: DeepReadonly<T> | DeletedFinalStateUnknown<T>): unknown
}

/** What {@link filteringHandler} is made of. */
export interface FilteringHandlerOptions<T> {
  /** Must depend on the object alone. */
  filter: (obj: DeepReadonly<T>) => boolean
  handler: ResourceEventHandler<T>
}

/**
 * client-go's FilteringResourceEventHandler: passes on what concerns objects that the filter lets through. An update
 * that brings an object into the filter is an add, one that takes it out a delete of its old state.
 */
export function filteringHandler<T>({ filter, handler }: FilteringHandlerOptions<T>): ResourceEventHandler<T> {
  return {
    onAdd: (obj, isInInitialList) => (filter(obj) ? handler.onAdd?.(obj, isInInitialList) : undefined),
    onUpdate: (oldObj, newObj) => {
      const [older, newer] = [filter(oldObj), filter(newObj)]
      if (newer) return older ? handler.onUpdate?.(oldObj, newObj) : handler.onAdd?.(newObj, false)
      return older ? handler.onDelete?.(oldObj) : undefined
    },
    onDelete: (obj) => {
      const last = obj instanceof DeletedFinalStateUnknown ? obj.obj : obj
      // Of an object whose last state is unknown nobody can say that it was not let through.
      return last === undefined || filter(last) ? handler.onDelete?.(obj) : undefined
    },
  }
}
