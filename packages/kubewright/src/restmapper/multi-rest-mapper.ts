// MultiRESTMapper: several mappers as one.

import {
  formatGroupVersionKind,
  formatGroupVersionResource,
  type GroupKind,
  type GroupVersionKind,
  type GroupVersionResource,
  messageOf,
} from '../meta/index.js'
import { complete, only } from './default-rest-mapper.js'
import {
  AmbiguousKindError,
  AmbiguousResourceError,
  isNoMatchError,
  NoKindMatchError,
  NoResourceMatchError,
} from './errors.js'
import {
  type MapperOptions,
  maybeResetRESTMapper,
  type PartialResource,
  type RESTMapper,
  type RESTMapping,
  type ResettableRESTMapper,
} from './types.js'

/** Finds what any of its mappers finds, in their order. That one of them does not know something is no error. */
export class MultiRESTMapper implements ResettableRESTMapper {
  readonly #mappers: readonly RESTMapper[]

  constructor(mappers: readonly RESTMapper[]) {
    this.#mappers = mappers
  }

  async resourcesFor(resource: PartialResource, opts?: MapperOptions): Promise<GroupVersionResource[]> {
    const found = await this.#all((mapper) => mapper.resourcesFor(resource, opts), { opts })
    if (found.length === 0) throw new NoResourceMatchError(complete(resource))
    return unique(found, formatGroupVersionResource)
  }

  async resourceFor(resource: PartialResource, opts?: MapperOptions): Promise<GroupVersionResource> {
    return only(await this.resourcesFor(resource, opts), (matchingResources) => {
      throw new AmbiguousResourceError(complete(resource), { matchingResources })
    })
  }

  async kindsFor(resource: PartialResource, opts?: MapperOptions): Promise<GroupVersionKind[]> {
    const found = await this.#all((mapper) => mapper.kindsFor(resource, opts), { opts })
    if (found.length === 0) throw new NoResourceMatchError(complete(resource))
    return unique(found, formatGroupVersionKind)
  }

  async kindFor(resource: PartialResource, opts?: MapperOptions): Promise<GroupVersionKind> {
    return only(await this.kindsFor(resource, opts), (matchingKinds) => {
      throw new AmbiguousResourceError(complete(resource), { matchingKinds })
    })
  }

  /** Uses what one mapper finds though others fail, as long as it is the only one that finds something. */
  async restMapping(kind: GroupKind, versions: readonly string[] = [], opts?: MapperOptions): Promise<RESTMapping> {
    const errors: unknown[] = []
    const found = await this.#all(async (mapper) => [await mapper.restMapping(kind, versions, opts)], { opts, errors })
    if (found.length === 0) throw failureOf(errors) ?? new NoKindMatchError(kind, versions)
    return only(found, () => {
      const matchingKinds = found.map(({ groupVersionKind }) => groupVersionKind)
      throw new AmbiguousKindError({ ...kind, version: '' }, { matchingKinds })
    })
  }

  async restMappings(kind: GroupKind, versions: readonly string[] = [], opts?: MapperOptions): Promise<RESTMapping[]> {
    const errors: unknown[] = []
    const found = await this.#all((mapper) => mapper.restMappings(kind, versions, opts), { opts, errors })
    const failure = failureOf(errors)
    if (failure) throw failure
    if (found.length === 0) throw new NoKindMatchError(kind, versions)
    return found
  }

  /** What the first mapper says that knows the resource; else what the last one says. */
  async resourceSingularizer(resource: string, opts?: MapperOptions): Promise<string> {
    let failure: unknown = new NoResourceMatchError({ group: '', version: '', resource })
    for (const mapper of this.#mappers) {
      try {
        return await mapper.resourceSingularizer(resource, opts)
      } catch (err) {
        opts?.signal?.throwIfAborted()
        failure = err
      }
    }
    throw failure
  }

  reset(): void {
    this.#mappers.forEach(maybeResetRESTMapper)
  }

  /** Other errors than that something is not known go to `errors`, or end it. */
  async #all<T>(
    ask: (mapper: RESTMapper) => Promise<T[]>,
    { opts, errors }: { opts: MapperOptions | undefined; errors?: unknown[] },
  ): Promise<T[]> {
    const found: T[] = []
    for (const mapper of this.#mappers) {
      try {
        found.push(...(await ask(mapper)))
      } catch (err) {
        opts?.signal?.throwIfAborted()
        if (isNoMatchError(err)) continue
        if (!errors) throw err
        errors.push(err)
      }
    }
    return found
  }
}

function failureOf(errors: readonly unknown[]): Error | undefined {
  if (errors.length === 0) return undefined
  const messages = [...new Set(errors.map(messageOf))]
  const [only = '', second] = messages
  return new AggregateError(errors, second === undefined ? only : `[${messages.join(', ')}]`)
}

function unique<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  const byKey = new Map<string, T>()
  for (const item of items) if (!byKey.has(keyOf(item))) byKey.set(keyOf(item), item)
  return [...byKey.values()]
}
