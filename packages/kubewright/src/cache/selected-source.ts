// A source of objects, the options of whose lists and watches somebody has a say in.

import type { KubernetesObject, ListOptions } from '../meta/index.js'
import type { ListerWatcher } from './lister-watcher.js'

/** Which objects of a source are wanted. */
export interface SourceSelection {
  /** Only objects with such labels: `app=web,tier in (a,b)`. @defaultValue all */
  labelSelector?: string | undefined
  /** Only objects with such fields, of those few that the server can select by: `spec.nodeName=node-1`. @defaultValue all */
  fieldSelector?: string | undefined
  /**
   * Changes the options of every list and every watch, or returns those that differ. Called last, so it can also spoil what
   * is relied on, such as `resourceVersion`.
   */
  tweakListOptions?: ((options: ListOptions) => ListOptions | void) | undefined
}

/**
 * Adds the selection to the options of every list and watch, after everything else has been set. What new options leave out
 * stays as it was: `() => ({ labelSelector: 'app=web' })` must not make another request of a watch.
 */
export function selectedSource<T extends KubernetesObject>(
  source: ListerWatcher<T>,
  { labelSelector, fieldSelector, tweakListOptions }: SourceSelection,
): ListerWatcher<T> {
  if (labelSelector === undefined && fieldSelector === undefined && !tweakListOptions) return source
  const selectors: ListOptions = {
    ...(labelSelector !== undefined && { labelSelector }),
    ...(fieldSelector !== undefined && { fieldSelector }),
  }
  const selected = (options: ListOptions): ListOptions => {
    const all = { ...options, ...selectors }
    const changes = tweakListOptions?.(all)
    return { ...all, ...changes }
  }
  return {
    list: (options) => source.list(selected(options)),
    watch: (options) => source.watch(selected(options)),
    isWatchListSemanticsUnSupported: () => source.isWatchListSemanticsUnSupported?.() ?? false,
  }
}
