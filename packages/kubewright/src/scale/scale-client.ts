// ScaleClient: how many replicas there are and should be, of any resource that can be scaled.

import { DiscoveryClient, MemCacheClient } from '../discovery/index.js'
import type { Scale, ScaleInput } from '../gen/api/autoscaling/v1.js'
import {
  type CallOptions,
  checkGroupVersion,
  type DeepReadonly,
  formatGroupResource,
  formatGroupVersionResource,
  type GetOptions,
  type GroupResource,
  type GroupVersion,
  type GroupVersionKind,
  type GroupVersionResource,
  messageOf,
  type Patch,
  type PatchOptions,
  type UpdateOptions,
} from '../meta/index.js'
import { type ConfigOptions, type RESTClient, type Request, unversionedRestClientFor } from '../rest/index.js'
import { DeferredDiscoveryRESTMapper, type RESTMapper } from '../restmapper/index.js'
import { fromScale, toScale } from './convert.js'
import { newDiscoveryScaleKindResolver, type ScaleKindResolver } from './scale-kind-resolver.js'

/** How old what is known of a server's resources may be before one that is not among them is looked for again. */
const discoveryMaxAgeMs = 10_000

/** Options of {@link ScaleClient}. */
export interface ScaleClientOptions {
  /**
   * Finds the version of a resource.
   *
   * @defaultValue one that asks the server when it is first needed, and again, every ten seconds at most, for a resource that
   * it does not know
   */
  readonly mapper?: Pick<RESTMapper, 'resourceFor'> | undefined
  /** Finds the version of a resource's Scale. @defaultValue one that asks the server when it is first needed */
  readonly scaleKindResolver?: ScaleKindResolver | undefined
}

/** Makes the clients of namespaces. */
export interface ScalesGetter {
  /** The scales of a namespace. */
  scales(namespace: string): ScaleInterface
}

/** The scales of one namespace. */
export interface ScaleInterface {
  /**
   * Reads the scale of an object: `get({ group: 'apps', resource: 'deployments' }, 'web')`.
   *
   * @throws ApiError: {@link isNotFound} when there is no such object, or its resource cannot be scaled
   * @throws Error, with what is wrong as its cause, when the server has no such resource
   */
  get(resource: GroupResource, name: string, opts?: GetOptions): Promise<Scale>
  /**
   * Sets the replicas, and returns the scale as stored. `metadata.resourceVersion` is compared as in any update.
   *
   * @throws ApiError: {@link isConflict}, {@link isInvalid}, {@link isNotFound}, …
   * @throws Error, with what is wrong as its cause, when the server has no such resource, or it cannot be scaled
   * @throws TypeError when the scale has no `metadata.name`
   */
  update(resource: GroupResource, scale: DeepReadonly<ScaleInput>, opts?: UpdateOptions): Promise<Scale>
  /**
   * Changes a part: `patch(resource, 'web', mergePatch({ spec: { replicas: 3 } }))`. The resource is one of a version, and the
   * patch is for the version of Scale that it has; nobody is asked.
   *
   * @throws ApiError: {@link isNotFound}, {@link isInvalid}, …
   * @throws TypeError for a group or version that no path can have
   */
  patch(resource: GroupVersionResource, name: string, patch: Patch, opts?: PatchOptions): Promise<Scale>
}

/**
 * Scales anything that has a `/scale`: Deployments, ReplicaSets, StatefulSets, ReplicationControllers, custom resources.
 *
 * ```ts
 * const scales = new ScaleClient(config).scales('shop')
 * const scale = await scales.get({ group: 'apps', resource: 'deployments' }, 'web')
 * scale.spec.replicas = 3
 * await scales.update({ group: 'apps', resource: 'deployments' }, scale)
 * ```
 *
 * **Guarantees**: whichever version of Scale the server has, what is given and returned is of autoscaling/v1, and `replicas`
 * are always there.
 */
export class ScaleClient implements ScalesGetter {
  readonly restClient: RESTClient
  readonly #mapper: Pick<RESTMapper, 'resourceFor'>
  readonly #kinds: ScaleKindResolver

  /** @throws Error when the Config's fields contradict each other. */
  constructor(config: ConfigOptions, { mapper, scaleKindResolver }: ScaleClientOptions = {}) {
    this.restClient = unversionedRestClientFor(config)
    const discovery = new MemCacheClient(new DiscoveryClient(this.restClient.config))
    const { clock } = this.restClient.config
    this.#mapper = mapper ?? new DeferredDiscoveryRESTMapper(discovery, { maxAge: discoveryMaxAgeMs, clock })
    this.#kinds = scaleKindResolver ?? newDiscoveryScaleKindResolver(discovery)
  }

  scales(namespace: string): ScaleInterface {
    return new NamespacedScaleClient(this.restClient, this.#mapper, this.#kinds, namespace)
  }
}

class NamespacedScaleClient implements ScaleInterface {
  readonly #restClient: RESTClient
  readonly #mapper: Pick<RESTMapper, 'resourceFor'>
  readonly #kinds: ScaleKindResolver
  readonly #namespace: string

  constructor(
    restClient: RESTClient,
    mapper: Pick<RESTMapper, 'resourceFor'>,
    kinds: ScaleKindResolver,
    namespace: string,
  ) {
    this.#restClient = restClient
    this.#mapper = mapper
    this.#kinds = kinds
    this.#namespace = namespace
  }

  async get(resource: GroupResource, name: string, opts: GetOptions = {}): Promise<Scale> {
    const found = await this.#versioned(resource, opts)
    return send(this.#request(this.#restClient.get(), found, name).versionedParams(opts), opts)
  }

  async update(resource: GroupResource, scale: DeepReadonly<ScaleInput>, opts: UpdateOptions = {}): Promise<Scale> {
    const name = scale.metadata?.name
    if (!name) throw new TypeError('update: the scale has no metadata.name')
    const found = await this.#versioned(resource, opts)
    const kind = await this.#scaleOf(found, opts)
    const request = this.#request(this.#restClient.put(), found, name).versionedParams(opts)
    return send(request.body(converted(scale, kind)), opts)
  }

  async patch(resource: GroupVersionResource, name: string, patch: Patch, opts: PatchOptions = {}): Promise<Scale> {
    const request = this.#request(this.#restClient.patch(patch.contentType), resource, name)
    return send(request.versionedParams(opts).body(patch.body), opts)
  }

  #request(request: Request, { group, version, resource }: GroupVersionResource, name: string): Request {
    const namespace = this.#namespace
    return request
      .absPath(apiPath({ group, version }))
      .namespaceIfScoped(namespace, { scoped: namespace !== '' })
      .resource(resource)
      .name(name)
      .subResource('scale')
  }

  async #versioned(wanted: GroupResource, { signal }: CallOptions): Promise<GroupVersionResource> {
    try {
      return await this.#mapper.resourceFor(wanted, { signal })
    } catch (err) {
      signal?.throwIfAborted()
      const name = formatGroupResource(wanted)
      throw new Error(
        `unable to get client for ${name}: unable to get full preferred group-version-resource for ${name}: ${messageOf(err)}`,
        { cause: err },
      )
    }
  }

  async #scaleOf(resource: GroupVersionResource, { signal }: CallOptions): Promise<GroupVersionKind> {
    try {
      return await this.#kinds.scaleForResource(resource, { signal })
    } catch (err) {
      signal?.throwIfAborted()
      const name = formatGroupVersionResource(resource)
      throw new Error(`could not find proper group-version for scale subresource of ${name}: ${messageOf(err)}`, {
        cause: err,
      })
    }
  }
}

function apiPath({ group, version }: GroupVersion): string {
  checkGroupVersion({ group, version })
  return group === '' ? `/api/${version}` : `/apis/${group}/${version}`
}

function converted(scale: DeepReadonly<ScaleInput>, kind: GroupVersionKind): object {
  try {
    return fromScale(scale, kind)
  } catch (err) {
    throw new Error(`could not convert scale update to external Scale: ${messageOf(err)}`, { cause: err })
  }
}

async function send(request: Request, { signal, timeout }: CallOptions): Promise<Scale> {
  return toScale((await request.do<unknown>({ signal, timeout })).object)
}
