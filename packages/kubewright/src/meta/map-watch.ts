// A watch whose objects are changed on their way.

import type { KubernetesObject } from './object.js'
import type { Watch, WatchEvent } from './watch-event.js'

/** The watch, its objects passed through `change`; bookmarks and errors are left as they are. */
export function mapWatch<T extends KubernetesObject, U extends KubernetesObject>(
  watch: Watch<T>,
  change: (object: T) => U,
): Watch<U> {
  return {
    stop: () => watch.stop(),
    async *[Symbol.asyncIterator](): AsyncGenerator<WatchEvent<U>> {
      for await (const event of watch) {
        yield event.type === 'BOOKMARK' || event.type === 'ERROR'
          ? event
          : { type: event.type, object: change(event.object) }
      }
    },
  }
}
