// A cache that follows the server, and tells handlers what changed.

import { type Clock, realClock, whenAborted } from '../clock/index.js'
import type { KubernetesObject } from '../meta/index.js'
import { type Logger, stderrLogger } from '../rest/index.js'
import { processDelta } from './deltas.js'
import type { ResourceEventHandler } from './event-handler.js'
import { deepFreeze, freezeByEnvironment } from './freeze.js'
import type { Indexer, Indexers } from './indexer.js'
import { InformerObserver } from './informer-events.js'
import type { HandlerStatistics, InformerStatistics } from './informer-statistics.js'
import type { ListerWatcher } from './lister-watcher.js'
import { observedSource } from './observed-source.js'
import { FIFOClosedError } from './pop-gate.js'
import {
  type HandlerErrorHandler,
  ProcessorListener,
  type ResourceEventHandlerRegistration,
} from './processor-listener.js'
import { type PopProcessFunc, RealFIFO } from './real-fifo.js'
import { Reflector, type ReflectorOptions, timingOf, type WatchErrorHandler } from './reflector.js'
import type { TransformFunc } from './reflector-store.js'
import { atLeastMinimum, checkResyncPeriod, determineResyncPeriod } from './resync-period.js'
import { type SourceSelection, selectedSource } from './selected-source.js'
import { SharedProcessor } from './shared-processor.js'
import { Slices } from './slices.js'
import { Store } from './store.js'
import { type Syncable, SyncedLatch } from './synced.js'

/** Options of a {@link SharedIndexInformer}: its own, and those of its {@link Reflector}. */
export interface SharedIndexInformerOptions<T>
  extends Omit<ReflectorOptions, 'resyncPeriod' | 'shouldResync'>,
    SourceSelection {
  /** Changes each object before it is stored, as {@link SharedIndexInformer.setTransform} says. */
  transform?: TransformFunc<T> | undefined
  /** Milliseconds between resyncs, for handlers that do not say otherwise. @defaultValue 0: none */
  resyncPeriod?: number | undefined
  /** @defaultValue the index by namespace */
  indexers?: Indexers<T> | undefined
  /** Told of each object that the cache no longer needs; handlers may not have been told of its end yet. */
  onDropped?: ((obj: T) => void) | undefined
  /** Told what handlers throw. @defaultValue logs it */
  onHandlerError?: HandlerErrorHandler | undefined
  /**
   * Freezes each object, and all that is in it, before it is stored: who changes one gets a TypeError, where it is done. For
   * tests and for finding faults; freezing takes about as long as decoding.
   *
   * **Caveats**: code that is not in strict mode (no module, no class, no `'use strict'`) gets no error: its change is lost.
   *
   * @defaultValue whether the environment variable `KUBE_CACHE_MUTATION_DETECTOR` is `true`
   */
  freeze?: boolean | undefined
  /**
   * How many notifications may be pending for a handler that has been behind for ten seconds, before it is told of: in the
   * log and on `kubewright:cache:informer:backlog`; and again whenever there are twice as many. None is ever dropped: a
   * handler that is stuck takes memory, for the old states of all that changes meanwhile.
   *
   * @defaultValue 100,000
   */
  backlogWarning?: number | undefined
}

/** Options of {@link SharedIndexInformer.addEventHandler}. */
export interface HandlerOptions {
  /** For statistics and messages. @defaultValue `handler 1`, `handler 2`, … */
  name?: string | undefined
  /**
   * Milliseconds between resyncs of this handler: it is then told of every object once more, as an update. 0: none.
   * Less than a second: a second. Rounded up to a multiple of how often the informer checks, which is set when it starts.
   *
   * @defaultValue the informer's
   */
  resyncPeriod?: number | undefined
  /**
   * How many notifications may be pending before those of one object become one, until the handler has caught up: it is
   * then told of the latest state only, as one update from the state that it was told of last; of an object that was changed
   * and deleted by a {@link DeletedFinalStateUnknown} with that state; of one that came and went meanwhile not at all. For
   * handlers that may be slow, or stuck, and need no more than where things stand: what waits is then bounded by the
   * objects that there are.
   *
   * @defaultValue no bound: every change is told of; see `backlogWarning`
   */
  maxPendingNotifications?: number | undefined
}

/**
 * A cache of one resource, kept like the server's by list and watch, for any number of handlers.
 *
 * **Guarantees**
 * - The cache is changed first, handlers are told after. Each handler has its own buffer: a slow one delays no other, and
 *   not the cache.
 * - A handler added late is told of everything in the cache, and then of every change after that: no gap, nothing twice.
 * - Deletions that were missed while the connection was down are found by the next list, and told as a
 *   {@link DeletedFinalStateUnknown}.
 * - After {@link SharedIndexInformer.run} has resolved, no timer, listener or connection of it is left.
 *
 * **Caveats**: it runs once; a stopped one cannot be started again.
 */
export class SharedIndexInformer<T extends KubernetesObject = KubernetesObject> implements Syncable {
  readonly #listerWatcher: ListerWatcher<T>
  readonly #options: SharedIndexInformerOptions<T>
  readonly #clock: Clock
  readonly #logger: Logger
  readonly #store: Store<T>
  readonly #processor = new SharedProcessor<T>()
  readonly #synced = new SyncedLatch()
  readonly #observer: InformerObserver
  /** Aborts when the handlers are to stop: strictly after the rest. */
  readonly #handlersStop = new AbortController()
  readonly #defaultResyncPeriod: number
  #resyncCheckPeriod: number
  #transform: TransformFunc<T> | undefined
  #watchErrorHandler: WatchErrorHandler | undefined
  #reflector: Reflector<T> | undefined
  #fifo: RealFIFO<T> | undefined
  #handlers = 0
  #stopped = false

  /** @throws RangeError for a resync period, a minimum of watches or a back-off that is no number of milliseconds. */
  constructor(listerWatcher: ListerWatcher<T>, options: SharedIndexInformerOptions<T> = {}) {
    this.#options = options
    this.#clock = options.clock ?? realClock
    const { expectedKind, typeDescription = expectedKind?.kind ?? '<unspecified>', name = typeDescription } = options
    this.#observer = new InformerObserver({ name, typeDescription }, this.#clock)
    this.#listerWatcher = observedSource(selectedSource(listerWatcher, options), this.#observer, this.#clock)
    this.#transform = options.transform
    this.#watchErrorHandler = options.watchErrorHandler
    this.#logger = options.logger ?? stderrLogger
    this.#defaultResyncPeriod = checkResyncPeriod(options.resyncPeriod ?? 0)
    this.#resyncCheckPeriod = this.#defaultResyncPeriod
    // The reflector is made at the start only; what it would refuse is told now.
    timingOf(options)
    this.#store = new Store<T>({
      indexers: options.indexers,
      onDropped: options.onDropped,
      // The object must not be missing from the cache because one index cannot place it.
      onIndexError: (err) => this.#logger.error('an index function failed', { err }),
    })
  }

  /** The cache. For reading: what is written to it is not told to handlers, and lost at the next list. */
  get indexer(): Indexer<T> {
    return this.#store
  }

  /**
   * Adds a handler. One that is added to a running informer is first told of everything in the cache, as adds of the
   * initial list. The same handler may be added several times.
   *
   * @throws Error when the informer has stopped; RangeError for a bad resync period or bound of notifications.
   */
  addEventHandler(handler: ResourceEventHandler<T>, options: HandlerOptions = {}): ResourceEventHandlerRegistration {
    if (this.#stopped) throw new Error('handler was not added to shared informer because it has stopped already')
    const requestedResyncPeriod = this.#requestResyncPeriod(options.resyncPeriod ?? this.#defaultResyncPeriod)
    const listener = new ProcessorListener<T>({
      handler,
      requestedResyncPeriod,
      resyncPeriod: determineResyncPeriod(requestedResyncPeriod, this.#resyncCheckPeriod, this.#logger),
      name: options.name ?? `handler ${++this.#handlers}`,
      maxPending: maxPendingOf(options),
      backlogWarning: this.#options.backlogWarning ?? 100_000,
      onBacklog: (statistics) => this.#reportBacklog(statistics),
      onError: this.#options.onHandlerError ?? ((err, event) => this.#logHandlerError(err, event)),
      clock: this.#clock,
      signal: this.#handlersStop.signal,
    })
    this.#processor.add(listener)
    if (this.#reflector) {
      for (const obj of this.#store.list()) listener.add({ type: 'add', obj, isInInitialList: true })
      if (this.#synced.done) listener.upstreamHasSynced()
    }
    return listener
  }

  /**
   * Removes a handler. A call that is going on is not interrupted; no other one follows. Idempotent; handlers of other
   * informers are left alone.
   */
  removeEventHandler(registration: ResourceEventHandlerRegistration): void {
    if (!(registration instanceof ProcessorListener)) return
    if (this.#processor.remove(registration)) void registration.stop('the handler was removed')
  }

  /**
   * Removes a handler, as {@link SharedIndexInformer.removeEventHandler} does, and waits until a call that is going on has
   * ended. Idempotent.
   *
   * **Caveats**: a handler that awaits its own removal waits for ever.
   */
  async shutDownEventHandler(registration: ResourceEventHandlerRegistration): Promise<void> {
    if (!(registration instanceof ProcessorListener)) return
    this.#processor.remove(registration)
    await registration.stop('the handler was removed')
  }

  /**
   * Adds indices, at any time before the informer has stopped.
   *
   * @throws Error when it has stopped, or there is an index of that name.
   */
  addIndexers(indexers: Indexers<T>): void {
    if (this.#stopped) throw new Error('indexer was not added because it has stopped already')
    this.#store.addIndexers(indexers)
  }

  /**
   * Changes each object before it is stored. Where it throws, the watch error handler is told: of a whole list nothing is
   * stored then, and it is asked for again; of a watch the one event is lost, and the cache keeps what it had of that object,
   * until the next event of it or the next list. An object that is deleted is gone in any case: handlers are then given its
   * last state in the cache, as a {@link DeletedFinalStateUnknown}.
   *
   * @throws Error when the informer has started.
   */
  setTransform(transform: TransformFunc<T>): void {
    this.#mustNotHaveStarted()
    this.#transform = transform
  }

  /** Told what a {@link WatchErrorHandler} is told; the last one set counts. @throws Error when it has started. */
  setWatchErrorHandler(handler: WatchErrorHandler): void {
    this.#mustNotHaveStarted()
    this.#watchErrorHandler = handler
  }

  /**
   * Whether the cache has been filled by a whole list.
   *
   * **Caveats**: handlers may not have been told of all of it. A registration's `hasSynced` says that.
   */
  hasSynced(): boolean {
    return this.#synced.done
  }

  get synced(): Promise<void> {
    return this.#synced.promise
  }

  /** The newest version seen from the server; the cache may not be as far yet. `''` before the first. */
  lastSyncResourceVersion(): string {
    return this.#reflector?.lastSyncResourceVersion() ?? ''
  }

  /** What it has done, and how far it and its handlers are. */
  statistics(): InformerStatistics {
    return {
      name: this.#observer.info.name,
      objects: this.#store.entries().size,
      queued: this.#fifo?.length ?? 0,
      behindMs: this.#observer.behindMs,
      lastSyncResourceVersion: this.lastSyncResourceVersion(),
      lastStoreSyncResourceVersion: this.#store.lastStoreSyncResourceVersion(),
      counts: this.#observer.counts,
      handlers: [...this.#processor.listeners].map((listener) => listener.statistics()),
    }
  }

  /** Whether it has run and stopped. */
  isStopped(): boolean {
    return this.#stopped
  }

  /**
   * Runs until the signal aborts; resolves when everything has stopped, calls of handlers included. Never rejects. What
   * handlers have not been told by then is dropped. A second call logs a warning and returns at once.
   */
  async run({ signal }: { signal: AbortSignal }): Promise<void> {
    if (this.#reflector) {
      this.#logger.warn('the informer has started, run more than once is not allowed')
      return
    }
    this.#observer.started()
    const fifo = new RealFIFO<T>({ transform: this.#frozen(this.#transform) })
    this.#fifo = fifo
    this.#reflector = new Reflector<T>(this.#listerWatcher, fifo, {
      ...this.#options,
      resyncPeriod: this.#resyncCheckPeriod,
      shouldResync: () => this.#processor.shouldResync(),
      watchErrorHandler: this.#watchErrorHandler,
    })
    const stopListening = whenAborted(signal, () => fifo.close())
    await Promise.all([this.#reflector.run({ signal }), this.#process(fifo, signal)])
    stopListening()

    this.#stopped = true
    this.#synced.reject(new Error('the informer stopped before it synced', { cause: signal.reason }))
    this.#handlersStop.abort()
    await this.#processor.stop()
  }

  async #process(fifo: RealFIFO<T>, signal: AbortSignal): Promise<void> {
    const slices = new Slices({ clock: this.#clock, signal })
    const breathe = (): Promise<void> | undefined => slices.breathe()
    let idle = true
    const process: PopProcessFunc<T> = (delta, isInInitialList) => {
      if (idle) {
        slices.restart()
        this.#observer.busy()
      }
      const tell = this.#observer.applying(delta)
      const work = processDelta(delta, this.#store, this.#processor, { isInInitialList, breathe })
      if (!tell) return work
      const done = (): void => tell(fifo.length, this.#store.lastStoreSyncResourceVersion())
      return work ? work.then(done) : done()
    }
    while (!signal.aborted) {
      idle = fifo.length === 0
      if (idle) this.#observer.idle()
      try {
        // What waits is processed without a promise for each change.
        const popped = idle ? fifo.pop(process) : fifo.popReady(process)
        if (popped) await popped
        if (fifo.hasSynced() && !this.#synced.done) this.#becomeSynced()
        const pause = slices.breathe()
        if (pause) await pause
      } catch (err) {
        if (signal.aborted || err instanceof FIFOClosedError) return
        this.#logger.error('a change could not be processed', { err })
      }
    }
  }

  #becomeSynced(): void {
    this.#synced.resolve()
    this.#processor.upstreamHasSynced()
    this.#observer.synced(this.#store.entries().size)
  }

  #frozen(transform: TransformFunc<T> | undefined): TransformFunc<T> | undefined {
    if (!(this.#options.freeze ?? freezeByEnvironment())) return transform
    return (obj) => deepFreeze(transform ? transform(obj) : obj)
  }

  /** Before the start, a shorter period makes the informer check more often; after it, the handler has to wait. */
  #requestResyncPeriod(wished: number): number {
    const resyncPeriod = atLeastMinimum(checkResyncPeriod(wished), this.#logger)
    if (resyncPeriod === 0 || resyncPeriod >= this.#resyncCheckPeriod) return resyncPeriod
    if (this.#reflector) return determineResyncPeriod(resyncPeriod, this.#resyncCheckPeriod, this.#logger)
    this.#resyncCheckPeriod = resyncPeriod
    for (const listener of this.#processor.listeners) {
      listener.setResyncPeriod(determineResyncPeriod(listener.requestedResyncPeriod, resyncPeriod, this.#logger))
    }
    return resyncPeriod
  }

  #mustNotHaveStarted(): void {
    if (this.#reflector) throw new Error('informer has already started')
  }

  #reportBacklog({ name, pending, runningMs }: HandlerStatistics): void {
    const informer = this.#observer.info.name
    this.#logger.warn('an event handler is far behind', { informer, handler: name, pending, runningMs })
    this.#observer.backlog(name, pending, runningMs)
  }

  #logHandlerError(err: unknown, event: { type: string; key: string }): void {
    this.#logger.error('an event handler failed', { handler: event.type, key: event.key, err })
  }
}

/** @throws RangeError */
function maxPendingOf({ maxPendingNotifications = Number.POSITIVE_INFINITY }: HandlerOptions): number {
  if (maxPendingNotifications >= 1) return maxPendingNotifications
  throw new RangeError(`maxPendingNotifications is a number of 1 or more: got ${maxPendingNotifications}`)
}
