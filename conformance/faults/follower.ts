// A handler that keeps in mind what it was told, complains of what cannot be, and behaves as badly as handlers do.

import {
  type DeletedFinalStateUnknown,
  deletionHandlingMetaNamespaceKeyFunc,
  type ResourceEventHandler,
} from 'kubewright/cache'
import type { Clock } from 'kubewright/clock'
import type { Random } from './random.js'

/** What a handler is told about, decoded or a reference. */
export interface Seen {
  readonly metadata?: {
    readonly name?: string
    readonly namespace?: string
    readonly uid?: string
    readonly resourceVersion?: string
  }
}

/**
 * - `slow` returns promises that resolve later, `throwing` throws at times, `rejecting` rejects at times;
 * - `stuck` returns, at some time, a promise that resolves only when {@link Follower.release} is called;
 * - `adding` adds another handler at some time, `leaving` removes itself, `stopping` stops the informer.
 */
export type Temper = 'plain' | 'slow' | 'throwing' | 'rejecting' | 'stuck' | 'adding' | 'leaving' | 'stopping'

export interface FollowerOptions {
  temper: Temper
  /** How long a slow one takes at most, in milliseconds. @defaultValue 3000 */
  slowMs?: number | undefined
  clock: Clock
  random: Random
  /** What `adding`, `leaving` and `stopping` do when it is time. */
  act: () => void
  trace: (line: string) => void
  /** Versions went back on the server. */
  mayGoBack: () => boolean
  /**
   * Of a deletion and the creation after it, it may be told as of one update: from the last state, in the deletion's version.
   *
   * @defaultValue false
   */
  coalesced?: boolean | undefined
}

export class Follower implements ResourceEventHandler<Seen> {
  readonly temper: Temper
  /** The version of each object that it knows. */
  readonly state = new Map<string, string>()
  readonly problems: string[] = []
  /** How often it threw or rejected. */
  failures = 0
  calls = 0
  #left = false
  #busy = false
  #release: () => void = () => {}
  readonly #released = new Promise<void>((resolve) => (this.#release = resolve))
  readonly #options: FollowerOptions
  readonly #actAt: number

  constructor(options: FollowerOptions) {
    this.temper = options.temper
    this.#options = options
    this.#actAt = options.random.int(1, 40)
  }

  readonly onAdd = (obj: Seen): unknown => {
    const key = this.#begin('add', obj)
    if (this.state.has(key)) this.#complain(`add of ${key}, which was there`)
    this.state.set(key, versionOf(obj))
    return this.#behave()
  }

  readonly onUpdate = (old: Seen, obj: Seen): unknown => {
    const key = this.#begin('update', obj)
    const known = this.state.get(key)
    const { mayGoBack, coalesced } = this.#options
    const isDeletion = coalesced && known !== undefined && (mayGoBack() || Number(known) < Number(versionOf(old)))
    if (known !== versionOf(old) && !isDeletion) {
      this.#complain(`update of ${key} from ${versionOf(old)}, not from ${known}`)
    }
    if (Number(versionOf(obj)) < Number(versionOf(old)) && !mayGoBack()) {
      this.#complain(`update of ${key} back from ${versionOf(old)} to ${versionOf(obj)}`)
    }
    this.state.set(key, versionOf(obj))
    return this.#behave()
  }

  readonly onDelete = (obj: Seen | DeletedFinalStateUnknown<Seen>): unknown => {
    const key = this.#begin('delete', obj)
    if (!this.state.delete(key)) this.#complain(`delete of ${key}, which was not there`)
    return this.#behave()
  }

  /** Ends what it is stuck in. */
  release(): void {
    this.#release()
  }

  #complain(problem: string): void {
    this.problems.push(problem)
    this.#options.trace(`PROBLEM ${problem}`)
  }

  #begin(what: string, obj: Seen | DeletedFinalStateUnknown<Seen>): string {
    this.calls++
    const key = deletionHandlingMetaNamespaceKeyFunc(obj)
    this.#options.trace(`${what} ${key} ${'metadata' in obj ? versionOf(obj) : 'unknown'}`)
    if (this.#busy) this.#complain(`told of ${key} before it was done with the last`)
    if (this.#left) this.#complain(`told of ${key} after it had left`)
    return key
  }

  #behave(): unknown {
    const { clock, random, act, slowMs = 3000 } = this.#options
    const isTime = this.calls === this.#actAt
    switch (this.temper) {
      case 'plain':
        return undefined
      case 'slow':
        return random.percent(10)
          ? this.#while(new Promise((resolve) => clock.setTimer(random.int(0, slowMs), () => resolve(undefined))))
          : undefined
      case 'throwing':
        if (!random.percent(10)) return undefined
        this.failures++
        throw new Error('a handler throws')
      case 'rejecting':
        if (!random.percent(10)) return undefined
        this.failures++
        return Promise.reject(new Error('a handler rejects'))
      case 'stuck':
        return isTime ? this.#while(this.#released) : undefined
      case 'adding':
      case 'leaving':
      case 'stopping':
        if (!isTime) return undefined
        this.#left = this.temper === 'leaving'
        act()
    }
  }

  async #while(work: Promise<unknown>): Promise<void> {
    this.#busy = true
    await work
    this.#busy = false
  }
}

function versionOf({ metadata }: Seen): string {
  return metadata?.resourceVersion ?? ''
}
