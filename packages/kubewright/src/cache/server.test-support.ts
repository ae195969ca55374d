// For tests: a watch that a test feeds, a lister-watcher that follows a script, and a small server with a history.

import type { Status } from '../gen/api/meta/v1.js'
import { ApiError, type KubernetesList, type ListOptions, type Watch, type WatchEvent } from '../meta/index.js'
import type { Logger } from '../rest/index.js'
import type { ListerWatcher } from './lister-watcher.js'

export interface TestObject {
  apiVersion?: string
  kind?: string
  metadata: {
    name: string
    namespace?: string
    uid?: string
    resourceVersion?: string
    labels?: Record<string, string>
    annotations?: Record<string, string>
  }
  spec?: { value?: string }
}

export function object(name: string, resourceVersion: string, more: Partial<TestObject> = {}): TestObject {
  const { metadata, ...rest } = more
  return { metadata: { name, namespace: 'ns', resourceVersion, ...metadata }, ...rest }
}

export function list(resourceVersion: string, items: TestObject[], more: object = {}): KubernetesList<TestObject> {
  return { metadata: { resourceVersion, ...more }, items }
}

export function bookmark(resourceVersion: string, annotations?: Record<string, string>): WatchEvent<TestObject> {
  return { type: 'BOOKMARK', object: { metadata: { resourceVersion, ...(annotations ? { annotations } : {}) } } }
}

export const initialEventsEnd: Record<string, string> = { 'k8s.io/initial-events-end': 'true' }

export function status(code: number, reason: string, more: Partial<Status> = {}): Status {
  return { apiVersion: 'v1', kind: 'Status', metadata: {}, status: 'Failure', code, reason, message: reason, ...more }
}

export function apiError(code: number, reason: string, more: Partial<Status> = {}): ApiError {
  return new ApiError(status(code, reason, more), { method: 'GET', url: 'https://server/objects' })
}

export function systemError(code: string): Error {
  return Object.assign(new Error(code), { code })
}

/** A watch that a test feeds. */
export class FakeWatch implements Watch<TestObject> {
  stopped = false
  readonly #events: WatchEvent<TestObject>[] = []
  #ended: { err?: unknown } | undefined
  #wake: (() => void) | undefined

  constructor(events: WatchEvent<TestObject>[] = []) {
    this.#events.push(...events)
  }

  /** A watch that brings these events and is then closed by the server. */
  static closed(events: WatchEvent<TestObject>[] = []): FakeWatch {
    const watch = new FakeWatch(events)
    watch.end()
    return watch
  }

  push(...events: WatchEvent<TestObject>[]): void {
    this.#events.push(...events)
    this.#wake?.()
  }

  end(): void {
    this.#ended ??= {}
    this.#wake?.()
  }

  fail(err: unknown): void {
    this.#ended ??= { err }
    this.#wake?.()
  }

  stop(): void {
    this.stopped = true
    this.end()
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<WatchEvent<TestObject>> {
    for (;;) {
      const event = this.stopped ? undefined : this.#events.shift()
      if (event) yield event
      else if (this.#ended && 'err' in this.#ended) throw this.#ended.err
      else if (this.#ended) return
      else await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }
}

type Answer<V> = V | Error | ((options: ListOptions) => V | Error | Promise<V>)

/** Answers from lists of answers, and records the options of every call. The last watch without an answer stays open. */
export class Script implements ListerWatcher<TestObject> {
  /** Options of each call, the signal left out; `call` is `list` or `watch`. */
  readonly calls: ({ call: 'list' | 'watch' } & ListOptions)[] = []
  /** The watches that were handed out. */
  readonly watches: FakeWatch[] = []
  readonly #lists: Answer<KubernetesList<TestObject>>[]
  readonly #watches: Answer<FakeWatch>[]

  constructor({
    lists = [],
    watches = [],
  }: { lists?: Answer<KubernetesList<TestObject>>[]; watches?: Answer<FakeWatch>[] }) {
    this.#lists = [...lists]
    this.#watches = [...watches]
  }

  get lists(): ListOptions[] {
    return this.calls.filter(({ call }) => call === 'list')
  }

  get watchCalls(): ListOptions[] {
    return this.calls.filter(({ call }) => call === 'watch')
  }

  async list({ signal: _signal, ...options }: ListOptions): Promise<KubernetesList<TestObject>> {
    this.calls.push({ call: 'list', ...options })
    const answer = this.#lists.length > 1 ? this.#lists.shift() : this.#lists[0]
    return resolveAnswer(answer ?? list('1', []), options)
  }

  async watch({ signal: _signal, ...options }: ListOptions): Promise<FakeWatch> {
    this.calls.push({ call: 'watch', ...options })
    const watch = await resolveAnswer(this.#watches.shift() ?? new FakeWatch(), options)
    this.watches.push(watch)
    return watch
  }
}

async function resolveAnswer<V>(answer: Answer<V>, options: ListOptions): Promise<V> {
  const value =
    typeof answer === 'function' ? await (answer as (o: ListOptions) => V | Error | Promise<V>)(options) : answer
  if (value instanceof Error) throw value
  return value
}

/** A server with objects, versions and a history that can be forgotten. */
export class TestServer implements ListerWatcher<TestObject> {
  readonly objects = new Map<string, TestObject>()
  watchListSupported = true
  /** Called before each request; what it returns is thrown. */
  fault: (call: 'list' | 'watch') => Error | undefined = () => undefined
  lists = 0
  watchCalls = 0
  #version: number = 0
  #forgotten = 0
  #uid = 0
  readonly #history: { version: number; event: WatchEvent<TestObject> }[] = []
  readonly #watches = new Set<FakeWatch>()

  get version(): string {
    return String(this.#version)
  }

  get openWatches(): number {
    return [...this.#watches].filter((watch) => !watch.stopped).length
  }

  create(name: string, value: string, labels: Record<string, string> = {}): void {
    const metadata = { name, namespace: 'ns', uid: String(++this.#uid), labels }
    this.#write('ADDED', { metadata, spec: { value } })
  }

  update(name: string, value: string): void {
    const old = this.objects.get(`ns/${name}`) as TestObject
    this.#write('MODIFIED', { metadata: { ...old.metadata }, spec: { value } })
  }

  delete(name: string): void {
    this.#write('DELETED', structuredClone(this.objects.get(`ns/${name}`) as TestObject))
  }

  /** Ends all watches as a server does that is asked for nothing more. */
  cut(how: (watch: FakeWatch) => void = (watch) => watch.end()): void {
    for (const watch of this.#watches) how(watch)
    this.#watches.clear()
  }

  sendBookmark(): void {
    for (const watch of this.#watches) watch.push(bookmark(this.version))
  }

  /** From now on, watches from versions before this moment are answered with 410. */
  forgetHistory(): void {
    this.#forgotten = this.#version
    this.#history.length = 0
  }

  async list(): Promise<KubernetesList<TestObject>> {
    this.lists++
    const fault = this.fault('list')
    if (fault) throw fault
    return list(
      this.version,
      [...this.objects.values()].map((obj) => structuredClone(obj)),
    )
  }

  async watch(options: ListOptions): Promise<FakeWatch> {
    this.watchCalls++
    const fault = this.fault('watch')
    if (fault) throw fault
    if (options.sendInitialEvents && !this.watchListSupported) throw apiError(422, 'Invalid')
    const watch = new FakeWatch()
    if (options.sendInitialEvents) {
      for (const obj of this.objects.values()) watch.push({ type: 'ADDED', object: structuredClone(obj) })
      watch.push(bookmark(this.version, initialEventsEnd))
    } else {
      const from = Number(options.resourceVersion)
      if (from < this.#forgotten) return FakeWatch.closed([{ type: 'ERROR', object: status(410, 'Expired') }])
      for (const { version, event } of this.#history) if (version > from) watch.push(structuredClone(event))
    }
    this.#watches.add(watch)
    return watch
  }

  #write(type: 'ADDED' | 'MODIFIED' | 'DELETED', obj: TestObject): void {
    const version = ++this.#version
    obj.metadata.resourceVersion = String(version)
    const key = `${obj.metadata.namespace}/${obj.metadata.name}`
    if (type === 'DELETED') this.objects.delete(key)
    else this.objects.set(key, obj)
    const event: WatchEvent<TestObject> = { type, object: structuredClone(obj) }
    this.#history.push({ version, event })
    for (const watch of this.#watches) watch.push(structuredClone(event))
  }
}

/** A logger that keeps what it is told. */
export class TestLogger implements Logger {
  readonly lines: { level: string; message: string; fields: Record<string, unknown> }[] = []

  error(message: string, fields: object = {}): void {
    this.#add('error', message, fields)
  }

  warn(message: string, fields: object = {}): void {
    this.#add('warn', message, fields)
  }

  info(message: string, fields: object = {}): void {
    this.#add('info', message, fields)
  }

  debug(message: string, fields: object = {}): void {
    this.#add('debug', message, fields)
  }

  of(level: string): string[] {
    return this.lines.filter((line) => line.level === level).map((line) => line.message)
  }

  #add(level: string, message: string, fields: object): void {
    this.lines.push({ level, message, fields: { ...fields } })
  }
}
