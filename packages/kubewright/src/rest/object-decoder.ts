// What makes objects out of the bytes of an answer, where JSON.parse of the whole is not wanted.

import type { WatchEvent } from '../meta/index.js'

/**
 * Takes what lists and watches bring as bytes: for caches that decode an object when it is read, if ever.
 *
 * **Caveats**: the bytes are those of the connection; who wants to keep them copies them.
 */
export interface ObjectDecoder<T> {
  /** An item of a list. @throws SyntaxError when it is no such object: the call then fails */
  object(bytes: Uint8Array): T
  /** An event of a watch. @throws SyntaxError when it is none: the watch then ends with an ERROR event */
  event(bytes: Uint8Array): WatchEvent<T>
}
