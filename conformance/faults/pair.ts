// Two informers over the same connection to a real server, one that keeps decoded objects and one that keeps bytes, each
// with a handler that follows; and whether both are where the server is.

import { isDeepStrictEqual } from 'node:util'
import type { Clientset } from 'kubewright'
import { ConfigMap } from 'kubewright/api/core/v1'
import {
  newBytesInformer,
  type ObjectRef,
  SharedIndexInformer,
  type SharedIndexInformerOptions,
} from 'kubewright/cache'
import { realClock } from 'kubewright/clock'
import { noLogger } from 'kubewright/rest'
import { Follower } from './follower.js'
import type { Random } from './random.js'

export interface PairOptions {
  /** Of the informers. */
  clientset: Clientset
  namespace: string
  random: Random
  useWatchList: boolean
  resyncPeriod: number
}

export class InformerPair {
  readonly decoded: SharedIndexInformer<ConfigMap>
  readonly bytes: SharedIndexInformer<ObjectRef<ConfigMap>>
  readonly followers: Follower[] = []
  readonly #controller = new AbortController()
  readonly #running: Promise<unknown>

  constructor({ clientset, namespace, random, useWatchList, resyncPeriod }: PairOptions) {
    const client = clientset.coreV1().configMaps(namespace)
    const options: Omit<SharedIndexInformerOptions<never>, 'indexers' | 'onDropped' | 'transform'> = {
      logger: noLogger,
      useWatchList,
      resyncPeriod,
      // As by default, ten times as fast.
      backoff: { duration: 80, factor: 2, jitter: 1, cap: 3000, steps: Number.POSITIVE_INFINITY },
    }
    this.decoded = new SharedIndexInformer<ConfigMap>(client, options)
    this.bytes = newBytesInformer<ConfigMap>(ConfigMap, client, options)
    for (const informer of [this.decoded, this.bytes]) {
      for (const temper of ['plain', 'slow', 'throwing'] as const) {
        const mayGoBack = (): boolean => false
        const follower = new Follower({
          temper,
          slowMs: 20,
          clock: realClock,
          random,
          act: () => {},
          trace: () => {},
          mayGoBack,
        })
        this.followers.push(follower)
        const handler = { onAdd: follower.onAdd, onUpdate: follower.onUpdate, onDelete: follower.onDelete }
        ;(informer as SharedIndexInformer<ConfigMap>).addEventHandler(handler)
      }
    }
    const { signal } = this.#controller
    this.#running = Promise.all([this.decoded.run({ signal }), this.bytes.run({ signal })])
  }

  /** What differs from what the server has; nothing when both informers and all handlers are there. */
  differences(server: readonly ConfigMap[]): string[] {
    const expected = new Map(server.map((obj) => [`${obj.metadata.namespace}/${obj.metadata.name}`, obj]))
    const differences: string[] = this.followers.flatMap(({ problems }) => problems)
    const decoded = this.decoded.indexer.list() as ConfigMap[]
    const bytes = this.bytes.indexer.list().map((ref) => (ref as unknown as ObjectRef<ConfigMap>).decode())
    for (const [what, cached] of Object.entries({ decoded, bytes })) {
      for (const obj of cached) {
        const key = `${obj.metadata.namespace}/${obj.metadata.name}`
        if (!isSame(expected.get(key), obj)) differences.push(`${what}: ${key} is not as on the server`)
      }
      if (cached.length !== expected.size) differences.push(`${what}: ${cached.length} objects, not ${expected.size}`)
    }
    for (const [i, { state, temper }] of this.followers.entries()) {
      const wrong = [...expected].filter(([key, obj]) => state.get(key) !== obj.metadata.resourceVersion)
      if (wrong.length > 0) differences.push(`handler ${i} (${temper}): does not know ${wrong.map(([key]) => key)}`)
      if (state.size !== expected.size) differences.push(`handler ${i} (${temper}): ${state.size} objects`)
    }
    if (!this.decoded.hasSynced() || !this.bytes.hasSynced()) differences.push('not synced')
    return differences
  }

  async stop(): Promise<void> {
    this.#controller.abort()
    await this.#running
  }
}

function isSame(a: ConfigMap | undefined, b: ConfigMap): boolean {
  const essence = ({ metadata: { uid, resourceVersion, labels }, data }: ConfigMap): unknown => [
    uid,
    resourceVersion,
    labels,
    data,
  ]
  return a !== undefined && isDeepStrictEqual(essence(a), essence(b))
}
