// MetadataClient: any resource of a server, of whose objects only the metadata is read.

import type { PartialObjectMetadata, Status } from '../gen/api/meta/v1.js'
import { type ResourceClientImpl, ResourceClients } from '../kubernetes/index.js'
import {
  type DeleteOptions,
  type GetOptions,
  type GroupVersionResource,
  type Kind,
  type KubernetesObject,
  type ListOptions,
  mapWatch,
  type Patch,
  type PatchOptions,
  type Watch,
} from '../meta/index.js'
import type { Config, ConfigOptions, JSONParser, ObjectDecoder } from '../rest/index.js'
import { partialListOf, partialOf, watchedPartialOf } from './partial.js'
import type {
  MetadataInterface,
  MetadataList,
  MetadataResourceInterface,
  NamespaceableMetadataInterface,
} from './types.js'

// client-go asks for protobuf first; JSON is what this library reads. The last is for servers that know no others.
const accept = {
  one: 'application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,application/json',
  many: 'application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1,application/json',
}

/**
 * Clients of any resource that read metadata only: names, labels, owners, and nothing of spec, status or data;
 * client-go's metadata client. For garbage collectors, quotas, counting, and for caches that need no more.
 *
 * ```ts
 * const client = new MetadataClient(await getConfig())
 * const { items } = await client.resource(Secret).list({ labelSelector: 'app=web' }) // no secret leaves the server
 * ```
 *
 * **Guarantees**: what servers send in full, as those before Kubernetes 1.15 do, is reduced to its metadata. Making one
 * does no I/O; one made from the same Config as another client shares its connections.
 *
 * **Caveats**: all its requests share one limit, by default 5 a second with bursts of 10; watches do not count.
 */
export class MetadataClient implements MetadataInterface {
  /** What it talks to, and as whom: the Config it was made from, or a new one of the options. */
  readonly config: Config
  readonly #clients: ResourceClients

  /** @throws Error when the Config contradicts itself: token and password together, a CA and `insecure`, a bad host, … */
  constructor(options: ConfigOptions) {
    this.#clients = new ResourceClients(options)
    this.config = this.#clients.config
  }

  resource(of: Kind | GroupVersionResource): NamespaceableMetadataInterface {
    // Without a kind, as what is read is of none but PartialObjectMetadata.
    return new MetadataResource(this.#clients.client(of, { accept, kind: undefined }))
  }
}

class MetadataResource implements NamespaceableMetadataInterface {
  readonly #client: ResourceClientImpl<KubernetesObject>

  constructor(client: ResourceClientImpl<KubernetesObject>) {
    this.#client = client
  }

  namespace(namespace: string): MetadataResourceInterface {
    return new MetadataResource(this.#client.namespace(namespace))
  }

  /** As that of ResourceClientImpl; what a server sends in full comes in full. */
  decodedBy<R extends KubernetesObject>(decoderFor: (parse: JSONParser) => ObjectDecoder<R>): ResourceClientImpl<R> {
    return this.#client.decodedBy(decoderFor)
  }

  async get(name: string, opts?: GetOptions): Promise<PartialObjectMetadata> {
    return partialOf(await this.#client.get(name, opts))
  }

  async list(opts?: ListOptions): Promise<MetadataList> {
    return partialListOf(await this.#client.list(opts))
  }

  async watch(opts?: ListOptions): Promise<Watch<PartialObjectMetadata>> {
    return mapWatch(await this.#client.watch(opts), watchedPartialOf)
  }

  async patch(name: string, patch: Patch, opts?: PatchOptions): Promise<PartialObjectMetadata> {
    return partialOf(await this.#client.patch(name, patch, opts))
  }

  async delete(name: string, opts?: DeleteOptions): Promise<KubernetesObject | Status> {
    return this.#client.delete(name, opts)
  }

  deleteCollection(opts?: DeleteOptions, listOpts?: ListOptions): Promise<Status> {
    return this.#client.deleteCollection(opts, listOpts)
  }
}
