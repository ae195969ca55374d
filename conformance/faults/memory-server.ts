// A server of ConfigMaps behind a Transport: answers as bytes, by Kubernetes' rules for lists and watches, and fails in
// all the ways that a run asks for.

import { type Clock, sleep } from 'kubewright/clock'
import {
  ConnectionError,
  responseHeaders,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from 'kubewright/rest'
import { Body } from './body.js'
import { type Change, MemoryStore, type StoredObject } from './memory-store.js'
import type { Random } from './random.js'

/** What goes wrong, in times of a hundred. */
export interface FaultChances {
  /** A request fails in one way or another. */
  request: number
  /** What is sent waits for a while. */
  slow: number
  /** An answer's head is late. */
  delay: number
  /** Another replica answers, one that has not come as far as what is asked for. */
  lag: number
}

/** What becomes of a watch. */
export type Breakage =
  | 'end'
  | 'cut'
  | 'reset'
  | 'silence'
  | 'stall'
  | 'expired'
  | 'internal error'
  | 'overloaded'
  | 'garbage'

/** What happens to every request: a server that is down, say. */
export type Outage = 'refused' | 'reset' | 'unavailable' | 'overloaded' | 'very short watches'

export interface MemoryServerOptions {
  clock: Clock
  random: Random
  trace: (line: string) => void
  /** Of a server that can stream the initial objects. */
  watchList: boolean
  /** Lists of any version are paged too, as by a server without a watch cache. */
  pagesAlways: boolean
}

export const noFaults: FaultChances = { request: 0, slow: 0, delay: 0, lag: 0 }

/** What pings of HTTP/2 take to find that a connection is dead, in milliseconds. */
const pingsMs = 45_000

/** As the library's HTTP/2 has it when a ping is not answered, and the kernel when its keepalive is not. */
const deaths = ['ERR_HTTP2_STREAM_ERROR', 'ETIMEDOUT'] as const

/** Of one run. */
const mostRequests = 5000

interface Selector {
  key: string
  value: string
}

interface OpenWatch {
  readonly id: number
  readonly body: Body
  readonly selector: Selector | undefined
  readonly bookmarks: boolean
  readonly separator: string
  /** The last version that has been sent, or is not to be sent. */
  sent: number
  /** Nothing it sends arrives. */
  dead: boolean
}

export class MemoryServer implements Transport {
  readonly store = new MemoryStore()
  faults: FaultChances = noFaults
  outage: Outage | undefined
  /** When each request came, in monotonic milliseconds; further pages of a list are not counted. */
  readonly requests: number[] = []
  /** When the server, or a fault, ended a stream. */
  readonly closes: number[] = []
  /** Called when there have been so many requests that somebody must be asking in a loop. */
  onTooMany: () => void = () => {}
  readonly #options: MemoryServerOptions
  readonly #watches = new Set<OpenWatch>()
  readonly #bodies = new Set<Body>()
  readonly #pages = new Map<string, { items: StoredObject[]; version: number }>()
  #ids = 0

  constructor(options: MemoryServerOptions) {
    this.#options = options
    this.store.onChange = (change) => {
      this.#trace(`write ${change.key} ${change.version}${change.after ? '' : ', deleted'}`)
      for (const watch of this.#watches) this.#sendChange(watch, change)
    }
  }

  /** Answers that somebody still reads. */
  get openBodies(): number {
    return this.#bodies.size
  }

  /** Watches that somebody still reads, and that are not dead. */
  get openWatches(): number {
    return [...this.#watches].filter(({ dead }) => !dead).length
  }

  async close(): Promise<void> {}

  async roundTrip(request: TransportRequest): Promise<TransportResponse> {
    const { clock, random } = this.#options
    const { url, signal } = request
    signal?.throwIfAborted()
    const id = ++this.#ids
    if (!url.searchParams.has('continue')) this.requests.push(clock.monotonic())
    if (this.requests.length > mostRequests) {
      this.onTooMany()
      signal?.throwIfAborted()
    }
    this.#trace(`request ${id} ${decodeURIComponent(url.search)}`)
    // Nobody may count on a transport that somebody wraps to heed the signal at once.
    if (random.percent(this.faults.delay)) {
      await sleep(random.int(1, 3000), { clock, ...(random.percent(50) && { signal }) })
    }
    const fault = await this.#fail(request)
    if (fault) return fault
    const { searchParams } = url
    return searchParams.get('watch') ? this.#watch(id, request, searchParams) : this.#list(id, request, searchParams)
  }

  /** Does something to every open watch. */
  breakWatches(how: Breakage): void {
    for (const watch of [...this.#watches]) {
      if (watch.dead) continue
      this.#trace(`watch ${watch.id}: ${how}`)
      this.#break(watch, how)
    }
  }

  /** Events that do not concern the objects, or are not understood. */
  sendOddity(what: 'wrong kind' | 'no metadata' | 'table' | 'bookmark without version' | 'blank lines'): void {
    const { version } = this.store
    const metadata = { name: 'odd', namespace: 'a', resourceVersion: String(version), uid: 'odd' }
    const events = {
      'wrong kind': { type: 'ADDED', object: { kind: 'Secret', apiVersion: 'v1', metadata, data: {} } },
      'no metadata': { type: 'MODIFIED', object: { kind: 'ConfigMap', apiVersion: 'v1', data: {} } },
      table: { type: 'ADDED', object: { kind: 'Table', apiVersion: 'meta.k8s.io/v1', metadata, rows: [] } },
      'bookmark without version': { type: 'BOOKMARK', object: { kind: 'ConfigMap', apiVersion: 'v1', metadata: {} } },
    }
    for (const watch of this.#watches) {
      this.#trace(`watch ${watch.id}: ${what}`)
      if (what === 'blank lines') watch.body.send(Buffer.from('\n\r\n  \n'))
      else this.#send(watch, events[what])
    }
  }

  sendBookmarks(): void {
    const { version } = this.store
    for (const watch of this.#watches) {
      if (!watch.bookmarks || watch.sent > version) continue
      watch.sent = version
      this.#send(watch, bookmark(version))
    }
  }

  #break(watch: OpenWatch, how: Breakage): void {
    const { body } = watch
    const { random, clock } = this.#options
    if (how === 'stall') return body.stall(random.pick([1000, 30_000, 200_000]))
    if (how === 'silence') {
      // Half open: the server goes on, and nothing of it arrives, not even that it ends.
      watch.dead = true
      // Where a proxy stands between, no ping notices: the watch's own timeout has to.
      if (random.percent(50)) {
        const timer = clock.setTimer(pingsMs, () => body.fail(lost(random.pick(deaths))))
        const { onRelease } = body
        body.onRelease = () => {
          timer.cancel()
          onRelease()
        }
      }
      return
    }
    this.closes.push(clock.monotonic())
    const errors = { expired: expired(), 'internal error': internalError(), overloaded: tooManyRequests(1) }
    const error = how in errors && errors[how as keyof typeof errors]
    if (error) this.#send(watch, { type: 'ERROR', object: error })
    // In the middle of a character.
    if (how === 'cut') {
      body.send(
        Buffer.from('{"type":"MODIFIED","object":{"kind":"ConfigMap","metadata":{"name":"Gr\u00f6').subarray(0, -1),
      )
    }
    if (how === 'garbage')
      body.send(Buffer.from(random.pick(['<html>\n', '{"type":"ADDED","object":[}\n', '{"type":"NEW","object":{}}\n'])))
    // A server may go on with what is over for its reader, beside the next watch.
    if ((error || how === 'garbage') && random.percent(50)) return
    this.#watches.delete(watch)
    if (how === 'reset') body.fail(lost('ECONNRESET'))
    else body.end()
  }

  /** An answer or an error instead of what was asked for; undefined: nothing goes wrong. */
  async #fail(request: TransportRequest): Promise<TransportResponse | undefined> {
    const { random, clock } = this.#options
    const { signal } = request
    if (this.outage === undefined && !random.percent(this.faults.request)) return undefined
    const isWatch = request.url.searchParams.has('watch')
    const what =
      this.outage ??
      random.pick([
        'refused',
        'reset',
        'unavailable',
        'overloaded',
        'internal error',
        'html',
        'timeout',
        'silence',
        'expired',
        'unauthorized',
        ...(isWatch
          ? (['very short watches', 'expired event', 'wrong type'] as const)
          : (['broken list', 'table', 'garbage list'] as const)),
      ])
    this.#trace(`  fails: ${what}`)
    switch (what) {
      case 'refused':
        throw new ConnectionError({
          ...facts(request),
          reason: 'connect',
          message: 'refused',
          cause: Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' }),
        })
      case 'reset':
        throw lost('ECONNRESET', request)
      case 'timeout':
        throw lost('ETIMEDOUT', request)
      case 'silence':
        await sleep(pingsMs, { clock, signal })
        throw lost(random.pick(deaths), request)
      case 'unavailable':
        return this.#answer(request, 503, status(503, 'ServiceUnavailable'))
      case 'overloaded':
        return this.#answer(request, 429, tooManyRequests(1), { 'retry-after': '1' })
      case 'internal error':
        return this.#answer(request, 500, internalError())
      case 'unauthorized':
        return this.#answer(request, 401, status(401, 'Unauthorized'))
      case 'expired':
        return this.#answer(request, 410, expired())
      case 'html':
        return this.#answer(request, 502, '<html>Bad Gateway</html>', { 'content-type': 'text/html' })
      case 'wrong type':
        return this.#answer(request, 200, '<html>Welcome</html>', { 'content-type': 'text/html' })
      case 'very short watches':
        if (!isWatch) return undefined
        return this.#answer(request, 200, '')
      case 'expired event':
        return this.#answer(request, 200, `${JSON.stringify({ type: 'ERROR', object: expired() })}\n`)
      case 'garbage list':
        return this.#answer(request, 200, '{"kind":"ConfigMapList","items":[{"meta')
      case 'table':
        return this.#answer(request, 200, { kind: 'Table', apiVersion: 'meta.k8s.io/v1', metadata: {}, rows: [] })
      case 'broken list': {
        const { response, body } = this.#open(request, 200)
        body.send(
          Buffer.from('{"kind":"ConfigMapList","apiVersion":"v1","metadata":{"resourceVersion":"999"},"items":[{'),
        )
        body.fail(lost('ECONNRESET', request))
        return response
      }
    }
  }

  #list(id: number, request: TransportRequest, query: URLSearchParams): TransportResponse {
    const { random, pagesAlways } = this.#options
    const { store } = this
    const selector = selectorOf(query)
    const token = query.get('continue')
    const asked = query.get('resourceVersion') ?? ''
    const limit = Number(query.get('limit') ?? 0)
    let page: { items: StoredObject[]; version: number } | undefined
    if (token) {
      page = this.#pages.get(token)
      if (!page || !store.canWatchFrom(page.version)) return this.#answer(request, 410, expired())
    } else {
      if (Number(asked) > store.version || this.#lags(asked)) {
        return this.#answer(request, 504, tooLarge(asked, store.version), { 'retry-after': '1' })
      }
      // From a server's cache, which may be behind, but not behind what was asked for.
      const versions = store.knownVersions.filter((version) => version >= Number(asked))
      const version = asked === '' ? store.version : random.pick(versions)
      page = { items: selected(store.at(version), selector), version }
    }
    const { items, version } = page
    const paged = limit > 0 && items.length > limit && (asked !== '0' || pagesAlways)
    const metadata: Record<string, unknown> = { resourceVersion: String(version) }
    if (paged) {
      const next = `page-${id}`
      this.#pages.set(next, { items: items.slice(limit), version })
      metadata['continue'] = next
    }
    this.#trace(`  list at ${version}${paged ? ', paged' : ''}`)
    return this.#answer(request, 200, {
      kind: 'ConfigMapList',
      apiVersion: 'v1',
      metadata,
      // Go's nil.
      items: items.length === 0 && random.percent(50) ? null : paged ? items.slice(0, limit) : items,
    })
  }

  #watch(id: number, request: TransportRequest, query: URLSearchParams): TransportResponse {
    const { random, clock, watchList } = this.#options
    const { store } = this
    const asked = query.get('resourceVersion') ?? ''
    const initial = query.get('sendInitialEvents') === 'true'
    if (initial && !watchList) return this.#answer(request, 422, status(422, 'Invalid'))
    if (initial && (Number(asked) > store.version || this.#lags(asked))) {
      return this.#answer(request, 504, tooLarge(asked, store.version), { 'retry-after': '1' })
    }
    const fromNow = initial || asked === '' || asked === '0'
    if (!fromNow && !store.canWatchFrom(Number(asked))) {
      if (random.percent(50)) return this.#answer(request, 410, expired())
      return this.#answer(request, 200, `${JSON.stringify({ type: 'ERROR', object: expired() })}\n`)
    }
    const { response, body } = this.#open(request, 200)
    const versions = store.knownVersions.filter((version) => version >= Number(asked))
    const watch: OpenWatch = {
      id,
      body,
      selector: selectorOf(query),
      bookmarks: query.get('allowWatchBookmarks') === 'true',
      separator: random.pick(['\n', '\n', '\n', '\r\n', '', '\n\n']),
      sent: !fromNow ? Number(asked) : asked === '' && !initial ? store.version : random.pick(versions),
      dead: false,
    }
    this.#trace(`  watch ${id} from ${watch.sent}`)
    if (fromNow) {
      for (const obj of random.shuffled(selected(store.at(watch.sent), watch.selector))) {
        this.#send(watch, { type: 'ADDED', object: asConfigMap(obj) })
      }
    }
    this.#watches.add(watch)
    // What is written while the initial objects are sent comes before the bookmark that ends them.
    const upTo = asked === '' ? store.version : random.pick(versions.filter((version) => version >= watch.sent))
    for (const change of store.changesSince(watch.sent)) if (change.version <= upTo) this.#sendChange(watch, change)
    watch.sent = Math.max(watch.sent, upTo)
    if (initial) this.#send(watch, bookmark(upTo, { 'k8s.io/initial-events-end': 'true' }))
    for (const change of store.changesSince(upTo)) this.#sendChange(watch, change)
    const timer = clock.setTimer(Number(query.get('timeoutSeconds') ?? 1800) * 1000, () => {
      if (!watch.dead) this.#break(watch, 'end')
    })
    const { onRelease } = body
    body.onRelease = () => {
      timer.cancel()
      this.#watches.delete(watch)
      onRelease()
    }
    return response
  }

  #lags(asked: string): boolean {
    return asked !== '' && asked !== '0' && this.#options.random.percent(this.faults.lag)
  }

  #sendChange(watch: OpenWatch, { version, before, after }: Change): void {
    if (version <= watch.sent) return
    watch.sent = version
    const [was, is] = [matches(before, watch.selector), matches(after, watch.selector)]
    if (!was && !is) return
    const type = !was ? 'ADDED' : !is ? 'DELETED' : 'MODIFIED'
    const obj = structuredClone((type === 'DELETED' ? before : after) as StoredObject)
    // An object that leaves has the version of the change that made it leave.
    obj.metadata.resourceVersion = String(version)
    this.#send(watch, { type, object: asConfigMap(obj) })
  }

  #send({ body, separator, dead }: OpenWatch, event: object): void {
    if (!dead) body.send(Buffer.from(`${JSON.stringify(event)}${separator}`))
  }

  #answer(
    request: TransportRequest,
    code: number,
    content: object | string,
    headers: Record<string, string> = {},
  ): TransportResponse {
    const { response, body } = this.#open(request, code, headers)
    body.send(Buffer.from(typeof content === 'string' ? content : JSON.stringify(content)))
    body.end()
    return response
  }

  #open(
    { signal }: TransportRequest,
    code: number,
    headers: Record<string, string> = {},
  ): { response: TransportResponse; body: Body } {
    const { clock, random } = this.#options
    const body = new Body({ clock, random, slowPercent: this.faults.slow })
    this.#bodies.add(body)
    const abort = (): void => body.abort(signal?.reason)
    signal?.addEventListener('abort', abort, { once: true })
    body.onRelease = () => {
      signal?.removeEventListener('abort', abort)
      this.#bodies.delete(body)
    }
    const response = {
      status: code,
      headers: responseHeaders({ 'content-type': 'application/json', ...headers }),
      body,
      close: () => body.close(),
    }
    return { response, body }
  }

  #trace(line: string): void {
    this.#options.trace(line)
  }
}

function selectorOf(query: URLSearchParams): Selector | undefined {
  const [key, value] = query.get('labelSelector')?.split('=') ?? []
  return key === undefined || value === undefined ? undefined : { key, value }
}

function matches(obj: StoredObject | undefined, selector: Selector | undefined): boolean {
  return obj !== undefined && (selector === undefined || obj.metadata.labels[selector.key] === selector.value)
}

function selected(objects: ReadonlyMap<string, StoredObject>, selector: Selector | undefined): StoredObject[] {
  return [...objects.values()].filter((obj) => matches(obj, selector))
}

/** Items of lists have neither kind nor apiVersion, objects of events have. */
function asConfigMap(obj: StoredObject): object {
  return { kind: 'ConfigMap', apiVersion: 'v1', ...obj }
}

function bookmark(version: number, annotations?: Record<string, string>): object {
  const metadata = { resourceVersion: String(version), ...(annotations && { annotations }) }
  return { type: 'BOOKMARK', object: { kind: 'ConfigMap', apiVersion: 'v1', metadata } }
}

function status(code: number, reason: string, message = reason, details: object = {}): object {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', code, reason, message, details }
}

const expired = (): object => status(410, 'Expired', 'too old resource version')
const internalError = (): object => status(500, 'InternalError', 'an error on the server')
const tooManyRequests = (retryAfterSeconds: number): object =>
  status(429, 'TooManyRequests', 'try again later', { retryAfterSeconds })
const tooLarge = (asked: string, current: number): object =>
  status(504, 'Timeout', `Too large resource version: ${asked}, current: ${current}`, {
    causes: [{ reason: 'ResourceVersionTooLarge', message: 'Too large resource version' }],
    retryAfterSeconds: 1,
  })

const facts = ({ method, url }: TransportRequest): { method: string; url: string } => ({ method, url: url.href })

function lost(code: string, request?: TransportRequest): ConnectionError {
  return new ConnectionError({
    ...(request ? facts(request) : { method: 'GET', url: 'http://server' }),
    reason: code === 'ETIMEDOUT' ? 'timeout' : 'lost',
    message: 'the connection broke',
    cause: Object.assign(new Error(code), { code }),
  })
}
