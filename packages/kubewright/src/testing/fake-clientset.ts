// FakeClientset: a Clientset, and all other clients, over objects in memory instead of a server.

import { type Clock, realClock } from '../clock/index.js'
import type { VersionInfo } from '../discovery/index.js'
import { DynamicClient } from '../dynamic/index.js'
import { Clientset } from '../kubernetes/index.js'
import type { DeepReadonly, GroupVersionKind, Kind, NameGenerator, Schema } from '../meta/index.js'
import { MetadataClient } from '../metadata/index.js'
import { Config, type ConfigOptions } from '../rest/index.js'
import { ScaleClient } from '../scale/index.js'
import type { Action, ProxyGetAction } from './action.js'
import { defaultServerVersion } from './discovery-documents.js'
import { FakeTransport } from './fake-transport.js'
import { ObjectTracker } from './object-tracker.js'
import {
  type ProxyReaction,
  type Reaction,
  ReactionChains,
  type Reactors,
  type WatchReaction,
} from './reaction-chains.js'
import { type ListKind, ResourceRegistry } from './resources.js'
import { scaleLookup } from './scale-lookup.js'
import { objectReaction, objectWatchReaction } from './tracker-reaction.js'

/** What a {@link FakeClientset} is made with. */
export interface FakeClientsetOptions {
  /** Objects and lists that are there from the beginning: see {@link ObjectTracker.add}. They have their `kind`. */
  readonly objects?: readonly DeepReadonly<object>[] | undefined
  /** Kinds that are not built in, of `defineResource`. A CustomResourceDefinition among the objects will do as well. */
  readonly kinds?: readonly Kind<object, object>[] | undefined
  /** Resources that are not built in, and of which nothing is known but the kind of their lists. */
  readonly listKinds?: readonly ListKind[] | undefined
  /** How values of kinds that are not built in merge by server-side apply. @defaultValue by key; lists are replaced */
  readonly schemaFor?: ((kind: GroupVersionKind) => Schema | undefined) | undefined
  /** Dates objects, and is the Config's. @defaultValue the machine's */
  readonly clock?: Clock | undefined
  /** Of names for `generateName`. @defaultValue random ones */
  readonly nameGenerator?: NameGenerator | undefined
  /** What the server says of itself. @defaultValue v1.36.3 */
  readonly serverVersion?: Partial<VersionInfo> | undefined
  /** More of the Config, such as a `userAgent`. */
  readonly config?: Omit<ConfigOptions, 'host' | 'transport' | 'clock'> | undefined
}

/**
 * A {@link Clientset} for tests, without a server: client-go's fake clientset. Its requests are made, sent and answered as
 * any other's, but into memory: by reactors, and by an {@link ObjectTracker}, the last of them.
 *
 * ```ts
 * const clientset = new FakeClientset({ objects: [deployment] })
 * clientset.prependReactor('update', 'deployments', ({ resource }) => {
 *   throw newConflict(resource, 'web', 'somebody was faster')
 * })
 * await programUnderTest(clientset)
 * expect(clientset.actions().map(({ verb }) => verb)).toEqual(['get', 'update'])
 * ```
 *
 * **Guarantees**: all clients of its `config` see the same objects. What is recorded, stored and given out is copied. A
 * reactor may be asynchronous and call the clients itself; where it never answers, signals and timeouts end the call. There
 * is no limit on requests.
 *
 * **Caveats**: nothing is validated, has defaults or is converted between versions, no controller runs, deleting an owner
 * leaves what it owns whatever the `propagationPolicy`, and there are no OpenAPI documents. {@link ObjectTracker} says what
 * there is; for the rest there are real servers.
 */
export class FakeClientset extends Clientset implements Reactors {
  /** The objects; for tests to look at, and to change behind the program's back. */
  readonly tracker: ObjectTracker
  /** A client of the same objects, whatever their kind. */
  readonly dynamicClient: DynamicClient
  /** A client of the same objects' metadata. */
  readonly metadataClient: MetadataClient
  /** A client of the same objects' scales. It knows the fake's resources, and asks no discovery for them. */
  readonly scaleClient: ScaleClient
  readonly #chains: ReactionChains
  readonly #server: { version: VersionInfo }

  /**
   * @throws TypeError for an object of a kind that is not known, or a list kind that does not end in `List`
   * @throws ApiError for objects that cannot be there: see {@link ObjectTracker.add}
   */
  constructor(options: FakeClientsetOptions = {}) {
    const { objects = [], clock = realClock, nameGenerator, config } = options
    const chains = new ReactionChains()
    const resources = new ResourceRegistry(options)
    const tracker = new ObjectTracker({ resources, clock, nameGenerator })
    tracker.add(...objects)
    const reactions = { tracker, resources, clock }
    chains.addReactor('*', '*', objectReaction(reactions))
    chains.addWatchReactor('*', objectWatchReaction(reactions))
    const server = { version: { ...defaultServerVersion, ...options.serverVersion } }
    const transport = new FakeTransport({ chains, resources, clock, serverVersion: () => server.version })
    super(new Config({ qps: -1, ...config, host: 'http://fake', clock, transport }))
    this.#chains = chains
    this.#server = server
    this.tracker = tracker
    this.dynamicClient = new DynamicClient(this.config)
    this.metadataClient = new MetadataClient(this.config)
    this.scaleClient = new ScaleClient(this.config, scaleLookup(resources))
  }

  /** What `/version` answers. May be set. */
  get serverVersion(): VersionInfo {
    return this.#server.version
  }

  set serverVersion(version: VersionInfo) {
    this.#server.version = version
  }

  /** What was asked for, in its order; copies. What `tracker` is asked by a test is no action. */
  actions(): (Action | ProxyGetAction)[] {
    return this.#chains.actions()
  }

  /** Forgets what was asked for until now. */
  clearActions(): void {
    this.#chains.clearActions()
  }

  prependReactor(verb: string, resource: string, reaction: Reaction): void {
    this.#chains.prependReactor(verb, resource, reaction)
  }

  addReactor(verb: string, resource: string, reaction: Reaction): void {
    this.#chains.addReactor(verb, resource, reaction)
  }

  prependWatchReactor(resource: string, reaction: WatchReaction): void {
    this.#chains.prependWatchReactor(resource, reaction)
  }

  addWatchReactor(resource: string, reaction: WatchReaction): void {
    this.#chains.addWatchReactor(resource, reaction)
  }

  prependProxyReactor(resource: string, reaction: ProxyReaction): void {
    this.#chains.prependProxyReactor(resource, reaction)
  }

  addProxyReactor(resource: string, reaction: ProxyReaction): void {
    this.#chains.addProxyReactor(resource, reaction)
  }
}
