// Where a reflector gets its objects from: anything that lists and watches.

import type { KubernetesList, KubernetesObject, ListOptions, Watch } from '../meta/index.js'
import type { JSONParser, ObjectDecoder } from '../rest/index.js'

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
  /**
   * The same resource, whose lists and watches give what a decoder makes of the bytes. Absent where objects never were bytes,
   * as in fakes: a cache of bytes then makes them.
   *
   * @param decoderFor makes it; it is given the way in which the client reads JSON.
   */
  decodedBy?<R extends KubernetesObject>(decoderFor: (parse: JSONParser) => ObjectDecoder<R>): ListerWatcher<R>
}
