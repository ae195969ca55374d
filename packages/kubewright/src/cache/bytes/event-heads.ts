// How the events of a watch begin: from type to metadata each is like the one before, byte by byte.

/** What was read in the beginning of an event, and is so in all that begin alike. */
export class EventHead {
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  /** Where the object and its metadata begin; the head ends with the metadata's brace. */
  readonly objectAt: number
  readonly metadataAt: number
  readonly #bytes: Uint8Array

  constructor(event: Uint8Array, type: EventHead['type'], objectAt: number, metadataAt: number) {
    this.type = type
    this.objectAt = objectAt
    this.metadataAt = metadataAt
    this.#bytes = Uint8Array.prototype.slice.call(event, 0, metadataAt + 1)
  }

  get length(): number {
    return this.#bytes.length
  }

  begins(event: Uint8Array): boolean {
    const bytes = this.#bytes
    for (let i = bytes.length - 1; i >= 0; i--) if (event[i] !== bytes[i]) return false
    return true
  }
}

/** Heads longer than this are not kept: an object that has much before its metadata is not written by a Go program. */
const maxLength = 512

/** One head for each type of event, the last one that was seen. */
export class EventHeads {
  readonly #heads: EventHead[] = []

  of(event: Uint8Array): EventHead | undefined {
    for (const head of this.#heads) if (head.begins(event)) return head
    return undefined
  }

  add(head: EventHead): void {
    if (head.length > maxLength) return
    const at = this.#heads.findIndex(({ type }) => type === head.type)
    if (at >= 0) this.#heads.splice(at, 1)
    this.#heads.push(head)
  }
}
