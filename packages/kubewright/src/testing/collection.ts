// The objects of one resource: their versions, what happened to them, and who watches.

import { compareText, deepCopy, type Unstructured, type Watch } from '../meta/index.js'
import { FakeWatcher } from '../watch/index.js'
import { newResourceExpired } from './api-errors.js'
import type { ObjectFilter } from './object-filter.js'

/** Something that happened. Objects are never changed once they are here. */
interface Change {
  readonly version: number
  readonly type: 'ADDED' | 'MODIFIED' | 'DELETED'
  readonly object: Unstructured
  /** What it was before. */
  readonly previous: Unstructured | undefined
}

interface Watching {
  readonly filter: ObjectFilter
  readonly watcher: FakeWatcher<Unstructured>
}

/** How many changes a watch may be behind, for a program that goes on for long. */
const maxChanges = 10_000

/** The version of a resource without objects, as in client-go: 0 means something else in requests. */
const firstVersion = 1

const keyOf = (namespace: string, name: string): string => `${namespace}/${name}`
const nameOf = ({ metadata: { namespace = '', name } }: Unstructured): string => keyOf(namespace, name)

/** The objects of one resource. */
export class Collection {
  #version = firstVersion
  readonly #objects = new Map<string, Unstructured>()
  #changes: Change[] = []
  /** Changes up to this version are forgotten. */
  #forgotten = firstVersion
  #watching: Watching[] = []

  /** The version of the whole. */
  get version(): number {
    return this.#version
  }

  get(namespace: string, name: string): Unstructured | undefined {
    return this.#objects.get(keyOf(namespace, name))
  }

  /** Those that the filter lets through, by namespace and name. */
  select({ namespace, matches }: ObjectFilter): Unstructured[] {
    const found = [...this.#objects.values()].filter(
      (object) => (namespace === '' || object.metadata.namespace === namespace) && matches(object),
    )
    return found.sort(
      (a, b) =>
        compareText(a.metadata.namespace ?? '', b.metadata.namespace ?? '') ||
        compareText(a.metadata.name, b.metadata.name),
    )
  }

  /** Stores an object under a new version, or `version` where that is newer, and tells of it. The object becomes its own. */
  store(object: Unstructured, version = 0): Unstructured {
    const previous = this.#objects.get(nameOf(object))
    this.#advance(object, version)
    this.#objects.set(nameOf(object), object)
    this.#tell({ version: this.#version, type: previous ? 'MODIFIED' : 'ADDED', object, previous })
    return object
  }

  /** Removes an object, and tells of it with a version of its own. */
  remove(object: Unstructured): Unstructured {
    const last = deepCopy<Unstructured>(object)
    this.#advance(last, 0)
    this.#objects.delete(nameOf(object))
    this.#tell({ version: this.#version, type: 'DELETED', object: last, previous: object })
    return last
  }

  /**
   * Watches from a version on; without one, all objects there are come first. Events carry the collection's own objects.
   *
   * @throws ApiError isResourceExpired when changes since that version are forgotten
   */
  watch(filter: ObjectFilter, version: number | undefined): Watch<Unstructured> {
    // As long as the reader takes: client-go's would panic after a hundred events.
    const watcher = new FakeWatcher<Unstructured>({ channelSize: Number.POSITIVE_INFINITY })
    if (version === undefined) {
      for (const object of this.select(filter)) void watcher.add(object)
    } else {
      if (version < this.#forgotten) {
        throw newResourceExpired(`too old resource version: ${version} (${this.#forgotten})`)
      }
      for (const change of this.#changes) if (change.version > version) send(watcher, filter, change)
    }
    this.#watching.push({ filter, watcher })
    return watcher
  }

  /** Forgets changes, so that watches from before end as expired, and ends those that are running. */
  interrupt(): void {
    this.#changes = []
    this.#forgotten = this.#version
    for (const { watcher } of this.#watching.splice(0)) watcher.stop()
  }

  /** Gives the object the next version, or the one that it brings. */
  #advance(object: Unstructured, version: number): void {
    this.#version = Math.max(this.#version + 1, version)
    object.metadata.resourceVersion = String(this.#version)
  }

  #tell(change: Change): void {
    this.#changes.push(change)
    if (this.#changes.length > maxChanges) {
      const dropped = this.#changes.splice(0, maxChanges / 2)
      this.#forgotten = dropped.at(-1)?.version ?? this.#forgotten
    }
    this.#watching = this.#watching.filter(({ watcher }) => !watcher.isStopped())
    for (const { filter, watcher } of this.#watching) send(watcher, filter, change)
  }
}

/** An object that comes to match, or ceases to, is added or deleted for who watches the matching ones. */
function send(watcher: FakeWatcher<Unstructured>, filter: ObjectFilter, { type, object, previous }: Change): void {
  const passes = (candidate: Unstructured | undefined): boolean =>
    candidate !== undefined &&
    (filter.namespace === '' || candidate.metadata.namespace === filter.namespace) &&
    filter.matches(candidate)
  const did = passes(previous)
  const does = type !== 'DELETED' && passes(object)
  if (!did && !does) return
  // Who no longer selects an object is shown the last of it that was selected.
  const shown = did && !does && type !== 'DELETED' && previous ? atVersionOf(object, previous) : object
  void watcher.send({ type: !did ? 'ADDED' : does ? 'MODIFIED' : 'DELETED', object: shown })
}

function atVersionOf({ metadata: { resourceVersion } }: Unstructured, object: Unstructured): Unstructured {
  return { ...object, metadata: { ...object.metadata, resourceVersion } }
}
