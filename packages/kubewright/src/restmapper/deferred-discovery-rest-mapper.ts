// DeferredDiscoveryRESTMapper: a mapper that asks discovery when it is first needed, and again when it does not find something.

import { type Clock, realClock, SingleFlight } from '../clock/index.js'
import type { CachedDiscoveryInterface } from '../discovery/index.js'
import type { GroupKind, GroupVersionKind, GroupVersionResource } from '../meta/index.js'
import { getAPIGroupResources, newDiscoveryRESTMapper } from './discovery.js'
import { isNoMatchError } from './errors.js'
import type { MapperOptions, PartialResource, RESTMapper, RESTMapping, ResettableRESTMapper } from './types.js'

/** Options of {@link DeferredDiscoveryRESTMapper}. */
export interface DeferredDiscoveryRESTMapperOptions {
  /**
   * Milliseconds after which what discovery told counts as old: what is not found then is asked for again, though the client
   * calls itself fresh. So kinds that are made while the program runs are found, at the price of two requests in this time for
   * names that do not exist.
   *
   * @defaultValue never, as in client-go
   */
  readonly maxAge?: number | undefined
  /** @defaultValue the machine's */
  readonly clock?: Clock | undefined
}

interface Filled {
  readonly mapper: RESTMapper
  /** Of the clock's monotonic time. */
  readonly at: number
}

/**
 * A mapper of what a cached discovery client knows.
 *
 * **Guarantees**
 * - It asks when it is first needed; calls at the same time wait for one answer.
 * - What is not found in what the client does not call fresh (files that another program wrote, say) is looked for once more
 *   after asking the server; calls that miss something at the same time cause one such refresh.
 *
 * **Caveats**: a `MemCacheClient` is fresh from its first answer on. A CustomResourceDefinition that is made later is found
 * only after {@link DeferredDiscoveryRESTMapper.reset}, or with `maxAge`.
 */
export class DeferredDiscoveryRESTMapper implements ResettableRESTMapper {
  readonly #client: CachedDiscoveryInterface
  readonly #maxAge: number
  readonly #clock: Clock
  #filled: Filled | undefined
  #filling = this.#newFlight()

  /** @throws RangeError when `maxAge` is no number, 0 or more */
  constructor(client: CachedDiscoveryInterface, options: DeferredDiscoveryRESTMapperOptions = {}) {
    const { maxAge = Number.POSITIVE_INFINITY, clock = realClock } = options
    if (!(maxAge >= 0))
      throw new RangeError(`the maxAge of a mapper is a number of milliseconds, 0 or more: got ${maxAge}`)
    this.#client = client
    this.#maxAge = maxAge
    this.#clock = clock
  }

  reset(): void {
    this.#client.invalidate()
    this.#filled = undefined
    this.#filling = this.#newFlight()
  }

  kindFor(resource: PartialResource, opts: MapperOptions = {}): Promise<GroupVersionKind> {
    return this.#ask(opts, (mapper) => mapper.kindFor(resource, opts))
  }

  kindsFor(resource: PartialResource, opts: MapperOptions = {}): Promise<GroupVersionKind[]> {
    return this.#ask(opts, (mapper) => mapper.kindsFor(resource, opts))
  }

  resourceFor(resource: PartialResource, opts: MapperOptions = {}): Promise<GroupVersionResource> {
    return this.#ask(opts, (mapper) => mapper.resourceFor(resource, opts))
  }

  resourcesFor(resource: PartialResource, opts: MapperOptions = {}): Promise<GroupVersionResource[]> {
    return this.#ask(opts, (mapper) => mapper.resourcesFor(resource, opts))
  }

  restMapping(kind: GroupKind, versions: readonly string[] = [], opts: MapperOptions = {}): Promise<RESTMapping> {
    return this.#ask(opts, (mapper) => mapper.restMapping(kind, versions, opts))
  }

  restMappings(kind: GroupKind, versions: readonly string[] = [], opts: MapperOptions = {}): Promise<RESTMapping[]> {
    return this.#ask(opts, (mapper) => mapper.restMappings(kind, versions, opts))
  }

  resourceSingularizer(resource: string, opts: MapperOptions = {}): Promise<string> {
    return this.#ask(opts, (mapper) => mapper.resourceSingularizer(resource, opts))
  }

  async #ask<T>({ signal }: MapperOptions, ask: (mapper: RESTMapper) => Promise<T>): Promise<T> {
    const filled = await this.#current(signal)
    try {
      return await ask(filled.mapper)
    } catch (err) {
      if (!this.#isWorthAnotherTry(filled, err)) throw err
      // Somebody else may have done it meanwhile.
      if (this.#filled === filled) this.reset()
    }
    return ask((await this.#current(signal)).mapper)
  }

  #isWorthAnotherTry(filled: Filled, err: unknown): boolean {
    if (err instanceof TypeError) return false
    // What was answered is not what would be answered now.
    if (this.#filled !== filled || !this.#client.fresh()) return true
    return isNoMatchError(err) && this.#clock.monotonic() - filled.at >= this.#maxAge
  }

  async #current(signal: AbortSignal | undefined): Promise<Filled> {
    signal?.throwIfAborted()
    return this.#filled ?? this.#filling.run(signal)
  }

  #newFlight(): SingleFlight<Filled> {
    const flight: SingleFlight<Filled> = new SingleFlight(async (signal) => {
      const mapper = newDiscoveryRESTMapper(await getAPIGroupResources(this.#client, { signal }))
      const filled = { mapper, at: this.#clock.monotonic() }
      if (this.#filling === flight) this.#filled = filled
      return filled
    })
    return flight
  }
}
