// OpenAPI v3 documents, from the server at each call.

import type { CallOptions } from '../../meta/index.js'
import type { RESTClient } from '../../rest/index.js'
import { discoveryRequest } from '../request.js'
import type { OpenAPIClient, OpenAPIGroupVersion } from './types.js'

const root = '/openapi/v3'

/** A client that remembers nothing; discovery clients' `openAPIV3()` is one. */
export function newOpenAPIClient(restClient: RESTClient): OpenAPIClient {
  return {
    async paths(opts = {}) {
      const answer = await discoveryRequest(restClient, root).doRaw(opts)
      const prefix = restClient.baseUrl.pathname.replace(/\/$/, '')
      const documents = new Map<string, OpenAPIGroupVersion>()
      for (const [path, url] of relativeURLs(answer)) {
        // Some servers know the prefix below which clients see them, and say it; requests add it themselves.
        const relative = url.startsWith(prefix) ? url.slice(prefix.length) : url
        documents.set(path, new Document(restClient, relative))
      }
      return documents
    },
  }
}

function* relativeURLs(answer: Uint8Array): Iterable<[path: string, url: string]> {
  const { paths } = parsed(answer) ?? {}
  if (typeof paths !== 'object' || paths === null) {
    throw new Error(`GET ${root}: the answer has no paths of OpenAPI v3 documents`)
  }
  for (const [path, item] of Object.entries(paths)) {
    const url: unknown = item?.serverRelativeURL
    yield [path, typeof url === 'string' ? url : '']
  }
}

/** Whatever it calls itself: API servers say text/plain. */
function parsed(answer: Uint8Array): { paths?: unknown } | null {
  try {
    return JSON.parse(new TextDecoder().decode(answer))
  } catch (err) {
    throw new Error(`GET ${root}: the answer is no JSON: ${(err as Error).message}`, { cause: err })
  }
}

class Document implements OpenAPIGroupVersion {
  readonly #restClient: RESTClient
  readonly #url: string

  constructor(restClient: RESTClient, url: string) {
    this.#restClient = restClient
    this.#url = url
  }

  serverRelativeURL(): string {
    return this.#url
  }

  async schema(contentType: string, opts: CallOptions = {}): Promise<Uint8Array> {
    return discoveryRequest(this.#restClient).requestURI(this.#url).setHeader('accept', contentType).doRaw(opts)
  }
}
