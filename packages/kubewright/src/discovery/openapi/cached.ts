// OpenAPI v3 documents that are asked for once.

import { SingleFlight } from '../../clock/index.js'
import type { CallOptions } from '../../meta/index.js'
import type { OpenAPIClient, OpenAPIGroupVersion } from './types.js'

/**
 * A client that asks another one for the paths once, and for each document in each media type once.
 *
 * **Guarantees**: calls at the same time share one request; failures are not remembered.
 *
 * **Caveats**: it holds what it was given for as long as it lives; documents are shared, not to be changed.
 */
export function newCachedOpenAPIClient(delegate: OpenAPIClient): OpenAPIClient {
  const paths = once(async (opts) => {
    const documents = [...(await delegate.paths(opts))]
    return new Map(documents.map(([path, document]) => [path, new CachedDocument(document)]))
  })
  return { paths: (opts = {}) => paths(opts) }
}

class CachedDocument implements OpenAPIGroupVersion {
  readonly #delegate: OpenAPIGroupVersion
  readonly #schemas = new Map<string, (opts: CallOptions) => Promise<Uint8Array>>()

  constructor(delegate: OpenAPIGroupVersion) {
    this.#delegate = delegate
  }

  serverRelativeURL(): string {
    return this.#delegate.serverRelativeURL()
  }

  schema(contentType: string, opts: CallOptions = {}): Promise<Uint8Array> {
    let schema = this.#schemas.get(contentType)
    if (!schema) {
      schema = once((options) => this.#delegate.schema(contentType, options))
      this.#schemas.set(contentType, schema)
    }
    return schema(opts)
  }
}

function once<T>(work: (opts: CallOptions) => Promise<T>): (opts: CallOptions) => Promise<T> {
  let done: { readonly value: T } | undefined
  let timeout: number | undefined
  const flight = new SingleFlight(async (signal) => {
    done = { value: await work({ signal, timeout }) }
    return done.value
  })
  return async (opts) => {
    opts.signal?.throwIfAborted()
    if (done) return done.value
    timeout = opts.timeout
    return flight.run(opts.signal)
  }
}
