// What a request gave.

import type { Status } from '../gen/api/meta/v1.js'
import type { Warning } from './config.js'
import { printableURL } from './transport/connection-error.js'

/** The facts of a {@link Result}. */
export interface ResultFacts<T> {
  method: string
  url: URL
  statusCode: number
  contentType: string
  warnings: readonly Warning[]
  raw: Uint8Array | undefined
  /** Absent when nothing was decoded. */
  decoded: { readonly object: T } | undefined
}

/** A successful answer, read to its end. */
export class Result<T = unknown> {
  /** HTTP's, 200 to 206. */
  readonly statusCode: number
  /** Media type with its parameters; `''` when the server named none. */
  readonly contentType: string
  /** The server's, which the Config's handler has received too. */
  readonly warnings: readonly Warning[]
  /**
   * The content as it came. Of JSON only when the call was made with `keepRaw`: it would double what a long list takes.
   */
  readonly raw: Uint8Array | undefined
  readonly #request: { method: string; url: URL }
  readonly #decoded: { readonly object: T } | undefined

  constructor({ method, url, statusCode, contentType, warnings, raw, decoded }: ResultFacts<T>) {
    this.#request = { method, url }
    this.statusCode = statusCode
    this.contentType = contentType
    this.warnings = warnings
    this.raw = raw
    this.#decoded = decoded
  }

  /** Whether the server created the object (status 201). */
  get wasCreated(): boolean {
    return this.statusCode === 201
  }

  /**
   * The decoded content.
   *
   * @throws Error when there was none, or it is not JSON
   */
  get object(): T {
    if (this.#decoded) return this.#decoded.object
    const { method } = this.#request
    const url = printableURL(this.#request.url)
    if (isJSON(this.contentType) || this.raw?.length === 0) {
      throw new Error(
        `${method} ${url}: 0-length response with status code: ${this.statusCode} and content type: ${this.contentType}`,
      )
    }
    throw new Error(
      `${method} ${url}: cannot decode an answer of content type ${this.contentType}: only application/json is ` +
        'understood; is the host an API server, with the right path prefix?',
    )
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
