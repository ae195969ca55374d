// A watch that lets only some events pass, or changes them.

import type { KubernetesObject, Watch, WatchEvent } from '../meta/index.js'

/** The event to pass on, the same or a changed one; undefined to leave it out. What it throws ends the watch. */
export type FilterFunc<T, U = T> = (event: WatchEvent<T>) => WatchEvent<U> | undefined

/**
 * A watch of what a function makes of another watch's events.
 *
 * **Guarantees**: reads as it is read; its end, `break` and `stop()` are those of the other watch.
 *
 * **Caveats**: an object that begins or ceases to pass does not become ADDED or DELETED by that.
 */
export function filterWatch<T = KubernetesObject, U = T>(watch: Watch<T>, filter: FilterFunc<T, U>): Watch<U> {
  return {
    stop: () => watch.stop(),
    [Symbol.asyncIterator]() {
      const events = watch[Symbol.asyncIterator]()
      return {
        async next(): Promise<IteratorResult<WatchEvent<U>, undefined>> {
          for (;;) {
            const result = await events.next()
            if (result.done) return { done: true, value: undefined }
            let kept: WatchEvent<U> | undefined
            try {
              kept = filter(result.value)
            } catch (err) {
              watch.stop()
              throw err
            }
            if (kept !== undefined) return { done: false, value: kept }
          }
        },
        async return() {
          await events.return?.()
          watch.stop()
          return { done: true, value: undefined }
        },
      }
    },
  }
}
