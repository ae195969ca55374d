// A JSON document decoded while it arrives: the values of its top-level `items` a few at a time.

import { concat, textOf } from './bytes.js'
import type { ObjectDecoder } from './object-decoder.js'
import { type JSONParser, parseJSONText } from './parse-json.js'
import { StringSkipper } from './string-skipper.js'

const quote = 0x22
const comma = 0x2c
const colon = 0x3a
const openBracket = 0x5b
const closeBracket = 0x5d
const openBrace = 0x7b
const closeBrace = 0x7d

/** Bytes of items that are parsed together: about a millisecond of work. */
const defaultBatchSize = 64 * 1024

const nothing = new Uint8Array(0)

/** Options of {@link ListDecoder}. */
export interface ListDecoderOptions {
  batchSize?: number | undefined
  /** Gets the bytes of each item, one by one. @defaultValue items are parsed, many at once */
  objects?: Pick<ObjectDecoder<unknown>, 'object'> | undefined
  /** @defaultValue JSON.parse */
  parse?: JSONParser | undefined
}

/**
 * Gives what JSON.parse gives of the whole, for every document, cut anywhere.
 *
 * Every byte is looked at once, to find commas between items. The items between two such commas go through JSON.parse, and
 * so does the rest of the document, with `[]` in the place of the items. When all of these are JSON the document is.
 */
export class ListDecoder {
  readonly #objects: ListDecoderOptions['objects']
  readonly #batchSize: number
  readonly #parse: JSONParser
  /** Open brackets: the document's own keys are at 1, items at 2. */
  #depth = 0
  readonly #strings = new StringSkipper()
  /** Bytes of earlier chunks that nothing was done with. */
  #parts: Uint8Array[] = []
  #partsLength = 0
  /** The document without the items, up to where something was done. */
  #frame = ''
  /** The last string at the level of the document's keys, in its quotes. */
  #key = ''
  #isItemsValueNext = false
  #inItems = false
  /** Those of the last key `items`; undefined when its value is no list. */
  #items: unknown[] | undefined

  constructor({ objects, batchSize = objects ? 1 : defaultBatchSize, parse = parseJSONText }: ListDecoderOptions = {}) {
    this.#objects = objects
    this.#batchSize = batchSize
    this.#parse = parse
  }

  /**
   * Takes the next bytes; pauses whenever items have been parsed.
   *
   * @throws SyntaxError when these are no JSON.
   */
  *push(chunk: Uint8Array): Generator<undefined, void> {
    let start = 0
    for (let i = this.#scan(chunk, 0, start); i < chunk.length; i = this.#scan(chunk, i + 1, start)) {
      switch (chunk[i]) {
        case quote:
          if (this.#strings.inString) {
            this.#frame += this.#take(chunk, start, i)
            start = i
          } else {
            this.#key = this.#take(chunk, start, i + 1)
            this.#frame += this.#key
            start = i + 1
          }
          this.#isItemsValueNext = false
          break
        case colon:
          this.#isItemsValueNext = isItems(this.#key)
          if (this.#isItemsValueNext) this.#items = undefined
          break
        case openBrace:
        case openBracket:
          if (this.#isItemsValueNext && chunk[i] === openBracket) {
            this.#frame += this.#take(chunk, start, i + 1)
            start = i + 1
            this.#inItems = true
            this.#items = []
          }
          this.#isItemsValueNext = false
          break
        case closeBrace:
        case closeBracket:
          if (!this.#inItems) break
          this.#addItems(this.#takeBytes(chunk, start, i), { isLast: true })
          start = i
          this.#inItems = false
          yield
          break
        case comma:
          this.#addItems(this.#takeBytes(chunk, start, i), { isLast: false })
          start = i + 1
          yield
          break
        default:
      }
    }
    if (start === chunk.length) return
    this.#parts.push(chunk.subarray(start))
    this.#partsLength += chunk.length - start
  }

  /**
   * The document.
   *
   * @throws SyntaxError when it is none, or not complete.
   */
  end(): unknown {
    const document = this.#parse(this.#frame + this.#take(nothing, 0, 0))
    if (this.#items) Object.assign(document as object, { items: this.#items })
    return document
  }

  /**
   * The next byte to act upon; the chunk's length when there is none. Those are a string's ends and colons among the
   * document's own keys, the brackets of its values, and a comma between items once there are enough for a batch.
   */
  #scan(chunk: Uint8Array, from: number, start: number): number {
    const cutFrom = this.#inItems ? start + this.#batchSize - this.#partsLength : Number.POSITIVE_INFINITY
    const strings = this.#strings
    const length = chunk.length
    let depth = this.#depth
    for (let i = from; i < length; i++) {
      if (strings.inString) {
        i = strings.skip(chunk, i)
        if (depth > 1 && i < length) continue
        this.#depth = depth
        return i
      }
      switch (chunk[i]) {
        case quote:
          strings.inString = true
          if (depth > 1) break
          this.#depth = depth
          return i
        case openBrace:
        case openBracket:
          if (++depth > 2) break
          this.#depth = depth
          return i
        case closeBrace:
        case closeBracket:
          if (--depth > 1) break
          this.#depth = depth
          return i
        case colon:
          if (depth > 1) break
          this.#depth = depth
          return i
        case comma:
          if (i < cutFrom || depth !== 2) break
          this.#depth = depth
          return i
        default:
      }
    }
    this.#depth = depth
    return length
  }

  /** The text from `start`, earlier chunks included, to `end`. */
  #take(chunk: Uint8Array, start: number, end: number): string {
    return textOf(this.#takeBytes(chunk, start, end))
  }

  #takeBytes(chunk: Uint8Array, start: number, end: number): Uint8Array {
    const part = chunk.subarray(start, end)
    if (this.#parts.length === 0) return part
    const bytes = concat([...this.#parts, part])
    this.#parts = []
    this.#partsLength = 0
    return bytes
  }

  #addItems(bytes: Uint8Array, { isLast }: { isLast: boolean }): void {
    const items = this.#items as unknown[]
    const added = this.#itemsOf(bytes)
    if (added.length === 0 && !(isLast && items.length === 0)) throw new SyntaxError('an item is missing in a list')
    for (const item of added) items.push(item)
  }

  #itemsOf(bytes: Uint8Array): unknown[] {
    if (!this.#objects) return this.#parse(`[${textOf(bytes)}]`) as unknown[]
    return isBlank(bytes) ? [] : [this.#objects.object(bytes)]
  }
}

/** Nothing but spaces, as between the brackets of an empty list. */
function isBlank(bytes: Uint8Array): boolean {
  return bytes.every((byte) => byte <= 0x20)
}

/** Whether a JSON string reads `items`. */
function isItems(key: string): boolean {
  if (!key.includes('\\')) return key === '"items"'
  try {
    return parseJSONText(key) === 'items'
  } catch {
    return false
  }
}
