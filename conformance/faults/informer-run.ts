// One run: an informer over a server that fails, seconds of real time for hours of the fake clock; in the end the cache
// is the server, every handler knows it, and nothing is left behind. A seed says all of it.

import { createHash } from 'node:crypto'
import { getEventListeners } from 'node:events'
import { Clientset } from 'kubewright'
import { ConfigMap } from 'kubewright/api/core/v1'
import {
  filteringHandler,
  type ListerWatcher,
  newBytesInformer,
  type ObjectRef,
  type ResourceEventHandlerRegistration,
  SharedIndexInformer,
  type SharedIndexInformerOptions,
} from 'kubewright/cache'
import { FakeClock } from 'kubewright/clock'
import { DynamicClient } from 'kubewright/dynamic'
import { type KubernetesObject, messageOf } from 'kubewright/meta'
import { type Logger, noWarnings } from 'kubewright/rest'
import { Follower, type Seen, type Temper } from './follower.js'
import { MemoryServer, noFaults, type Outage } from './memory-server.js'
import type { StoredObject } from './memory-store.js'
import { Random } from './random.js'
import { TroubledClock } from './troubled-clock.js'
import { Worker } from './worker.js'

export interface RunResult {
  seed: number
  /** What was not as it should be; none when the run is a success. */
  problems: string[]
  /** All that happened, a line each. */
  trace: string[]
  /** Of the trace: runs of the same hash were the same. */
  hash: string
  requests: number
  /** The most requests within {@link windowMs}, those left out that a closed stream was cause for. */
  busiest: number
}

type Cached = KubernetesObject | ObjectRef

/** Requests are counted in windows of so many milliseconds. */
const windowMs = 10_000

/**
 * What an informer may ask within a window. A round of the reflector is at most a stream, a list, the list anew, and a
 * watch, of which each may be repeated after a second as often as the server asks for by Retry-After; the back-off begins
 * at 0.8 seconds.
 */
const mostRequests = 25

/** Longer than any frame that is read at once. */
const hugeCharacters = 600_000

/** Enough for the longest watch, its grace, the longest back-off and a slow handler's buffer. */
const settleMs = 25 * 60_000

/** How long what is under way takes to end: an answer that heeds no signal, and a handler. */
const stopMs = 10_000

/** Carries out the run of a seed. */
export async function informerRun(seed: number): Promise<RunResult> {
  return new InformerRun(seed).run()
}

class InformerRun {
  readonly #seed: number
  readonly #random: Random
  readonly #fake = new FakeClock(1_700_000_000_000)
  readonly #clock: TroubledClock
  readonly #server: MemoryServer
  readonly #controller = new AbortController()
  readonly #followers: { follower: Follower; filtered: boolean; registration: ResourceEventHandlerRegistration }[] = []
  readonly #problems: string[] = []
  readonly #trace: string[] = []
  readonly #plan
  readonly #informer: SharedIndexInformer<Cached>
  readonly #worker: Worker
  #handlerErrors = 0

  constructor(seed: number) {
    this.#seed = seed
    const random = new Random(seed)
    this.#random = random
    this.#plan = {
      store: random.pick(['decoded', 'bytes']),
      client: random.pick(['typed', 'dynamic']),
      useWatchList: random.percent(65),
      serverStreams: random.percent(75),
      pagesAlways: random.percent(20),
      pageSize: random.pick([undefined, undefined, 1, 3, 500]),
      resyncPeriod: random.pick([0, 0, 5000, 30_000]),
      selector: random.percent(25),
      transform: random.percent(40),
      internalErrorRetry: random.pick([0, 0, 20_000]),
      expectsKind: random.percent(50),
      busyClock: random.percent(30),
      huge: random.percent(5),
      lag: random.pick([0, 0, 10]),
      objects: random.int(1, 16),
      steps: random.int(40, 160),
      lateHandlerAt: random.int(5, 40),
      trouble: random.pick([0, 5, 20, 50]),
      stops: random.percent(8),
    } as const
    this.#clock = new TroubledClock(this.#fake, random, this.#plan.busyClock)
    const trace = (line: string): void => {
      this.#trace.push(`${(this.#fake.monotonic() / 1000).toFixed(3).padStart(10)} ${line}`)
    }
    this.#note = trace
    this.#server = new MemoryServer({
      clock: this.#fake,
      random,
      trace,
      watchList: this.#plan.serverStreams,
      pagesAlways: this.#plan.pagesAlways,
    })
    this.#informer = this.#newInformer()
    this.#worker = new Worker({
      clock: this.#clock,
      random,
      get: (key) => this.#informer.indexer.getByKey(key),
      trace,
    })
  }

  readonly #note: (line: string) => void

  async run(): Promise<RunResult> {
    this.#note(`plan ${JSON.stringify(this.#plan)}`)
    const { trouble, lag, lateHandlerAt } = this.#plan
    const random = this.#random
    this.#server.faults = { request: trouble, slow: trouble, delay: trouble / 2, lag }
    for (let i = random.int(0, this.#plan.objects); i > 0; i--) this.#write()
    this.#informer.addEventHandler(this.#worker)
    const cast = ['plain', 'slow', 'leaving', random.pick(['throwing', 'rejecting'])] as const
    for (const temper of random.shuffled(cast)) this.#addFollower(temper)
    for (let i = random.int(0, 2); i > 0; i--) this.#addFollower(this.#anyTemper())
    if (this.#plan.stops) this.#addFollower('stopping')
    const { signal } = this.#controller
    const running = this.#informer.run({ signal })
    this.#server.onTooMany = () => {
      if (!signal.aborted) this.#problem('there are too many requests')
      this.#controller.abort()
    }
    for (let step = 0; step < this.#plan.steps; step++) {
      if (step === lateHandlerAt) this.#addFollower('plain')
      await this.#step()
    }
    // Nothing is written any more that would get over what the restore undid.
    if (random.percent(15)) this.#restore()

    this.#server.outage = undefined
    this.#server.faults = noFaults
    this.#worker.calm = true
    this.#note('no more faults')
    await this.#fake.advance(settleMs)
    if (!signal.aborted) {
      this.#server.sendBookmarks()
      await this.#fake.advance(1000)
      this.#checkState()
    }
    this.#note('stop')
    this.#controller.abort()
    for (const { follower } of this.#followers) follower.release()
    let [ended, workersEnded] = [false, false]
    void running.then(() => (ended = true))
    void this.#worker.stop().then(() => (workersEnded = true))
    await this.#fake.advance(stopMs)
    if (!ended) this.#problem('run() does not end')
    if (!workersEnded) this.#problem('workers do not end')
    this.#checkRest()
    return {
      seed: this.#seed,
      problems: this.#problems,
      trace: this.#trace,
      hash: createHash('sha256').update(this.#trace.join('\n')).digest('hex').slice(0, 16),
      requests: this.#server.requests.length,
      busiest: this.#busiest(),
    }
  }

  #newInformer(): SharedIndexInformer<Cached> {
    const { store, client, useWatchList, pageSize, resyncPeriod, selector, transform, internalErrorRetry } = this.#plan
    const config = {
      host: 'http://server',
      qps: -1,
      transport: this.#server,
      clock: this.#clock,
      warningHandler: noWarnings,
      logger: this.#logger(),
    }
    const resource =
      client === 'typed'
        ? new Clientset(config).coreV1().configMaps('')
        : new DynamicClient(config).resource({ group: '', version: 'v1', resource: 'configmaps' })
    const source = resource as unknown as ListerWatcher<ConfigMap>
    // Of the bytes store this is also the way of clients that are none of the library's.
    const chosen = selector ? withLabels(source, 'watched=yes') : source
    const options: Omit<SharedIndexInformerOptions<never>, 'indexers' | 'onDropped' | 'transform'> = {
      clock: this.#clock,
      random: this.#random.next,
      logger: config.logger,
      useWatchList,
      pageSize,
      resyncPeriod,
      maxInternalErrorRetryDuration: internalErrorRetry,
      onHandlerError: () => this.#handlerErrors++,
    }
    if (store === 'bytes') {
      return newBytesInformer<ConfigMap>(ConfigMap, chosen, {
        ...options,
        ...(transform && { drop: ['data.big'] }),
        indexers: { value: (ref) => valuesOf(ref.field('data.value')) },
      }) as unknown as SharedIndexInformer<Cached>
    }
    const informer = new SharedIndexInformer<ConfigMap>(chosen, {
      ...options,
      ...(this.#plan.expectsKind && { expectedKind: { apiVersion: 'v1', kind: 'ConfigMap' } }),
      indexers: { value: (obj) => valuesOf(obj.data?.['value']) },
    })
    if (transform) {
      informer.setTransform((obj) => {
        delete obj.data?.['big']
        return obj
      })
    }
    return informer as unknown as SharedIndexInformer<Cached>
  }

  async #step(): Promise<void> {
    const random = this.#random
    const server = this.#server
    const { store } = server
    for (let writes = random.pick([0, 1, 1, 1, 2, 5]); writes > 0; writes--) this.#write()
    switch (random.int(0, 30)) {
      case 0:
      case 1:
      case 2:
        server.breakWatches(
          random.pick([
            'end',
            'end',
            'cut',
            'reset',
            'silence',
            'stall',
            'expired',
            'internal error',
            'overloaded',
            'garbage',
          ]),
        )
        break
      case 3:
        if (random.percent(50)) break
        server.outage = random.pick<Outage>(['refused', 'reset', 'unavailable', 'overloaded', 'very short watches'])
        this.#note(`outage: ${server.outage}`)
        server.breakWatches('reset')
        await this.#fake.advance(random.pick([1000, 20_000, 300_000]))
        server.outage = undefined
        break
      case 4:
        this.#note('compaction')
        store.compact()
        break
      case 5:
        if (random.percent(60)) break
        this.#restore()
        break
      case 6:
      case 7:
        server.sendBookmarks()
        break
      case 8:
        server.sendOddity(
          random.pick([
            'no metadata',
            'table',
            'bookmark without version',
            'blank lines',
            // Who does not say what kind he expects gets what comes.
            ...(this.#plan.expectsKind || this.#plan.store === 'bytes' ? (['wrong kind'] as const) : []),
          ]),
        )
        break
      case 9:
        if (this.#followers.length < 8) this.#addFollower(this.#anyTemper())
        break
      case 10:
        store.touch()
        break
      case 11:
        this.#clock.set(random.pick([-1, 1]) * random.pick([1000, 3_600_000, 30 * 86_400_000]))
        this.#note('the wall clock is set')
        break
      case 12:
        if (random.percent(50)) break
        this.#clock.suspend(random.pick([1000, 60_000, 3_600_000]))
        this.#note('the machine was suspended')
        // Its connections may be there still.
        if (random.percent(50)) server.breakWatches(random.pick(['reset', 'silence']))
        break
    }
    if (random.percent(60)) await this.#fake.advance(random.pick([0, 1, 50, 500, 2000, 2000, 20_000]))
    if (random.percent(1)) await this.#fake.advance(15 * 60_000)
  }

  #restore(): void {
    const { store } = this.#server
    const from = store.version
    store.restore(this.#random.pick(store.knownVersions), { bump: this.#random.percent(50) })
    this.#note(`restore from ${from} to ${store.version}`)
    this.#server.breakWatches('reset')
  }

  #write(): void {
    const random = this.#random
    const { store } = this.#server
    const key = `${random.pick(['a', 'b'])}/o${random.int(1, this.#plan.objects)}`
    if (store.objects.has(key) && random.percent(30)) return store.delete(key)
    const data = {
      value: random.pick(['red', 'blue', 'Grün 😀', 'bad']),
      big: random.pick(['', '{"}\\', 'ü'.repeat(50), '\u2028\n']),
    }
    if (this.#plan.huge && key === 'a/o1') data.big = 'ü😀'.repeat(hugeCharacters / 3)
    store.write(key, { labels: { watched: random.pick(['yes', 'yes', 'no']) }, data })
  }

  #anyTemper(): Temper {
    return this.#random.pick(['plain', 'slow', 'throwing', 'rejecting', 'stuck', 'adding', 'leaving'])
  }

  #addFollower(temper: Temper): void {
    if (this.#informer.isStopped() || this.#controller.signal.aborted) return
    const random = this.#random
    const number = this.#followers.length + 1
    const coalesced = random.percent(20)
    const follower = new Follower({
      temper,
      clock: this.#fake,
      random,
      trace: (line) => this.#note(`handler ${number}: ${line}`),
      mayGoBack: () => this.#server.store.restores > 0,
      coalesced,
      act: () => {
        this.#note(`a handler is ${temper}`)
        if (temper === 'adding') this.#addFollower('plain')
        else if (temper === 'leaving') this.#informer.removeEventHandler(registration)
        else this.#controller.abort()
      },
    })
    const filtered = random.percent(25)
    const handler = filtered ? filteringHandler<Seen>({ filter: isWatched, handler: follower }) : follower
    const registration = this.#informer.addEventHandler(handler, {
      ...(random.percent(30) && { resyncPeriod: 10_000 }),
      ...(coalesced && { maxPendingNotifications: 3 }),
    })
    this.#followers.push({ follower, filtered, registration })
    this.#note(`handler ${number}: ${temper}${filtered ? ', filtered' : ''}`)
  }

  #checkState(): void {
    const { store } = this.#server
    const { selector, transform } = this.#plan
    const objects = [...store.objects].filter(([, obj]) => !selector || isWatched(obj))
    const expected = new Map(
      objects.map(([key, { metadata, data }]) => {
        const { big, ...rest } = data
        return [key, JSON.stringify({ metadata, data: transform ? rest : { ...rest, big } })] as const
      }),
    )
    const cached = new Map(this.#informer.indexer.list().map((obj) => textOf(obj as Cached)))
    this.#compare('the cache', cached, expected)
    for (const value of ['red', 'blue', 'Grün 😀']) {
      const keys = objects.filter(([, obj]) => obj.data['value'] === value).map(([key]) => key)
      const indexed = this.#informer.indexer.indexKeys('value', value)
      if (String(indexed.sort()) !== String(keys.sort()))
        this.#problem(`the index has ${indexed} for ${value}, not ${keys}`)
    }
    if (!this.#informer.hasSynced()) this.#problem('the informer has not synced')
    for (const [i, { follower, filtered, registration }] of this.#followers.entries()) {
      const name = `handler ${i + 1} (${follower.temper})`
      if (follower.temper === 'leaving' || follower.temper === 'stuck') continue
      const versions = objects
        .filter(([, obj]) => !filtered || isWatched(obj))
        .map(([key, obj]) => [key, obj.metadata.resourceVersion] as const)
      this.#compare(name, follower.state, new Map(versions))
      if (!registration.hasSynced()) this.#problem(`${name} has not synced`)
    }
    const versions = objects.map(([key, obj]) => [key, obj.metadata.resourceVersion] as const)
    this.#compare('the workers', this.#worker.state, new Map(versions))
    for (const problem of this.#worker.unfinished()) this.#problem(`the workers: ${problem}`)
    const last = Number(this.#informer.lastSyncResourceVersion())
    if (last !== store.version) this.#problem(`the last version is ${last}, not ${store.version}`)
    if (this.#server.openWatches !== 1) this.#problem(`${this.#server.openWatches} open watches`)
    if (this.#server.openBodies !== 1) this.#problem(`${this.#server.openBodies} open answers`)
  }

  #checkRest(): void {
    for (const [i, { follower }] of this.#followers.entries()) {
      for (const problem of follower.problems) this.#problem(`handler ${i + 1} (${follower.temper}): ${problem}`)
    }
    for (const problem of this.#worker.problems) this.#problem(`the workers: ${problem}`)
    const failures = this.#followers.reduce((sum, { follower }) => sum + follower.failures, 0)
    if (failures !== this.#handlerErrors) {
      this.#problem(`handlers failed ${failures} times, and ${this.#handlerErrors} were reported`)
    }
    if (this.#server.openBodies > 0) this.#problem(`${this.#server.openBodies} answers are open after the end`)
    if (this.#fake.pendingTimers > 0) this.#problem(`${this.#fake.pendingTimers} timers are left`)
    const listeners = getEventListeners(this.#controller.signal, 'abort').length
    if (listeners > 0) this.#problem(`${listeners} listeners of the signal are left`)
    const busiest = this.#busiest()
    if (busiest > mostRequests) this.#problem(`${busiest} requests within ${windowMs / 1000} seconds`)
  }

  /** Streams that end may be opened again at once, so each of them is one request more. */
  #busiest(): number {
    const { requests, closes } = this.#server
    let most = 0
    let first = 0
    for (const [i, at] of requests.entries()) {
      while ((requests[first] as number) < at - windowMs) first++
      const excused = closes.filter((close) => close >= at - windowMs && close <= at).length
      most = Math.max(most, i - first + 1 - excused)
    }
    return most
  }

  #compare(what: string, actual: ReadonlyMap<string, string>, expected: ReadonlyMap<string, string>): void {
    for (const [key, value] of expected) {
      if (actual.get(key) !== value) {
        this.#problem(`${what} has ${brief(actual.get(key))} for ${key}, not ${brief(value)}`)
      }
    }
    for (const key of actual.keys()) if (!expected.has(key)) this.#problem(`${what} still has ${key}`)
  }

  #problem(text: string): void {
    this.#problems.push(text)
    this.#note(`PROBLEM ${text}`)
  }

  #logger(): Logger {
    const log =
      (level: string) =>
      (message: string, { err }: { err?: unknown } = {}): void => {
        if (message !== 'an index function failed')
          this.#note(`  ${level}: ${message}${err ? `: ${messageOf(err)}` : ''}`)
      }
    return { error: log('error'), warn: log('warn'), info: log('info'), debug: log('debug') }
  }
}

const brief = (text: string | undefined): string | undefined => text?.slice(0, 300)

function withLabels<T extends KubernetesObject>(source: ListerWatcher<T>, labelSelector: string): ListerWatcher<T> {
  return {
    list: (options) => source.list({ ...options, labelSelector }),
    watch: (options) => source.watch({ ...options, labelSelector }),
  }
}

/** An index function that fails for some objects. */
function valuesOf(value: unknown): string[] {
  if (value === 'bad') throw new Error('an index function throws')
  return [String(value)]
}

function isWatched(obj: object): boolean {
  return (obj as { metadata: { labels?: Record<string, string> } }).metadata.labels?.['watched'] === 'yes'
}

function textOf(obj: Cached): [string, string] {
  const { metadata, data } = ('decode' in obj ? obj.decode() : obj) as unknown as StoredObject
  return [`${metadata.namespace}/${metadata.name}`, JSON.stringify({ metadata, data })]
}
