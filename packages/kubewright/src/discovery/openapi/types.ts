// What can be asked of a server's OpenAPI v3 documents.

import type { CallOptions } from '../../meta/index.js'

/** The media type of OpenAPI v3 documents in protobuf. */
export const contentTypeOpenAPIV3PB = 'application/com.github.proto-openapi.spec.v3@v1.0+protobuf'

/** Finds the documents. */
export interface OpenAPIClient {
  /**
   * The documents by path: `api/v1`, `apis/apps/v1`, and some that belong to no group-version, such as `version`.
   *
   * @throws ApiError, ConnectionError, RequestTimeoutError; Error when the answer is none of OpenAPI's
   */
  paths(opts?: CallOptions): Promise<ReadonlyMap<string, OpenAPIGroupVersion>>
}

/** One of the documents. */
export interface OpenAPIGroupVersion {
  /**
   * The document in a media type: `application/json`, or {@link contentTypeOpenAPIV3PB}.
   *
   * @throws ApiError: {@link isNotAcceptable} when the server has it in other types only
   */
  schema(contentType: string, opts?: CallOptions): Promise<Uint8Array>
  /** Path and query of the document. The query has a hash of it: while this is the same, so is the document. */
  serverRelativeURL(): string
}
