// A source of objects, each call of which is told to an observer.

import type { Clock } from '../clock/index.js'
import type { KubernetesList, KubernetesObject, ListOptions, Watch } from '../meta/index.js'
import type { InformerObserver } from './informer-events.js'
import type { ListerWatcher } from './lister-watcher.js'

export function observedSource<T extends KubernetesObject>(
  source: ListerWatcher<T>,
  observer: InformerObserver,
  clock: Clock,
): ListerWatcher<T> {
  return {
    async list(options: ListOptions): Promise<KubernetesList<T>> {
      const start = clock.monotonic()
      const version = options.resourceVersion ?? ''
      try {
        const list = await source.list(options)
        observer.listed(version, start, { items: list.items?.length ?? 0 })
        return list
      } catch (err) {
        observer.listed(version, start, { error: err })
        throw err
      }
    },
    async watch(options: ListOptions): Promise<Watch<T>> {
      const start = clock.monotonic()
      const version = options.resourceVersion ?? ''
      try {
        const watch = await source.watch(options)
        observer.watched(version, start, undefined)
        return watch
      } catch (err) {
        observer.watched(version, start, err)
        throw err
      }
    },
    isWatchListSemanticsUnSupported: () => source.isWatchListSemanticsUnSupported?.() ?? false,
  }
}
