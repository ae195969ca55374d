// Applies the queue's entries to the cache and says what changed.

import type { DeepReadonly } from '../meta/index.js'
import { DeletedFinalStateUnknown } from './keys.js'
import type { Delta } from './real-fifo.js'
import type { Prepared, Store } from './store.js'

/** Told of each change, after the cache has it. */
export interface ChangeSink<T> {
  onAdd(obj: DeepReadonly<T>, isInInitialList: boolean): void
  /** `onAdd` for each of them. */
  onAddAll(objs: Iterable<DeepReadonly<T>>, isInInitialList: boolean): void
  onUpdate(oldObj: DeepReadonly<T>, newObj: DeepReadonly<T>): void
  onDelete(obj: DeepReadonly<T> | DeletedFinalStateUnknown<T>): void
}

/** Called between small pieces of a large piece of work; resolves when the work may go on. */
export type Breathe = () => Promise<void> | undefined

/**
 * Applies one entry.
 *
 * What counts is what the cache holds, not what the event was called: an object that it has is updated, one that it
 * lacks is added.
 *
 * @returns undefined when it is done: a whole new content takes its time.
 */
export function processDelta<T>(
  delta: Delta<T>,
  store: Store<T>,
  sink: ChangeSink<T>,
  { isInInitialList, breathe }: { isInInitialList: boolean; breathe: Breathe },
): Promise<void> | undefined {
  switch (delta.type) {
    case 'Added':
    case 'Updated': {
      const old = store.getByKey(delta.key)
      store.set(delta.key, delta.object)
      if (old === undefined) sink.onAdd(delta.object as DeepReadonly<T>, isInInitialList)
      else sink.onUpdate(old, delta.object as DeepReadonly<T>)
      return undefined
    }
    case 'Deleted': {
      const last = store.getByKey(delta.key)
      store.remove(delta.key, delta.object)
      sink.onDelete(withLastState(delta.object, last) as DeepReadonly<T> | DeletedFinalStateUnknown<T>)
      return undefined
    }
    case 'ReplacedAll':
      return prepareSlowly(store, delta.objects, breathe).then((prepared) =>
        replaceAll(store, prepared, delta.resourceVersion, sink, isInInitialList),
      )
    case 'SyncAll':
      for (const obj of store.list()) sink.onUpdate(obj, obj)
      return undefined
    case 'Bookmark':
      store.bookmark(delta.resourceVersion)
      return undefined
  }
}

/** What the queue does not know of a deletion the cache may. */
function withLastState<T>(
  deleted: T | DeletedFinalStateUnknown<T>,
  last: DeepReadonly<T> | undefined,
): T | DeletedFinalStateUnknown<T> {
  const isUnknown = deleted instanceof DeletedFinalStateUnknown && deleted.obj === undefined
  return isUnknown ? new DeletedFinalStateUnknown<T>(deleted.key, last) : deleted
}

async function prepareSlowly<T>(store: Store<T>, objects: Map<string, T>, breathe: Breathe): Promise<Prepared<T>> {
  const work = store.prepare(objects)
  let step = work.next()
  for (; !step.done; step = work.next()) {
    const pause = breathe()
    if (pause) await pause
  }
  return step.value
}

/** One step: nobody can see, or join, between the new content and the notifications of it. */
function replaceAll<T>(
  store: Store<T>,
  prepared: Prepared<T>,
  resourceVersion: string,
  sink: ChangeSink<T>,
  isInInitialList: boolean,
): void {
  const old = store.entries()
  store.commit(prepared, resourceVersion)
  if (old.size === 0) {
    sink.onAddAll(prepared.items.values() as Iterable<DeepReadonly<T>>, isInInitialList)
    return
  }
  for (const [key, obj] of old) {
    if (!prepared.items.has(key)) sink.onDelete(new DeletedFinalStateUnknown<T>(key, obj as DeepReadonly<T>))
  }
  for (const [key, obj] of prepared.items) {
    const oldObj = old.get(key)
    if (oldObj === undefined) sink.onAdd(obj as DeepReadonly<T>, isInInitialList)
    else sink.onUpdate(oldObj as DeepReadonly<T>, obj as DeepReadonly<T>)
  }
}
