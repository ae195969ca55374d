// ShortcutExpander: a mapper that takes short names, such as `po` and `deploy`.

import type { APIResource, DiscoveryInterface, ServerResources } from '../discovery/index.js'
import {
  formatGroupResource,
  type GroupKind,
  type GroupResource,
  type GroupVersionKind,
  type GroupVersionResource,
  goQuote,
} from '../meta/index.js'
import { isNoMatchError } from './errors.js'
import {
  type MapperOptions,
  maybeResetRESTMapper,
  type PartialResource,
  type RESTMapper,
  type RESTMapping,
  type ResettableRESTMapper,
} from './types.js'

/** Options of {@link ShortcutExpander}. */
export interface ShortcutExpanderOptions {
  /** Told of other resources with the same short name. */
  readonly warningHandler?: ((message: string) => void) | undefined
}

interface Listed {
  readonly group: string
  readonly resources: readonly APIResource[]
}

/**
 * Replaces short names by what discovery says they stand for, then asks another mapper.
 *
 * **Guarantees**: what is the name of a resource, plural or singular, is no short name. Of several resources with the same one,
 * the first in the server's order is meant.
 *
 * **Caveats**: each question asks the discovery client, so it should be one that remembers. Where that fails, names are taken
 * as they are.
 */
export class ShortcutExpander implements ResettableRESTMapper {
  readonly #delegate: RESTMapper
  readonly #client: Pick<DiscoveryInterface, 'serverGroupsAndResources'>
  readonly #warn: (message: string) => void

  constructor(
    delegate: RESTMapper,
    client: Pick<DiscoveryInterface, 'serverGroupsAndResources'>,
    { warningHandler = () => {} }: ShortcutExpanderOptions = {},
  ) {
    this.#delegate = delegate
    this.#client = client
    this.#warn = warningHandler
  }

  async kindFor(resource: PartialResource, opts: MapperOptions = {}): Promise<GroupVersionKind> {
    try {
      return await this.#delegate.kindFor(await this.#expand(resource, opts), opts)
    } catch (err) {
      if (!isNoMatchError(err)) throw err
      // The delegate may have asked the server meanwhile, and the short name be known now.
      return this.#delegate.kindFor(await this.#expand(resource, opts), opts)
    }
  }

  async kindsFor(resource: PartialResource, opts: MapperOptions = {}): Promise<GroupVersionKind[]> {
    return this.#delegate.kindsFor(await this.#expand(resource, opts), opts)
  }

  async resourceFor(resource: PartialResource, opts: MapperOptions = {}): Promise<GroupVersionResource> {
    return this.#delegate.resourceFor(await this.#expand(resource, opts), opts)
  }

  async resourcesFor(resource: PartialResource, opts: MapperOptions = {}): Promise<GroupVersionResource[]> {
    return this.#delegate.resourcesFor(await this.#expand(resource, opts), opts)
  }

  restMapping(kind: GroupKind, versions: readonly string[] = [], opts: MapperOptions = {}): Promise<RESTMapping> {
    return this.#delegate.restMapping(kind, versions, opts)
  }

  restMappings(kind: GroupKind, versions: readonly string[] = [], opts: MapperOptions = {}): Promise<RESTMapping[]> {
    return this.#delegate.restMappings(kind, versions, opts)
  }

  async resourceSingularizer(resource: string, opts: MapperOptions = {}): Promise<string> {
    return this.#delegate.resourceSingularizer((await this.#expand({ resource }, opts)).resource, opts)
  }

  reset(): void {
    maybeResetRESTMapper(this.#delegate)
  }

  async #expand(partial: PartialResource, opts: MapperOptions): Promise<PartialResource> {
    const { group = '', resource } = partial
    const lists = await this.#lists(opts)
    const inGroup = group === '' ? lists : lists.filter((list) => list.group === group)
    if (inGroup.some((list) => list.resources.some((it) => resource === it.name || resource === it.singularName))) {
      return partial
    }
    const [first, ...others] = meantBy(resource, inGroup)
    if (first) {
      for (const other of others) {
        this.#warn(
          `short name ${goQuote(resource)} could also match lower priority resource ${formatGroupResource(other)}`,
        )
      }
      return first
    }
    if (group === '') return partial
    // As `autoscal` for `autoscaling`.
    const [prefixed] = meantBy(
      resource,
      lists.filter((list) => list.group.startsWith(group)),
    )
    return prefixed ? { ...partial, ...prefixed } : partial
  }

  async #lists(opts: MapperOptions): Promise<Listed[]> {
    try {
      return listsOf(await this.#client.serverGroupsAndResources(opts))
    } catch {
      opts.signal?.throwIfAborted()
      return []
    }
  }
}

/** Lists of resources with their groups, in the server's order; without those whose group-version is none. */
export function listsOf({ resources: lists }: Pick<ServerResources, 'resources'>): Listed[] {
  return lists.flatMap(({ groupVersion, resources }) => {
    const slash = groupVersion.indexOf('/')
    return slash === groupVersion.lastIndexOf('/')
      ? [{ group: groupVersion.slice(0, Math.max(0, slash)), resources }]
      : []
  })
}

/** The resources with a short name, each once. */
function meantBy(shortName: string, lists: readonly Listed[]): GroupResource[] {
  const byName = new Map<string, GroupResource>()
  for (const { group, resources } of lists) {
    for (const { name, shortNames } of resources) {
      if (shortNames?.includes(shortName)) byName.set(`${group}/${name}`, { group, resource: name })
    }
  }
  return [...byName.values()]
}
