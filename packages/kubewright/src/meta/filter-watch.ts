// A watch that lets only some events pass, or changes them.

import type { KubernetesObject } from './object.js'
import type { Watch, WatchEvent } from './watch-event.js'

/** The event to pass on, the same or a changed one; undefined to leave it out. What it throws ends the watch. */
export type FilterFunc<T, U = T> = (event: WatchEvent<T>) => WatchEvent<U> | undefined

/**
 * A watch of what a function makes of another watch's events; apimachinery's watch.Filter.
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
        // Stops first: the other watch may put the return behind a pending next, which may never come.
        async return() {
          watch.stop()
          await events.return?.()
          return { done: true, value: undefined }
        },
      }
    },
  }
}

/** The watch, its objects passed through `change`; bookmarks and errors are left as they are. */
export function mapWatch<T extends KubernetesObject, U extends KubernetesObject>(
  watch: Watch<T>,
  change: (object: T) => U,
): Watch<U> {
  return filterWatch<T, U>(watch, (event) =>
    event.type === 'BOOKMARK' || event.type === 'ERROR' ? event : { type: event.type, object: change(event.object) },
  )
}
