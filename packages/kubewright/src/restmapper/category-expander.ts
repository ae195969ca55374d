// Categories of resources, such as `all`.

import type { DiscoveryInterface } from '../discovery/index.js'
import type { GroupResource } from '../meta/index.js'
import { listsOf } from './shortcut-expander.js'
import type { MapperOptions } from './types.js'

/** Says which resources belong to a category. */
export interface CategoryExpander {
  /** The resources of a category; undefined when there is no such category. */
  expand(category: string, opts?: MapperOptions): Promise<readonly GroupResource[] | undefined>
}

/** Categories as they are given. */
export class SimpleCategoryExpander implements CategoryExpander {
  readonly #expansions: ReadonlyMap<string, readonly GroupResource[]>

  constructor(expansions: ReadonlyMap<string, readonly GroupResource[]>) {
    this.#expansions = expansions
  }

  async expand(category: string): Promise<readonly GroupResource[] | undefined> {
    return this.#expansions.get(category)
  }
}

/**
 * Categories as discovery tells them. A resource with several versions is named once for each.
 *
 * **Caveats**: each question asks the discovery client, so it should be one that remembers. Where that fails there is no
 * category, so that another expander of a {@link UnionCategoryExpander} can answer.
 */
export class DiscoveryCategoryExpander implements CategoryExpander {
  readonly #client: Pick<DiscoveryInterface, 'serverGroupsAndResources'>

  constructor(client: Pick<DiscoveryInterface, 'serverGroupsAndResources'>) {
    this.#client = client
  }

  async expand(category: string, opts: MapperOptions = {}): Promise<readonly GroupResource[] | undefined> {
    const answer = await this.#client.serverGroupsAndResources(opts).catch(() => {
      opts.signal?.throwIfAborted()
      return { resources: [] }
    })
    const members = listsOf(answer).flatMap(({ group, resources }) =>
      resources
        .filter(({ categories }) => categories?.includes(category))
        .map(({ name }) => ({ group, resource: name })),
    )
    return members.length === 0 ? undefined : members
  }
}

/** What any of several expanders says, each resource once. */
export class UnionCategoryExpander implements CategoryExpander {
  readonly #expanders: readonly CategoryExpander[]

  constructor(expanders: readonly CategoryExpander[]) {
    this.#expanders = expanders
  }

  async expand(category: string, opts: MapperOptions = {}): Promise<readonly GroupResource[] | undefined> {
    const found = new Map<string, GroupResource>()
    let isKnown = false
    for (const expander of this.#expanders) {
      const members = await expander.expand(category, opts)
      isKnown ||= members !== undefined
      for (const { group, resource } of members ?? []) found.set(`${group}/${resource}`, { group, resource })
    }
    return isKnown ? [...found.values()] : undefined
  }
}
