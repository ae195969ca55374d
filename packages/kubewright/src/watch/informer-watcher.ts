// A watch made of an informer, and waiting with it: for what must go on even when the server forgets a version.

import {
  type ExpectedKind,
  type Indexer,
  type Indexers,
  isDeletedFinalStateUnknown,
  type ListerWatcher,
  SharedIndexInformer,
} from '../cache/index.js'
import { abortable, type Clock } from '../clock/index.js'
import { type DeepReadonly, type KubernetesObject, messageOf, type Watch, type WatchEvent } from '../meta/index.js'
import type { Logger } from '../rest/index.js'
import { contextWithOptionalTimeout } from '../wait/index.js'
import { ChannelWatch } from './channel-watch.js'
import { type Conditions, type UntilWithoutRetryOptions, untilWithoutRetry } from './until.js'

/** Options of {@link newIndexerInformerWatcher}. */
export interface InformerWatcherOptions<T> {
  /** Ends the informer and the watch; the iteration ends with the signal's reason. */
  signal?: AbortSignal | undefined
  /** Other indices than the one by namespace. */
  indexers?: Indexers<T> | undefined
  /** The kind that all objects have; others are left out. */
  expectedKind?: ExpectedKind | undefined
  /** @defaultValue the machine's clock */
  clock?: Clock | undefined
  /** @defaultValue one that writes to standard error */
  logger?: Logger | undefined
}

/** What {@link newIndexerInformerWatcher} makes. */
export interface InformerWatcher<T extends KubernetesObject> {
  /** The cache. For reading. */
  readonly indexer: Indexer<T>
  readonly informer: SharedIndexInformer<T>
  /** What the informer tells of, as events. To be stopped. */
  readonly watch: Watch<DeepReadonly<T>>
  /** Resolves when the informer has stopped, which it does after the watch. */
  readonly done: Promise<void>
}

/**
 * Starts an informer whose changes are read as a watch.
 *
 * **Guarantees**
 * - It goes on through everything that an informer goes on through, versions that the server no longer knows included.
 * - The existing objects come first, as ADDED.
 *
 * **Caveats**
 * - Changes that were missed while the connection was down come as one, and in no order between objects.
 * - A deletion that was missed comes as DELETED with the last state known, which may be old.
 * - Events wait in memory until they are read. Objects are shared with the cache: only read them.
 *
 * @throws TypeError when `listerWatcher` cannot list and watch
 */
export function newIndexerInformerWatcher<T extends KubernetesObject>(
  listerWatcher: ListerWatcher<T>,
  { signal, ...options }: InformerWatcherOptions<T> = {},
): InformerWatcher<T> {
  if (typeof listerWatcher?.list !== 'function' || typeof listerWatcher.watch !== 'function') {
    throw new TypeError('an informer needs what lists and watches: give the client of a resource')
  }
  const context = contextWithOptionalTimeout({ signal })
  const watch: ChannelWatch<DeepReadonly<T>> = new ChannelWatch<DeepReadonly<T>>({
    capacity: Number.POSITIVE_INFINITY,
    onStop: () => {
      watch.channel.discard()
      context.cancel()
    },
  })
  const send = (event: WatchEvent<DeepReadonly<T>>): void => {
    watch.channel.trySend(event)
  }
  const informer = new SharedIndexInformer<T>(listerWatcher, options)
  informer.addEventHandler({
    onAdd: (object) => send({ type: 'ADDED', object }),
    onUpdate: (_, object) => send({ type: 'MODIFIED', object }),
    onDelete: (deleted) => {
      const object = isDeletedFinalStateUnknown(deleted) ? deleted.obj : deleted
      if (object !== undefined) send({ type: 'DELETED', object })
    },
  })
  const done = informer.run({ signal: context.signal }).then(() => {
    if (signal?.aborted) watch.channel.fail(signal.reason)
    watch.stop()
  })
  return { indexer: informer.indexer, informer, watch, done }
}

/** Whether what is waited for is there already, by the synced cache; what it throws ends the waiting. */
export type PreconditionFunc<T extends KubernetesObject> = (indexer: Indexer<T>) => Promise<boolean> | boolean

/** Options of {@link untilWithSync}. */
export interface UntilWithSyncOptions<T extends KubernetesObject>
  extends UntilWithoutRetryOptions,
    Omit<InformerWatcherOptions<T>, 'signal' | 'clock'> {
  /** Asked once, as soon as the cache is whole. @defaultValue none */
  precondition?: PreconditionFunc<T> | undefined
}

/**
 * Watches with an informer until each condition is met. The one way to wait that nothing but `signal` and `timeout` ends.
 *
 * ```ts
 * const isReady: ConditionFunc<Deployment> = ({ type, object }) =>
 *   (type === 'ADDED' || type === 'MODIFIED') && object.status.readyReplicas === 3
 * await untilWithSync(clientset.appsV1().deployments('default'), isReady, { timeout: 60_000 })
 * ```
 *
 * **Guarantees**: when it returns or throws, its informer has stopped and its connections are released.
 *
 * **Caveats**: states between may be left out, see {@link newIndexerInformerWatcher}. Existing objects come as ADDED.
 *
 * @returns the event that met the last condition; undefined when the precondition was met, or there are no conditions.
 * @throws what a condition, or the precondition, throws.
 * @throws InterruptedError `timed out waiting for the condition`, when the time is up or the signal aborts; Error
 *   `UntilWithSync: unable to sync caches: …` with it as its cause where the precondition could not be asked yet.
 */
export async function untilWithSync<T extends KubernetesObject>(
  listerWatcher: ListerWatcher<T>,
  conditions: Conditions<T>,
  { precondition, signal, timeout, ...options }: UntilWithSyncOptions<T> = {},
): Promise<WatchEvent<DeepReadonly<T>> | undefined> {
  const context = contextWithOptionalTimeout({ signal, timeout, clock: options.clock })
  let made: InformerWatcher<T> | undefined
  try {
    made = newIndexerInformerWatcher(listerWatcher, options)
    const { informer, indexer, watch } = made
    if (precondition) {
      try {
        await abortable(informer.synced, context.signal)
      } catch (err) {
        throw new Error(`UntilWithSync: unable to sync caches: ${messageOf(err)}`, {
          cause: err,
        })
      }
      if (await precondition(indexer)) return undefined
    }
    // Made readonly twice is made readonly once, which the compiler cannot see of any T.
    return await untilWithoutRetry(watch, conditions as Conditions<DeepReadonly<T>>, { signal: context.signal })
  } finally {
    made?.watch.stop()
    context.cancel()
    await made?.done
  }
}
