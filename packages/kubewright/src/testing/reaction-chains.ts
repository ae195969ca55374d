// Reactors: who answers what a fake is asked; client-go's testing.Fake.

import type { KubernetesObject, Watch } from '../meta/index.js'
import { type Action, type ActionBase, copyOf, type ProxyGetAction, type WatchAction } from './action.js'

/** What a reaction may give: undefined leaves the action to the next reactor. */
type Answer<R> = R | undefined | Promise<R | undefined>

/**
 * Answers an action: with an object, a list, a text (of logs), or null where there is nothing to tell. `undefined`: somebody
 * else shall.
 *
 * What it throws, the client throws: an ApiError such as {@link newConflict} as an answer of the server, any other error as
 * it is.
 */
export type Reaction = (action: Action) => Answer<object | string | null>

/** Answers a watch, with one such as a `RaceFreeFakeWatcher`. `undefined`: somebody else shall. Throws as {@link Reaction}. */
export type WatchReaction = (action: WatchAction) => Answer<Watch<KubernetesObject>>

/** Answers what is asked of a Pod or Service through the server's proxy. `undefined`: somebody else shall. */
export type ProxyReaction = (action: ProxyGetAction) => Answer<Uint8Array | string>

/** What reactors are added to. */
export interface Reactors {
  /**
   * Has `reaction` answer what it can, before all others.
   *
   * `verb` is one of `get`, `list`, `create`, `update`, `patch`, `delete`, `delete-collection`, or `*`; `resource` is `pods`,
   * which stands for its subresources too, `pods/status`, or `*`.
   */
  prependReactor(verb: string, resource: string, reaction: Reaction): void
  /** Has `reaction` answer what nobody else does: the tracker answers all that it knows. */
  addReactor(verb: string, resource: string, reaction: Reaction): void
  /** As {@link prependReactor}, of watches. */
  prependWatchReactor(resource: string, reaction: WatchReaction): void
  /** As {@link addReactor}, of watches. */
  addWatchReactor(resource: string, reaction: WatchReaction): void
  /** Has `reaction` answer `proxyGet` before all others. */
  prependProxyReactor(resource: string, reaction: ProxyReaction): void
  /** Has `reaction` answer `proxyGet` after all others. */
  addProxyReactor(resource: string, reaction: ProxyReaction): void
}

interface Reactor<A, R> {
  readonly verb: string
  readonly resource: string
  readonly reaction: (action: A) => Answer<R>
}

/** Reactors of one kind, in the order in which they are asked. */
class Chain<A extends ActionBase & { readonly verb: string }, R> {
  readonly #reactors: Reactor<A, R>[] = []

  prepend(reactor: Reactor<A, R>): void {
    this.#reactors.unshift(reactor)
  }

  add(reactor: Reactor<A, R>): void {
    this.#reactors.push(reactor)
  }

  async invoke(action: A): Promise<R | undefined> {
    // A reactor may add others, which are for the next action.
    for (const { verb, resource, reaction } of [...this.#reactors]) {
      if ((verb !== '*' && verb !== action.verb) || !covers(resource, action)) continue
      const answer = await reaction(action)
      if (answer !== undefined) return answer
    }
    return undefined
  }
}

function covers(resource: string, action: ActionBase): boolean {
  const { resource: name } = action.resource
  return resource === '*' || resource === name || resource === `${name}/${action.subresource}`
}

/** Records actions and has them answered. */
export class ReactionChains implements Reactors {
  #actions: (Action | ProxyGetAction)[] = []
  readonly #reactions = new Chain<Action, object | string | null>()
  readonly #watches = new Chain<WatchAction, Watch<KubernetesObject>>()
  readonly #proxies = new Chain<ProxyGetAction, Uint8Array | string>()

  actions(): (Action | ProxyGetAction)[] {
    return this.#actions.map(copyOf)
  }

  clearActions(): void {
    this.#actions = []
  }

  prependReactor(verb: string, resource: string, reaction: Reaction): void {
    this.#reactions.prepend({ verb, resource, reaction })
  }

  addReactor(verb: string, resource: string, reaction: Reaction): void {
    this.#reactions.add({ verb, resource, reaction })
  }

  prependWatchReactor(resource: string, reaction: WatchReaction): void {
    this.#watches.prepend({ verb: '*', resource, reaction })
  }

  addWatchReactor(resource: string, reaction: WatchReaction): void {
    this.#watches.add({ verb: '*', resource, reaction })
  }

  prependProxyReactor(resource: string, reaction: ProxyReaction): void {
    this.#proxies.prepend({ verb: '*', resource, reaction })
  }

  addProxyReactor(resource: string, reaction: ProxyReaction): void {
    this.#proxies.add({ verb: '*', resource, reaction })
  }

  /** Records the action and asks the reactors, which share a copy of it. Undefined when none answers. */
  invoke(action: Action): Promise<object | string | null | undefined> {
    this.#actions.push(copyOf(action))
    return this.#reactions.invoke(copyOf(action))
  }

  /** As {@link invoke}. */
  invokeWatch(action: WatchAction): Promise<Watch<KubernetesObject> | undefined> {
    this.#actions.push(copyOf(action))
    return this.#watches.invoke(copyOf(action))
  }

  /** As {@link invoke}. */
  invokeProxy(action: ProxyGetAction): Promise<Uint8Array | string | undefined> {
    this.#actions.push(copyOf(action))
    return this.#proxies.invoke(copyOf(action))
  }
}
