// All verbs of one resource, over a RESTClient: the run-time part of every typed client.

import type { Scale, ScaleInput } from '../gen/api/autoscaling/v1.js'
import type { Status } from '../gen/api/meta/v1.js'
import {
  type ApplyOptions,
  applyPatch,
  type CallOptions,
  type CreateOptions,
  type DeepReadonly,
  type DeleteOptions,
  type GetOptions,
  goQuote,
  isObject,
  type KubernetesObject,
  type ListOptions,
  type Patch,
  type PatchOptions,
  type StoredList,
  type UpdateOptions,
  type Watch,
} from '../meta/index.js'
import { type JSONParser, jsonParserFor, type ObjectDecoder, type RESTClient, type Request } from '../rest/index.js'
import { checkApplyOptions, checkNoSelectors, checkObject, nameOf, withType } from './arguments.js'
import { withNotFoundHint } from './not-found-hint.js'
import type { ApplyConfiguration, Scales, StatusResourceClient } from './verbs.js'

/** Which subresource a call is made to. */
export interface SubresourceOption {
  /** Such as `status` or `scale`; of several segments, `proxy/healthz`. Absent: the object itself. */
  readonly subresource?: string | undefined
}

/** What a client has to know of its resource. */
export interface ResourceTarget {
  /** The resource's name in URLs: `deployments`. */
  readonly plural: string
  /** Filled in where written objects and list items leave it out. Absent: not known, and objects are sent as they are. */
  readonly kind?: string | undefined
  /** Absent: not known. */
  readonly namespaced?: boolean | undefined
  /** The apiVersion of its Scale. @defaultValue `autoscaling/v1` */
  readonly scale?: string | undefined
  /** The Accept headers of what is read: of one object, of many. @defaultValue `application/json` for both */
  readonly accept?: { readonly one: string; readonly many: string } | undefined
}

/**
 * Client of one resource, in one namespace or (namespace absent) in all: what typed, dynamic and metadata clients are
 * made of. {@link StatusResourceClient} says what each verb does.
 *
 * **Caveats**: for libraries that make clients of their own; it has all verbs, whether the resource serves them or not.
 */
export class ResourceClientImpl<T extends KubernetesObject, W extends object = T>
  implements StatusResourceClient<T, W>, Scales<Scale, ScaleInput>
{
  readonly rest: RESTClient
  /** `apps/v1`, or `v1` for the core group. */
  readonly apiVersion: string
  readonly target: ResourceTarget
  /** Undefined: all namespaces. */
  readonly inNamespace: string | undefined

  constructor(rest: RESTClient, apiVersion: string, target: ResourceTarget, namespace?: string) {
    this.rest = rest
    this.apiVersion = apiVersion
    this.target = target
    this.inNamespace = namespace === '' ? undefined : namespace
  }

  /** The same resource in another namespace; in all of them for `''`. */
  namespace(namespace: string): ResourceClientImpl<T, W> {
    return new ResourceClientImpl(this.rest, this.apiVersion, this.target, namespace)
  }

  /**
   * The same resource, whose lists and watches give what a decoder makes of the bytes: for caches that decode an object when
   * it is read, if ever.
   *
   * @param decoderFor makes it; it is given the way in which the Config wants JSON read.
   */
  decodedBy<R extends KubernetesObject>(decoderFor: (parse: JSONParser) => ObjectDecoder<R>): ResourceClientImpl<R> {
    const { kind: _, ...untyped } = this.target
    const decoder = decoderFor(jsonParserFor(this.rest.config))
    // Without its kind, which would be added to each item.
    return new ResourceClientImpl<R>(this.rest.withDecoder(decoder), this.apiVersion, untyped, this.inNamespace)
  }

  async create(obj: DeepReadonly<W>, opts: CreateOptions & SubresourceOption = {}): Promise<T> {
    const request = this.#one(this.rest.post(), 'create')
    if (opts.subresource !== undefined) request.name(nameOf(obj, 'create'))
    return this.write<T>(request, obj, opts)
  }

  async update(obj: DeepReadonly<W>, opts: UpdateOptions & SubresourceOption = {}): Promise<T> {
    return this.write<T>(this.named(this.rest.put(), 'update', nameOf(obj, 'update')), obj, opts)
  }

  async updateStatus(obj: DeepReadonly<W>, opts: UpdateOptions = {}): Promise<T> {
    const request = this.named(this.rest.put(), 'updateStatus', nameOf(obj, 'updateStatus'))
    return this.write<T>(request.subResource('status'), obj, opts)
  }

  async delete(name: string, opts: DeleteOptions & SubresourceOption = {}): Promise<T | Status> {
    const { subresource, ...rest } = opts
    return this.#delete<T | Status>(under(this.named(this.rest.delete(), 'delete', name), subresource), rest)
  }

  async deleteCollection(opts: DeleteOptions = {}, listOpts: ListOptions = {}): Promise<Status> {
    checkNoSelectors(opts, `deleteCollection ${this.target.plural}`)
    const request = this.scoped(this.rest.delete()).versionedParams(listOpts)
    const signal = opts.signal ?? listOpts.signal
    return this.#delete<Status>(request, { ...opts, signal, timeout: opts.timeout ?? listTimeout(listOpts) })
  }

  async get(name: string, opts: GetOptions & SubresourceOption = {}): Promise<T> {
    const { subresource, ...rest } = opts
    const request = under(this.named(this.rest.get(), 'get', name), subresource)
    return this.#read<T>(this.#accept(request, 'one').versionedParams(rest), opts)
  }

  async list(opts: ListOptions = {}): Promise<StoredList<T>> {
    const request = this.#accept(this.scoped(this.rest.get()), 'many').versionedParams(opts)
    const answer = await this.#ask(request, { signal: opts.signal, timeout: listTimeout(opts) })
    return this.#withTypedItems(asList<T>(answer, `list ${this.target.plural}`))
  }

  async watch(opts: ListOptions = {}): Promise<Watch<T>> {
    const request = this.scoped(this.rest.get()).versionedParams({ ...opts, watch: true })
    this.#accept(request, 'one')
    return this.#hinting(request.watch<T>({ signal: opts.signal, timeout: listTimeout(opts) }))
  }

  async patch(name: string, patch: Patch, opts: PatchOptions = {}): Promise<T> {
    refuseBarePatch(patch, this.target.plural)
    const { subresource, ...rest } = opts
    const request = under(this.named(this.rest.patch(patch.contentType), 'patch', name), subresource)
    return this.#read<T>(this.#accept(request, 'one').versionedParams(rest).body(patch.body), opts)
  }

  async apply(config: DeepReadonly<ApplyConfiguration<W>>, opts: ApplyOptions & SubresourceOption): Promise<T> {
    const name = nameOf(config, 'apply')
    checkApplyOptions(opts, `apply ${this.target.plural}`)
    return this.#apply<T>(name, opts.subresource === undefined ? this.#typed(config, 'apply') : config, opts)
  }

  async applyStatus(config: DeepReadonly<ApplyConfiguration<W>>, opts: ApplyOptions): Promise<T> {
    const name = nameOf(config, 'applyStatus')
    return this.#apply<T>(name, this.#typed(config, 'applyStatus'), { ...opts, subresource: 'status' })
  }

  async getScale(name: string, opts: GetOptions = {}): Promise<Scale> {
    const request = this.named(this.rest.get(), 'getScale', name).subResource('scale')
    return this.#read<Scale>(request.versionedParams(opts), opts)
  }

  async updateScale(name: string, scale: DeepReadonly<ScaleInput>, opts: UpdateOptions = {}): Promise<Scale> {
    const request = this.named(this.rest.put(), 'updateScale', name).subResource('scale')
    return this.send<Scale>(request, withType(this.#scaleType(), scale, 'updateScale'), opts)
  }

  async applyScale(name: string, scale: object, opts: ApplyOptions): Promise<Scale> {
    checkObject(scale, 'applyScale')
    const { metadata } = scale as { metadata?: object }
    const body = withType(this.#scaleType(), { ...scale, metadata: { name, ...metadata } }, 'applyScale')
    return this.#apply<Scale>(name, body, { ...opts, subresource: 'scale' })
  }

  /** A request for one object by name. Refuses a namespaced kind without a namespace. */
  named(request: Request, doing: string, name: string): Request {
    if (name === '' && this.target.kind === undefined) {
      throw new TypeError(`${doing} ${this.target.plural}: name is required`)
    }
    return this.#one(request, doing).name(name)
  }

  /** A request for the resource as a whole, in the client's namespace or in all. */
  scoped(request: Request): Request {
    const { plural, namespaced, kind } = this.target
    if (namespaced === false && this.inNamespace !== undefined) {
      throw new TypeError(
        `${plural} in the namespace ${goQuote(this.inNamespace)}: ${kind ?? 'such'} objects are in no namespace; make the client without one`,
      )
    }
    request.resource(plural)
    return this.inNamespace === undefined ? request : request.namespace(this.inNamespace)
  }

  /** Sends a written object, `apiVersion` and `kind` filled in; to a subresource, which has types of its own, as it is. */
  write<R>(request: Request, obj: object, opts: CreateOptions & SubresourceOption): Promise<R> {
    const { subresource, ...rest } = opts
    const doing = `write ${this.target.plural}`
    checkObject(obj, doing)
    return this.send<R>(under(request, subresource), subresource === undefined ? this.#typed(obj, doing) : obj, rest)
  }

  /** Sends a body as it is, with the options that writes take. */
  send<R>(request: Request, body: object, opts: CreateOptions): Promise<R> {
    return this.#read<R>(request.versionedParams(opts).body(body), opts)
  }

  #delete<R>(request: Request, { signal, timeout, ...options }: DeleteOptions): Promise<R> {
    // Always with a body, as client-go sends it; the options are its fields.
    return this.#send<R>(request.body({ apiVersion: 'v1', kind: 'DeleteOptions', ...options }), { signal, timeout })
  }

  #apply<R>(name: string, body: object, opts: ApplyOptions & SubresourceOption): Promise<R> {
    const { subresource, ...rest } = opts
    refuseManagedFields(body, this.target.plural)
    const patch = applyPatch(body)
    const request = under(this.named(this.rest.patch(patch.contentType), 'apply', name), subresource)
    return this.#read<R>(request.versionedParams(rest).body(patch.body), opts)
  }

  #accept(request: Request, what: 'one' | 'many'): Request {
    const { accept } = this.target
    return accept ? request.setHeader('accept', accept[what]) : request
  }

  /** An object; where nothing else tells its kind, it has to. */
  async #read<R>(request: Request, opts: CallOptions): Promise<R> {
    const answer = await this.#send<R>(request, opts)
    if (this.target.kind === undefined && !(answer as KubernetesObject).kind) {
      // Without the answer, which may be a Secret's.
      throw new Error(`${request.url()}: Object 'Kind' is missing in the answer; is the host an API server?`)
    }
    return answer
  }

  /** The API leaves both out of the items of built-in lists; code that holds an item needs them. */
  #withTypedItems(list: StoredList<T>): StoredList<T> {
    const known = this.target.kind !== undefined
    const apiVersion = known ? this.apiVersion : list.apiVersion
    const kind = known ? this.target.kind : kindOfItems(list)
    for (const item of list.items) {
      if (apiVersion !== undefined) item.apiVersion ??= apiVersion
      if (kind !== undefined) item.kind ??= kind
    }
    return list
  }

  #typed(obj: object, doing: string): object {
    const { kind } = this.target
    return kind === undefined ? obj : withType({ apiVersion: this.apiVersion, kind }, obj, doing)
  }

  #scaleType(): object {
    return { apiVersion: this.target.scale ?? 'autoscaling/v1', kind: 'Scale' }
  }

  /** The answer of an API server, which is an object. @throws Error when it is none */
  async #send<R>(request: Request, options: CallOptions): Promise<R> {
    const answer = await this.#ask(request, options)
    if (isObject(answer)) return answer as R
    throw new Error(`${request.url()}: the answer is JSON, but not an object; is the host an API server?`)
  }

  async #ask(request: Request, { signal, timeout }: CallOptions): Promise<unknown> {
    const result = await this.#hinting(request.do({ signal, timeout }))
    return result.object
  }

  /** A resource that is known by its name only may be misnamed, and may be namespaced or not. */
  async #hinting<R>(call: Promise<R>): Promise<R> {
    const { kind, plural } = this.target
    if (kind !== undefined) return call
    try {
      return await call
    } catch (err) {
      throw withNotFoundHint(err, { apiVersion: this.apiVersion, resource: plural, namespace: this.inNamespace })
    }
  }

  #one(request: Request, doing: string): Request {
    const { plural, namespaced, kind } = this.target
    if (namespaced && this.inNamespace === undefined) {
      throw new TypeError(
        `${doing} ${plural}: which namespace? ${kind ?? 'such'} objects live in one; make the client with it, as in ${plural}('default') or resource(${kind ?? '…'}).namespace('default')`,
      )
    }
    return this.scoped(request)
  }
}

function refuseManagedFields(config: object, plural: string): void {
  const { metadata } = config as { metadata?: { managedFields?: readonly unknown[] } }
  if (!metadata?.managedFields?.length) return
  throw new TypeError(
    `apply ${plural}: cannot apply an object with managed fields already set; state the fields that you want, and no others`,
  )
}

/** Past the types: what is patched, given without how. */
function refuseBarePatch(patch: Patch | undefined, plural: string): void {
  if (typeof patch?.contentType === 'string' && typeof patch.body === 'object') return
  throw new TypeError(
    `patch ${plural}: the patch does not say which kind of patch it is; make it with mergePatch(…), jsonPatch(…), strategicMergePatch(…) or applyPatch(…)`,
  )
}

function under(request: Request, subresource: string | undefined): Request {
  if (subresource === undefined) return request
  // What is no string is told of by the request.
  return request.subResource(...(typeof subresource === 'string' ? subresource.split('/') : [subresource]))
}

/**
 * The answer to a list. Anything else, from a proxy say, must not pass for an empty list: whoever follows a resource
 * would take all objects for deleted.
 */
function asList<T>(answer: unknown, doing: string): StoredList<T> {
  const { kind, items } = (answer ?? {}) as { kind?: unknown; items?: unknown }
  // Servers written in Go send null for no items.
  const isEmpty = (items === null || items === undefined) && typeof kind === 'string' && kind.endsWith('List')
  if (isEmpty) return { ...(answer as StoredList<T>), items: [] }
  if (Array.isArray(items) && items.every((item) => typeof item === 'object' && item !== null)) {
    return answer as StoredList<T>
  }
  const what = typeof kind === 'string' ? `of kind ${goQuote(kind)}` : 'of no kind'
  throw new Error(`${doing}: the answer, ${what}, is not a list of objects; is the host an API server?`)
}

/** By the kind of the list; undefined where that is no text, as a server may have it. */
function kindOfItems({ kind }: { readonly kind?: unknown }): string | undefined {
  return typeof kind === 'string' ? kind.replace(/List$/, '') : undefined
}

/** `timeoutSeconds` is also the client's own deadline, unless a timeout is given (client-go's typed clients). */
function listTimeout({ timeout, timeoutSeconds }: ListOptions): number | undefined {
  return timeout ?? (timeoutSeconds === undefined ? undefined : timeoutSeconds * 1000)
}
