// OpenAPI v3 documents by group-version, parsed: client-go's openapi3.

import { type CallOptions, compareText, formatGroupVersion, type GroupVersion } from '../../meta/index.js'
import type { OpenAPIV3Document } from './documents.js'
import type { OpenAPIClient } from './types.js'

/** The server has no OpenAPI v3 document of a group-version. */
export class OpenAPIGroupVersionNotFoundError extends Error {
  override readonly name: string = 'OpenAPIGroupVersionNotFoundError'
  readonly groupVersion: GroupVersion

  constructor(groupVersion: GroupVersion) {
    super(`GroupVersion (${formatGroupVersion(groupVersion)}) not found as OpenAPI V3 path`)
    this.groupVersion = groupVersion
  }
}

/** The OpenAPI v3 documents of a server: `new OpenAPIRoot(discovery.openAPIV3())`. */
export class OpenAPIRoot {
  readonly #client: OpenAPIClient

  constructor(client: OpenAPIClient) {
    this.#client = client
  }

  /** The group-versions that have a document, in the order of their names. Throws as {@link OpenAPIClient.paths}. */
  async groupVersions(opts: CallOptions = {}): Promise<GroupVersion[]> {
    const paths = await this.#client.paths(opts)
    const groupVersions = [...paths.keys()].map(groupVersionOf).filter((gv) => gv !== undefined)
    const named = groupVersions.map((gv) => ({ gv, name: formatGroupVersion(gv) }))
    return named.sort((a, b) => compareText(a.name, b.name)).map(({ gv }) => gv)
  }

  /**
   * The document of a group-version.
   *
   * @throws OpenAPIGroupVersionNotFoundError when there is none; Error when it is not JSON; else as {@link OpenAPIClient.paths}
   */
  async gvSpec(groupVersion: GroupVersion, opts: CallOptions = {}): Promise<OpenAPIV3Document> {
    const paths = await this.#client.paths(opts)
    const document = paths.get(pathOf(groupVersion))
    if (!document) throw new OpenAPIGroupVersionNotFoundError(groupVersion)
    const text = new TextDecoder().decode(await document.schema('application/json', opts))
    try {
      return JSON.parse(text)
    } catch (err) {
      throw new Error(`the OpenAPI v3 document of ${formatGroupVersion(groupVersion)} is no JSON: ${err}`, {
        cause: err,
      })
    }
  }
}

function pathOf({ group, version }: GroupVersion): string {
  return group === '' ? `api/${version}` : `apis/${group}/${version}`
}

/** Undefined for what belongs to no group-version: `version`, `apis`, `apis/apps`. */
function groupVersionOf(path: string): GroupVersion | undefined {
  const [prefix, first, second] = path.split('/')
  if (prefix === 'api' && first !== undefined) return { group: '', version: first }
  if (prefix === 'apis' && first !== undefined && second !== undefined) return { group: first, version: second }
  return undefined
}
