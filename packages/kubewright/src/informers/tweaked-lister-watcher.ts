// A client whose list options somebody has a say in.

import type { ListerWatcher } from '../cache/index.js'
import type { KubernetesObject, ListOptions } from '../meta/index.js'

/** Applies `tweak` to the options of every list and watch, after everything else has been set. */
export function tweakedListerWatcher<T extends KubernetesObject>(
  client: ListerWatcher<T>,
  tweak: (options: ListOptions) => ListOptions | void,
): ListerWatcher<T> {
  const tweaked = (options: ListOptions): ListOptions => tweak(options) ?? options
  return {
    list: (options) => client.list(tweaked({ ...options })),
    watch: (options) => client.watch(tweaked({ ...options })),
    isWatchListSemanticsUnSupported: () => client.isWatchListSemanticsUnSupported?.() ?? false,
  }
}
