// What can be watched.

import type { KubernetesObject, ListOptions, Watch } from '../meta/index.js'

/**
 * Watches one resource. Every typed or dynamic client is one, and every `ListerWatcher`.
 *
 * `options.signal` cancels the call and ends the watch; other options are passed to the server as they are.
 */
export interface Watcher<T = KubernetesObject> {
  watch(options: ListOptions): Promise<Watch<T>>
}
