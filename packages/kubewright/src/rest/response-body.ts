// The content of one answer: read once, counted, kept as far as somebody wants to see it, and decoded in slices.

import { type Clock, othersTurn } from '../clock/index.js'
import { messageOf } from '../meta/index.js'
import { concat } from './bytes.js'
import { ListDecoder } from './list-decoder.js'
import type { ObjectDecoder } from './object-decoder.js'
import { type JSONParser, parseJSON } from './parse-json.js'
import { ReadableBody } from './transport/body.js'
import { ConnectionError, connectionErrorReason, printableURL } from './transport/connection-error.js'
import type { TransportResponse } from './transport/transport.js'

/** Answers below this size are decoded at once. */
const largeSize = 1024 * 1024
/** Milliseconds of decoding after which everything else that waits gets its turn. */
const sliceMs = 8

/** Options of {@link ResponseBody}. */
export interface ResponseBodyOptions {
  request: { method: string; url: URL }
  response: TransportResponse
  signal: AbortSignal | undefined
  clock: Clock
  /** @defaultValue JSON.parse */
  parse?: JSONParser | undefined
  /** Of a list's items. @defaultValue they are parsed */
  decoder?: ObjectDecoder<unknown> | undefined
  /** Bytes from the beginning that {@link ResponseBody.kept} gives. @defaultValue 0 */
  keep?: number | undefined
}

/** The content of an answer. One of its methods may be called, once. */
export class ResponseBody {
  readonly #options: ResponseBodyOptions
  readonly #kept: Uint8Array[] = []
  #keptSize = 0
  #size = 0

  constructor(options: ResponseBodyOptions) {
    this.#options = options
  }

  /** Bytes read so far. */
  get size(): number {
    return this.#size
  }

  /** The beginning of what was read. */
  kept(): Uint8Array {
    return concat(this.#kept)
  }

  /** All of it, or its beginning where there is more than `atMost` bytes. Throws as {@link ResponseBody.json} does. */
  async bytes({ atMost = Number.POSITIVE_INFINITY }: { atMost?: number } = {}): Promise<Uint8Array> {
    const chunks: Uint8Array[] = []
    await this.#read((chunk) => {
      chunks.push(chunk)
      return undefined
    }, atMost)
    return concat(chunks)
  }

  /**
   * Its value; undefined when there is no content. Long lists are decoded while they arrive, and no longer than some
   * milliseconds at a time.
   *
   * @throws SyntaxError when it is not JSON; ConnectionError when it breaks off; the signal's reason when it aborts.
   */
  async json(): Promise<unknown> {
    const { clock, signal, parse, decoder: objects } = this.#options
    let head: Uint8Array[] = []
    let decoder: ListDecoder | undefined
    let start = 0
    const decode = async (decoder: ListDecoder, parts: Uint8Array[]): Promise<void> => {
      for (const part of parts) {
        for (const _ of decoder.push(part)) {
          if (clock.monotonic() - start < sliceMs) continue
          await othersTurn()
          signal?.throwIfAborted()
          start = clock.monotonic()
        }
      }
    }
    await this.#read((chunk) => {
      head.push(chunk)
      if (this.#size < largeSize && !objects) return undefined
      if (decoder === undefined) {
        decoder = new ListDecoder({ parse, objects })
        start = clock.monotonic()
      }
      const parts = head
      head = []
      return decode(decoder, parts)
    })
    if (decoder) return decoder.end()
    return this.#size === 0 ? undefined : parseJSON(concat(head), parse)
  }

  /** Hands over each chunk; goes on when that is done, and until there were more than `atMost` bytes. */
  async #read(
    take: (chunk: Uint8Array) => Promise<void> | undefined,
    atMost = Number.POSITIVE_INFINITY,
  ): Promise<void> {
    const { response } = this.#options
    const { body } = response
    const takeCounted = (chunk: Uint8Array): Promise<void> | undefined => {
      this.#size += chunk.length
      this.#keep(chunk)
      return take(chunk)
    }
    try {
      if (body instanceof ReadableBody) {
        for (;;) {
          const chunk = body.poll()
          if (chunk === null) break
          if (chunk === undefined) {
            await body.arrival()
            continue
          }
          const taken = takeCounted(chunk)
          if (taken) await taken
          if (this.#size > atMost) break
        }
      } else {
        for await (const chunk of this.#explained(body)) {
          await takeCounted(chunk)
          if (this.#size > atMost) break
        }
      }
    } finally {
      response.close()
    }
  }

  /** A body of a transport of the user's own, with errors such as ours has. */
  async *#explained(body: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
    const { request, signal } = this.#options
    try {
      yield* body
    } catch (err) {
      if (signal?.aborted) throw signal.reason
      if (err instanceof ConnectionError) throw err
      throw new ConnectionError({
        method: request.method,
        url: printableURL(request.url),
        reason: connectionErrorReason(err) ?? 'protocol',
        message: `unexpected error when reading response body. Please retry. Original error: ${messageOf(err)}`,
        cause: err,
      })
    }
  }

  #keep(chunk: Uint8Array): void {
    const room = (this.#options.keep ?? 0) - this.#keptSize
    if (room <= 0) return
    const part = chunk.subarray(0, room)
    this.#kept.push(part)
    this.#keptSize += part.length
  }
}
