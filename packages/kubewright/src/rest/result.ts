// What a request gave.

import type { Status } from '../gen/api/meta/v1.js'
import { ApiError } from '../meta/index.js'
import type { Warning } from './config.js'

/** The facts of a {@link Result}. */
export interface ResultFacts {
  method: string
  url: string
  statusCode: number
  contentType: string
  warnings: readonly Warning[]
  raw: Uint8Array
}

/** A successful answer. */
export class Result<T = unknown> {
  readonly statusCode: number
  /** Media type with its parameters; `''` when the server named none. */
  readonly contentType: string
  readonly warnings: readonly Warning[]
  /** The content as it came. */
  readonly raw: Uint8Array
  readonly #request: { method: string; url: string }
  #decoded: { object: T } | undefined

  constructor({ method, url, statusCode, contentType, warnings, raw }: ResultFacts) {
    this.#request = { method, url }
    this.statusCode = statusCode
    this.contentType = contentType
    this.warnings = warnings
    this.raw = raw
  }

  /** Whether the server created the object (status 201). */
  get wasCreated(): boolean {
    return this.statusCode === 201
  }

  /**
   * The decoded content; decoded at the first access.
   *
   * @throws ApiError when it is a Status that does not say success
   * @throws Error when it is empty or not JSON
   */
  get object(): T {
    this.#decoded ??= { object: this.#decode() }
    return this.#decoded.object
  }

  #decode(): T {
    const { method, url } = this.#request
    if (this.raw.length === 0) {
      throw new Error(
        `${method} ${url}: 0-length response with status code: ${this.statusCode} and content type: ${this.contentType}`,
      )
    }
    if (!isJSON(this.contentType)) {
      throw new Error(
        `${method} ${url}: cannot decode an answer of content type ${this.contentType}: only application/json is ` +
          'understood; is the host an API server, with the right path prefix?',
      )
    }
    let object: T
    try {
      object = JSON.parse(textOf(this.raw))
    } catch (err) {
      throw new Error(`${method} ${url}: the answer is not valid JSON: ${(err as Error).message}`, { cause: err })
    }
    const status = asStatus(object)
    if (status && status.status !== 'Success') throw new ApiError(status, { method, url })
    return object
  }
}

/** Whether a media type is JSON; an absent one counts as such. */
export function isJSON(contentType: string): boolean {
  return /^(\s*$|application\/json\s*(;|$))/i.test(contentType)
}

/** The value, when it is a Status of the API. */
export function asStatus(value: unknown): Status | undefined {
  const { kind, apiVersion } = (value ?? {}) as { kind?: unknown; apiVersion?: unknown }
  return kind === 'Status' && apiVersion === 'v1' ? (value as Status) : undefined
}

/** UTF-8 to text. */
export function textOf(bytes: Uint8Array): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('utf8')
}
