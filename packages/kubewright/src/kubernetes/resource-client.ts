// All verbs of one resource, over a RESTClient: the run-time part of every typed client.

import type { Scale, ScaleInput } from '../gen/api/autoscaling/v1.js'
import type { Status } from '../gen/api/meta/v1.js'
import type { ResourceFacts } from '../gen/table.js'
import {
  type ApplyOptions,
  applyPatch,
  type CallOptions,
  type CreateOptions,
  type DeepReadonly,
  type DeleteOptions,
  type GetOptions,
  type KubernetesList,
  type KubernetesObject,
  type ListOptions,
  type Patch,
  type PatchOptions,
  type UpdateOptions,
  type Watch,
} from '../meta/index.js'
import type { RESTClient, Request } from '../rest/index.js'
import type { ApplyConfiguration, Scales, StatusResourceClient } from './verbs.js'

type Named = { metadata?: { name?: string | undefined } | undefined }

/** Client of one resource, in one namespace or (namespace absent) in all. */
export class ResourceClientImpl<T extends KubernetesObject, W extends object = T>
  implements StatusResourceClient<T, W>, Scales<Scale, ScaleInput>
{
  readonly rest: RESTClient
  /** `apps/v1`, or `v1` for the core group. */
  readonly apiVersion: string
  readonly facts: ResourceFacts
  readonly namespace: string | undefined

  constructor(rest: RESTClient, apiVersion: string, facts: ResourceFacts, namespace?: string) {
    this.rest = rest
    this.apiVersion = apiVersion
    this.facts = facts
    this.namespace = namespace === '' ? undefined : namespace
  }

  /** The same resource in another namespace. */
  in(namespace: string): ResourceClientImpl<T, W> {
    return new ResourceClientImpl(this.rest, this.apiVersion, this.facts, namespace)
  }

  async create(obj: DeepReadonly<W>, opts: CreateOptions = {}): Promise<T> {
    return this.write<T>(this.#one(this.rest.post(), 'create'), obj, opts)
  }

  async update(obj: DeepReadonly<W>, opts: UpdateOptions = {}): Promise<T> {
    return this.write<T>(this.named(this.rest.put(), 'update', nameOf(obj, 'update')), obj, opts)
  }

  async updateStatus(obj: DeepReadonly<W>, opts: UpdateOptions = {}): Promise<T> {
    const request = this.named(this.rest.put(), 'updateStatus', nameOf(obj, 'updateStatus'))
    return this.write<T>(request.subResource('status'), obj, opts)
  }

  async delete(name: string, opts: DeleteOptions = {}): Promise<T | Status> {
    return this.#delete<T | Status>(this.named(this.rest.delete(), 'delete', name), opts)
  }

  async deleteCollection(opts: DeleteOptions = {}, listOpts: ListOptions = {}): Promise<Status> {
    const request = this.#scoped(this.rest.delete()).versionedParams(listOpts)
    return this.#delete<Status>(request, { ...opts, timeout: opts.timeout ?? listTimeout(listOpts) })
  }

  async get(name: string, opts: GetOptions = {}): Promise<T> {
    return send<T>(this.named(this.rest.get(), 'get', name).versionedParams(opts), opts)
  }

  async list(opts: ListOptions = {}): Promise<KubernetesList<T>> {
    const request = this.#scoped(this.rest.get()).versionedParams(opts)
    const answer = await ask(request, { signal: opts.signal, timeout: listTimeout(opts) })
    const list = asList<T>(answer, `list ${this.facts.plural}`)
    for (const item of list.items) {
      // The API leaves both out of the items of built-in lists; code that holds an item needs them.
      item.apiVersion ??= this.apiVersion
      item.kind ??= this.facts.kind
    }
    return list
  }

  async watch(opts: ListOptions = {}): Promise<Watch<T>> {
    const request = this.#scoped(this.rest.get()).versionedParams({ ...opts, watch: true })
    return request.watch<T>({ signal: opts.signal, timeout: listTimeout(opts) })
  }

  async patch(name: string, patch: Patch, opts: PatchOptions = {}): Promise<T> {
    const { subresource, ...rest } = opts
    const request = this.named(this.rest.patch(patch.contentType), 'patch', name)
    if (subresource !== undefined) request.subResource(...subresource.split('/'))
    return send<T>(request.versionedParams(rest).body(patch.body), opts)
  }

  async apply(config: DeepReadonly<ApplyConfiguration<W>>, opts: ApplyOptions): Promise<T> {
    return this.#apply<T>(nameOf(config, 'apply'), this.#typed(config), opts)
  }

  async applyStatus(config: DeepReadonly<ApplyConfiguration<W>>, opts: ApplyOptions): Promise<T> {
    return this.#apply<T>(nameOf(config, 'applyStatus'), this.#typed(config), opts, 'status')
  }

  async getScale(name: string, opts: GetOptions = {}): Promise<Scale> {
    return send<Scale>(this.named(this.rest.get(), 'getScale', name).subResource('scale').versionedParams(opts), opts)
  }

  async updateScale(name: string, scale: DeepReadonly<ScaleInput>, opts: UpdateOptions = {}): Promise<Scale> {
    const request = this.named(this.rest.put(), 'updateScale', name).subResource('scale')
    return this.send<Scale>(request, { ...this.#scaleType(), ...scale }, opts)
  }

  async applyScale(name: string, scale: object, opts: ApplyOptions): Promise<Scale> {
    const { metadata, ...rest } = scale as Named
    const body = { ...this.#scaleType(), ...rest, metadata: { name, ...metadata } }
    return this.#apply<Scale>(name, body, opts, 'scale')
  }

  /** A request for one object by name. Refuses a namespaced kind without a namespace. */
  named(request: Request, doing: string, name: string): Request {
    return this.#one(request, doing).name(name)
  }

  /** Sends a written object, `apiVersion` and `kind` filled in. */
  write<R>(request: Request, obj: object, opts: CreateOptions): Promise<R> {
    return this.send<R>(request, this.#typed(obj), opts)
  }

  /** Sends a body as it is, with the options that writes take. */
  send<R>(request: Request, body: object, opts: CreateOptions): Promise<R> {
    return send<R>(request.versionedParams(opts).body(body), opts)
  }

  #delete<R>(request: Request, { signal, timeout, ...options }: DeleteOptions): Promise<R> {
    // Always with a body, as client-go sends it; the options are its fields.
    return send<R>(request.body({ apiVersion: 'v1', kind: 'DeleteOptions', ...options }), { signal, timeout })
  }

  #apply<R>(name: string, body: object, opts: ApplyOptions, subresource?: string): Promise<R> {
    const patch = applyPatch(body)
    const request = this.named(this.rest.patch(patch.contentType), 'apply', name)
    if (subresource !== undefined) request.subResource(subresource)
    return send<R>(request.versionedParams(opts).body(patch.body), opts)
  }

  #typed(obj: object): object {
    return { apiVersion: this.apiVersion, kind: this.facts.kind, ...obj }
  }

  #scaleType(): object {
    return { apiVersion: this.facts.scale ?? 'autoscaling/v1', kind: 'Scale' }
  }

  #scoped(request: Request): Request {
    request.resource(this.facts.plural)
    return this.namespace === undefined ? request : request.namespace(this.namespace)
  }

  #one(request: Request, doing: string): Request {
    if (this.facts.namespaced && this.namespace === undefined) {
      throw new TypeError(
        `${doing} ${this.facts.plural}: which namespace? ${this.facts.kind} objects live in one; make the client with it, as in ${this.facts.plural}('default')`,
      )
    }
    return this.#scoped(request)
  }
}

/** The answer of an API server, which is an object. @throws Error when it is none */
async function send<R>(request: Request, options: CallOptions): Promise<R> {
  const answer = await ask(request, options)
  if (typeof answer === 'object' && answer !== null && !Array.isArray(answer)) return answer as R
  throw new Error(`${request.url()}: the answer is JSON, but not an object; is the host an API server?`)
}

async function ask(request: Request, { signal, timeout }: CallOptions): Promise<unknown> {
  const result = await request.do({ signal, timeout })
  return result.object
}

/**
 * The answer to a list. Anything else, from a proxy say, must not pass for an empty list: whoever follows a resource
 * would take all objects for deleted.
 */
function asList<T>(answer: unknown, doing: string): KubernetesList<T> {
  const { kind, items } = (answer ?? {}) as { kind?: unknown; items?: unknown }
  // Servers written in Go send null for no items.
  const isEmpty = (items === null || items === undefined) && typeof kind === 'string' && kind.endsWith('List')
  if (isEmpty) return { ...(answer as KubernetesList<T>), items: [] }
  if (Array.isArray(items) && items.every((item) => typeof item === 'object' && item !== null)) {
    return answer as KubernetesList<T>
  }
  const what = typeof kind === 'string' ? `of kind ${JSON.stringify(kind)}` : 'of no kind'
  throw new Error(`${doing}: the answer, ${what}, is not a list of objects; is the host an API server?`)
}

/** `timeoutSeconds` is also the client's own deadline, unless a timeout is given (client-go's typed clients). */
function listTimeout({ timeout, timeoutSeconds }: ListOptions): number | undefined {
  return timeout ?? (timeoutSeconds === undefined ? undefined : timeoutSeconds * 1000)
}

/** The object's name, which calls on one object need. */
export function nameOf(obj: object, doing: string): string {
  const name = (obj as Named).metadata?.name
  if (!name) throw new TypeError(`${doing}: the object has no metadata.name; it says which object is meant`)
  return name
}
