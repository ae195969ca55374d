// A controller in short: a handler that puts keys into a work queue, and workers that look into the cache, and fail at
// times. In the end each object's last look has seen its last state.

import {
  type DeletedFinalStateUnknown,
  deletionHandlingMetaNamespaceKeyFunc,
  type ResourceEventHandler,
} from 'kubewright/cache'
import { type Clock, sleep } from 'kubewright/clock'
import { RateLimitingQueue } from 'kubewright/workqueue'
import type { Seen } from './follower.js'
import type { Random } from './random.js'

export interface WorkerOptions {
  clock: Clock
  random: Random
  /** What the cache has under a key. */
  get: (key: string) => Seen | undefined
  trace: (line: string) => void
}

export class Worker implements ResourceEventHandler<Seen> {
  /** The version that each object had when it was looked at last; those that were gone are not in it. */
  readonly state = new Map<string, string>()
  readonly problems: string[] = []
  /** No more failures, and nothing takes long: what is left to do gets done. */
  calm = false
  readonly #options: WorkerOptions
  readonly #queue: RateLimitingQueue<string>
  readonly #busy = new Set<string>()
  readonly #keys = new Set<string>()
  readonly #ended: Promise<unknown>

  constructor(options: WorkerOptions) {
    this.#options = options
    this.#queue = new RateLimitingQueue<string>({ clock: options.clock })
    this.#ended = Promise.all([this.#work(), this.#work()])
  }

  readonly onAdd = (obj: Seen): void => this.#add(obj)
  readonly onUpdate = (_old: Seen, obj: Seen): void => this.#add(obj)
  readonly onDelete = (obj: Seen | DeletedFinalStateUnknown<Seen>): void => this.#add(obj)

  /** What is still to be done, and what is remembered of failures. */
  unfinished(): string[] {
    const problems: string[] = []
    if (this.#queue.length > 0) problems.push(`${this.#queue.length} keys are in the queue`)
    for (const key of this.#busy) problems.push(`${key} is being worked at`)
    for (const key of this.#keys) {
      if (this.#queue.numRequeues(key) > 0) problems.push(`${key} is remembered as failing`)
    }
    return problems
  }

  async stop(): Promise<void> {
    this.#queue.shutDown()
    await this.#ended
  }

  #add(obj: Seen | DeletedFinalStateUnknown<Seen>): void {
    const key = deletionHandlingMetaNamespaceKeyFunc(obj)
    this.#keys.add(key)
    this.#queue.add(key)
  }

  async #work(): Promise<void> {
    for await (const key of this.#queue) {
      try {
        await this.#reconcile(key)
        this.#queue.forget(key)
      } catch {
        this.#queue.addRateLimited(key)
      } finally {
        this.#queue.done(key)
      }
    }
  }

  async #reconcile(key: string): Promise<void> {
    const { clock, random, get, trace } = this.#options
    const troubled = (): boolean => !this.calm && random.percent(10)
    if (this.#busy.has(key)) this.problems.push(`two workers have ${key} at a time`)
    this.#busy.add(key)
    try {
      if (troubled()) throw new Error('a worker fails')
      const version = get(key)?.metadata?.resourceVersion
      trace(`worker: ${key} ${version ?? 'is gone'}`)
      if (version === undefined) this.state.delete(key)
      else this.state.set(key, version)
      if (troubled()) await sleep(random.int(0, 3000), { clock })
      if (troubled()) throw new Error('a worker fails late')
    } finally {
      this.#busy.delete(key)
    }
  }
}
