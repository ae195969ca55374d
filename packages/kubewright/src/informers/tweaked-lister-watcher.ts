// A client whose list options somebody has a say in.

import type { ListerWatcher } from '../cache/index.js'
import type { KubernetesObject, ListOptions } from '../meta/index.js'

/**
 * Applies `tweak` to the options of every list and watch, after everything else has been set. What it leaves out of new
 * options stays as it was: `() => ({ labelSelector: 'app=web' })` must not make another request of a watch.
 */
export function tweakedListerWatcher<T extends KubernetesObject>(
  client: ListerWatcher<T>,
  tweak: (options: ListOptions) => ListOptions | void,
): ListerWatcher<T> {
  const tweaked = (options: ListOptions): ListOptions => {
    const changes = tweak(options)
    return { ...options, ...changes }
  }
  return {
    list: (options) => client.list(tweaked({ ...options })),
    watch: (options) => client.watch(tweaked({ ...options })),
    isWatchListSemanticsUnSupported: () => client.isWatchListSemanticsUnSupported?.() ?? false,
  }
}
