// Where a reflector gets its objects from: anything that lists and watches.

import type { KubernetesList, KubernetesObject, ListOptions, Watch } from '../meta/index.js'

/**
 * Lists and watches one resource. Every typed or dynamic client is one.
 *
 * **Guarantees** that the reflector relies on: `options.signal` cancels the call and ends the watch; `stop()` of a watch
 * ends a pending iteration. Options are passed to the server as they are.
 */
export interface ListerWatcher<T extends KubernetesObject = KubernetesObject> {
  list(options: ListOptions): Promise<KubernetesList<T>>
  watch(options: ListOptions): Promise<Watch<T>>
  /** True for clients that cannot stream the initial objects (fakes): the reflector then lists first. */
  isWatchListSemanticsUnSupported?(): boolean
}
