// A source of objects for tests of reflectors and informers: lists and watches what a test adds, and can lose events.

import type { ListerWatcher } from '../cache/index.js'
import { whenAborted } from '../clock/index.js'
import {
  deepCopy,
  goQuote,
  type KubernetesList,
  type KubernetesObject,
  type ListOptions,
  type Watch,
  type WatchEvent,
} from '../meta/index.js'
import { FakeWatcher } from '../watch/index.js'
import { newResourceExpired } from './api-errors.js'

/** Options of {@link FakeControllerSource}. */
export interface FakeControllerSourceOptions {
  /** Numbers from 0 up to, and not, 1, which decide what watchers are told of. @defaultValue Math.random */
  readonly random?: (() => number) | undefined
}

type Change<T> = Extract<WatchEvent<T>, { type: 'ADDED' | 'MODIFIED' | 'DELETED' }>

/** The object's namespace, name and uid. */
function keyOf({ metadata }: KubernetesObject): string {
  return JSON.stringify([metadata?.namespace ?? '', metadata?.name ?? '', metadata?.uid ?? ''])
}

const versionOf = ({ object }: Change<KubernetesObject>): number => Number(object.metadata?.resourceVersion)

/**
 * What an informer follows in a test; client-go's FakeControllerSource. It is a `ListerWatcher`.
 *
 * ```ts
 * const source = new FakeControllerSource<Pod>()
 * const informer = new SharedIndexInformer(source)
 * source.add(pod)
 * source.deleteDropWatch(pod) // the informer is not told
 * source.resetWatch()         // now it has to list again, and finds out
 * ```
 *
 * **Guarantees**: each change has the next version, from 1 on; the object that is given is marked with it. What is given out
 * is copied.
 */
export class FakeControllerSource<T extends KubernetesObject = KubernetesObject> implements ListerWatcher<T> {
  /** What `list` fails with. */
  listError: Error | undefined
  readonly #random: () => number
  readonly #items = new Map<string, T>()
  #changes: Change<T>[] = []
  #watchers: FakeWatcher<T>[] = []
  #lastVersion = 0

  constructor({ random = Math.random }: FakeControllerSourceOptions = {}) {
    this.#random = random
  }

  /** Adds an object, and sends an ADDED event. */
  add(object: T): void {
    this.change({ type: 'ADDED', object }, 1)
  }

  /** Replaces an object, and sends a MODIFIED event. */
  modify(object: T): void {
    this.change({ type: 'MODIFIED', object }, 1)
  }

  /** Deletes an object, and sends a DELETED event with this last state. */
  delete(lastValue: T): void {
    this.change({ type: 'DELETED', object: lastValue }, 1)
  }

  /** Adds an object, and forgets to send the event. */
  addDropWatch(object: T): void {
    this.change({ type: 'ADDED', object }, 0)
  }

  /** Replaces an object, and forgets to send the event. */
  modifyDropWatch(object: T): void {
    this.change({ type: 'MODIFIED', object }, 0)
  }

  /** Deletes an object, and forgets to send the event. */
  deleteDropWatch(lastValue: T): void {
    this.change({ type: 'DELETED', object: lastValue }, 0)
  }

  /** Makes a change, of which watchers are told with this probability. The object gets its version. */
  change(event: Change<T>, watchProbability: number): void {
    const { type, object } = event
    object.metadata = { ...object.metadata, resourceVersion: String(++this.#lastVersion) }
    const copied = { type, object: copyOf(object) }
    this.#changes.push(copied)
    if (type === 'DELETED') this.#items.delete(keyOf(object))
    else this.#items.set(keyOf(object), copied.object)
    if (this.#random() >= watchProbability) return
    for (const watcher of this.#watchers) void watcher.send({ type, object: copyOf(object) })
  }

  /** As if the connections broke and the server had forgotten what was: watchers have to list again. */
  resetWatch(): void {
    for (const watcher of this.#watchers.splice(0)) watcher.stop()
    this.#changes = []
  }

  /** Ends all watches. */
  shutdown(): void {
    for (const watcher of this.#watchers.splice(0)) watcher.stop()
  }

  async list({ signal }: ListOptions = {}): Promise<KubernetesList<T>> {
    signal?.throwIfAborted()
    if (this.listError) throw this.listError
    const metadata = { resourceVersion: String(this.#lastVersion) }
    return { apiVersion: 'v1', kind: 'List', metadata, items: [...this.#items.values()].map(copyOf) }
  }

  /**
   * What has changed since the version, whether watchers were told or not, and what will.
   *
   * @throws ApiError isResourceExpired for a version from before {@link resetWatch}
   * @throws Error for a version that there has not been yet, or that is no number
   */
  async watch({ signal, resourceVersion = '' }: ListOptions = {}): Promise<Watch<T>> {
    signal?.throwIfAborted()
    if (!/^[0-9]+$/.test(resourceVersion)) throw new Error(`invalid resource version ${goQuote(resourceVersion)}`)
    const version = Number(resourceVersion)
    if (version > this.#lastVersion) throw new Error('resource version in the future not supported by this fake')
    const watcher = new FakeWatcher<T>({ channelSize: Number.POSITIVE_INFINITY })
    if (version < this.#lastVersion) {
      const [oldest] = this.#changes
      const oldestVersion = oldest ? versionOf(oldest) : this.#lastVersion
      if (!oldest || version < oldestVersion - 1) {
        throw newResourceExpired(`too old resource version: ${version} (${oldestVersion})`)
      }
      for (const change of this.#changes) {
        if (versionOf(change) > version) void watcher.send({ type: change.type, object: copyOf(change.object) })
      }
    }
    this.#watchers.push(watcher)
    if (signal) whenAborted(signal, () => watcher.stop())
    return watcher
  }

  /** It cannot stream the initial objects. */
  isWatchListSemanticsUnSupported(): boolean {
    return true
  }
}

function copyOf<T>(object: T): T {
  return deepCopy<T>(object as never)
}
