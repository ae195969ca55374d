import { afterEach, describe, expect, it } from 'vitest'
import { FakeClock } from '../clock/fake-clock.js'
import type { WatchEvent } from '../meta/index.js'
import type { KubernetesList } from '../meta/object.js'
import type { ListOptions } from '../meta/options.js'
import type { Indexer } from './indexer.js'
import { KeyError } from './keys.js'
import { Reflector, type ReflectorOptions } from './reflector.js'
import type { ReflectorStore } from './reflector-store.js'
import {
  apiError,
  bookmark,
  FakeWatch,
  initialEventsEnd,
  list,
  object,
  Script,
  status,
  systemError,
  TestLogger,
  type TestObject,
} from './server.test-support.js'
import { SharedIndexInformer } from './shared-informer.js'
import { newIndexer } from './store.js'
import { WatchEventError } from './watch-errors.js'

/** No jitter: delays are 0.8 s, 1.6 s, … and watches last 300 s. */
const random = (): number => 0

let stop: (() => Promise<void>) | undefined

afterEach(async () => {
  await stop?.()
  stop = undefined
})

interface Running {
  clock: FakeClock
  store: Indexer<TestObject>
  reflector: Reflector<TestObject>
  logger: TestLogger
  errors: unknown[]
  names: () => string[]
}

/** Starts a reflector that lists first, unless told otherwise. When a test is over, nothing of it may be left. */
function start(script: Script, options: ReflectorOptions = {}, store = newIndexer<TestObject>()): Running {
  const clock = new FakeClock()
  const logger = new TestLogger()
  const errors: unknown[] = []
  const controller = new AbortController()
  const watchErrorHandler = (err: unknown): number => errors.push(err)
  const reflector = new Reflector(script, store, {
    clock,
    random,
    logger,
    watchErrorHandler,
    useWatchList: false,
    ...options,
  })
  const running = reflector.run({ signal: controller.signal })
  stop = async () => {
    controller.abort(new Error('the test is over'))
    await running
    expect(clock.pendingTimers).toBe(0)
    expect(script.watches.filter((watch) => !watch.stopped)).toEqual([])
  }
  return { clock, store, reflector, logger, errors, names: () => store.listKeys().sort() }
}

const versionsOf = (calls: ListOptions[]): string[] => calls.map(({ resourceVersion = '' }) => resourceVersion)

describe('list and watch', () => {
  it('lists from any version, then watches on from the list', async () => {
    const watch = new FakeWatch()
    const script = new Script({ lists: [list('10', [object('a', '5')])], watches: [watch] })
    const { clock, names, reflector } = start(script)
    await clock.advance(0)
    expect(script.calls).toEqual([
      { call: 'list', resourceVersion: '0', limit: 500 },
      { call: 'watch', resourceVersion: '10', allowWatchBookmarks: true, timeoutSeconds: 300 },
    ])
    watch.push(
      { type: 'ADDED', object: object('b', '11') },
      { type: 'MODIFIED', object: object('a', '12') },
      { type: 'DELETED', object: object('b', '13') },
    )
    await clock.advance(0)
    expect(names()).toEqual(['ns/a'])
    expect(reflector.lastSyncResourceVersion()).toBe('13')
  })

  it('has what the server has after every round, whether a list, the start of a watch or neither fails', async () => {
    const ended = (...events: WatchEvent<TestObject>[]): FakeWatch =>
      FakeWatch.closed([...events, { type: 'ERROR', object: status(410, 'Expired') }])
    const [bar, qux] = [object('bar', '3'), object('qux', '5')]
    const script = new Script({
      lists: [
        list('1', []),
        list('3', [object('foo', '2'), bar]),
        new Error('a list error'),
        list('5', [bar, qux]),
        list('5', [bar, qux]),
        list('6', [bar, qux, object('baz', '6')]),
      ],
      watches: [
        ended({ type: 'ADDED', object: object('foo', '2') }, { type: 'ADDED', object: bar }),
        ended({ type: 'DELETED', object: object('foo', '4') }, { type: 'ADDED', object: qux }),
        new Error('a watch error'),
        ended({ type: 'ADDED', object: object('baz', '6') }),
      ],
    })
    const { clock, names, errors } = start(script)
    const rounds = [
      ['ns/bar', 'ns/foo'],
      ['ns/bar', 'ns/qux'],
      ['ns/bar', 'ns/qux'],
      ['ns/bar', 'ns/qux'],
    ]
    for (const [round, stored] of [
      ...rounds,
      ['ns/bar', 'ns/baz', 'ns/qux'],
      ['ns/bar', 'ns/baz', 'ns/qux'],
    ].entries()) {
      if (round > 0) await clock.advanceToNext()
      await clock.advance(0)
      expect([script.lists.length, names()]).toEqual([round + 1, stored])
    }
    expect(errors.map(String)).toEqual(['Error: failed to list <unspecified>: a list error', 'Error: a watch error'])
    expect([versionsOf(script.lists), versionsOf(script.watchCalls)]).toEqual([
      ['0', '3', '5', '5', '5', '6'],
      ['1', '3', '5', '5', '6'],
    ])
  })

  it('stores nothing that arrives after the signal', async () => {
    const watch = new FakeWatch()
    const { clock, names } = start(new Script({ watches: [watch] }))
    await clock.advance(0)
    const stopped = stop?.()
    watch.push({ type: 'ADDED', object: object('late', '2') })
    await stopped
    expect(names()).toEqual([])
  })

  it('ignores a list that comes after the signal, and does not wait for it', async () => {
    let answer: (value: KubernetesList<TestObject>) => void = () => {}
    const script = new Script({ lists: [() => new Promise((resolve) => (answer = resolve))] })
    const { clock, names } = start(script)
    await clock.advance(0)
    await stop?.()
    answer(list('1', [object('late', '1')]))
    await clock.advance(0)
    expect(names()).toEqual([])
  })

  it('stops a watch that is opened after the signal', async () => {
    let answer: (value: FakeWatch) => void = () => {}
    const { clock } = start(new Script({ watches: [() => new Promise((resolve) => (answer = resolve))] }))
    await clock.advance(0)
    await stop?.()
    const late = new FakeWatch()
    answer(late)
    await clock.advance(0)
    expect(late.stopped).toBe(true)
  })

  it('passes a signal that aborts with its own', async () => {
    const signals: (AbortSignal | undefined)[] = []
    const { clock } = start(
      new (class extends Script {
        override async list(options: ListOptions): Promise<KubernetesList<TestObject>> {
          signals.push(options.signal)
          return super.list(options)
        }
        override async watch(options: ListOptions): Promise<FakeWatch> {
          signals.push(options.signal)
          return super.watch(options)
        }
      })({}),
    )
    await clock.advance(0)
    expect(signals.map((signal) => signal?.aborted)).toEqual([false, false])
    await stop?.()
    expect(signals.map((signal) => signal?.aborted)).toEqual([true, true])
  })

  it('keeps trying the initial list, with growing delays', async () => {
    let calls = 0
    const script = new Script({ lists: [() => (++calls < 6 ? apiError(500, 'InternalError') : list('1', []))] })
    const { clock, errors } = start(script)
    const at: number[] = []
    for (let i = 1; i <= 6; i++) {
      while (script.lists.length < i) await clock.advance(100)
      at.push(clock.now())
    }
    expect(at).toEqual([0, 800, 2400, 5600, 12_000, 24_800])
    expect(errors.map(String)).toEqual(
      Array(5).fill('Error: failed to list <unspecified>: GET https://server/objects: InternalError'),
    )
  })

  it.each([
    [{ typeDescription: 'pods' }, { reflector: 'pods' }],
    [
      { typeDescription: 'pods', name: 'mine' },
      { reflector: 'mine', type: 'pods' },
    ],
  ])('logs errors where no handler is set: of %j with %j', async (names, fields) => {
    const script = new Script({ lists: [apiError(403, 'Forbidden')] })
    const { clock, logger } = start(script, { watchErrorHandler: undefined, ...names })
    await clock.advance(0)
    expect(logger.lines.filter((line) => line.level === 'error')).toEqual([
      { level: 'error', message: 'failed to watch', fields: { ...fields, err: expect.any(Error) } },
    ])
  })

  it('survives a watch error handler that throws', async () => {
    const script = new Script({ lists: [apiError(403, 'Forbidden')] })
    const { clock, logger } = start(script, {
      watchErrorHandler: () => {
        throw new Error('oops')
      },
    })
    await clock.advance(2000)
    expect(script.lists.length).toBe(2)
    expect(logger.of('error')[0]).toBe('the watch error handler threw')
  })

  it.each([
    [
      'what is no list',
      { metadata: { resourceVersion: '1' }, items: {} },
      /failed to list .*returned object must be a list/,
    ],
    ['nothing', () => undefined, /failed to list .*returned object must be a list/],
    [
      'a table',
      { apiVersion: 'meta.k8s.io/v1', kind: 'Table', metadata: {}, items: [] },
      /failed to list pods: unsupported list gvk: meta.k8s.io\/v1, Kind=Table, type: pods/,
    ],
    [
      'an object without a name',
      list('1', [{ metadata: {} } as TestObject]),
      /unable to sync list result: .*no metadata.name/,
    ],
  ])('reports %s', async (_, answer, message) => {
    const script = new Script({ lists: [answer as KubernetesList<TestObject>] })
    const { clock, errors, reflector } = start(script, { typeDescription: 'pods' })
    await clock.advance(0)
    expect(String(errors[0])).toMatch(message)
    expect(reflector.lastSyncResourceVersion()).toBe('')
  })
})

it.each([
  ['meta.k8s.io/v1beta1', 'Table', true],
  ['meta.k8s.io/v1', 'Table', true],
  ['v1', 'Pod', false],
  ['custom.group/v1', 'Table', false],
])('takes a list and an event of %s %s for a table: %s', async (apiVersion, kind, isTable) => {
  const lists = [{ apiVersion, kind, ...list('1', [object('a', '1')]) }, list('1', [object('a', '1')])]
  const event: WatchEvent<TestObject> = { type: 'ADDED', object: object('b', '2', { apiVersion, kind }) }
  const { clock, names, errors } = start(new Script({ lists, watches: [new FakeWatch([event])] }))
  await clock.advance(0)
  expect(errors.map(String)).toEqual(
    isTable ? [expect.stringContaining(`unsupported list gvk: ${apiVersion}, Kind=Table`)] : [],
  )
  await clock.advance(isTable ? 800 : 0)
  expect(names()).toEqual(isTable ? ['ns/a'] : ['ns/a', 'ns/b'])
})

it.each([
  ['null items', { metadata: { resourceVersion: '7' }, items: null }, '7'],
  ['no items', { metadata: { resourceVersion: '7' } }, '7'],
  ['no metadata', { items: [] }, ''],
])('takes a list with %s for an empty one', async (_, answer, version) => {
  const script = new Script({ lists: [answer as unknown as KubernetesList<TestObject>] })
  const store = newIndexer<TestObject>()
  store.add(object('stale', '1'))
  const { clock, errors, reflector, names } = start(script, {}, store)
  await clock.advance(0)
  expect([names(), reflector.lastSyncResourceVersion(), errors]).toEqual([[], version, []])
})

describe('versions of lists', () => {
  it('relists at the last version seen, unlimited', async () => {
    const script = new Script({
      lists: [list('10', []), list('20', [])],
      watches: [FakeWatch.closed([bookmark('15'), { type: 'ERROR', object: status(410, 'Expired') }]), new FakeWatch()],
    })
    const { clock } = start(script)
    await clock.advance(800)
    expect(script.lists).toEqual([
      { call: 'list', resourceVersion: '0', limit: 500 },
      { call: 'list', resourceVersion: '15' },
    ])
    expect(versionsOf(script.watchCalls)).toEqual(['10', '20'])
  })

  it.each([
    ['Expired', apiError(410, 'Expired')],
    ['Gone', apiError(410, 'Gone')],
    [
      'a version too large',
      apiError(504, 'Timeout', { details: { causes: [{ reason: 'ResourceVersionTooLarge', message: 'x' }] } }),
    ],
    [
      'a version too large, as servers before 1.19 say it',
      apiError(504, 'Timeout', { details: { causes: [{ message: 'Too large resource version' }] } }),
    ],
    [
      'a version too large, as servers before 1.17 say it',
      apiError(504, 'Timeout', { message: 'Too large resource version: 100', details: {} }),
    ],
  ])('asks at once for the newest where a list is answered with %s', async (_, error) => {
    const script = new Script({
      lists: [list('10', []), error, list('20', [])],
      watches: [FakeWatch.closed([{ type: 'ERROR', object: status(410, 'Expired') }]), new FakeWatch()],
    })
    const { clock, errors } = start(script)
    await clock.advance(800)
    expect(versionsOf(script.lists)).toEqual(['0', '10', ''])
    expect(versionsOf(script.watchCalls)).toEqual(['10', '20'])
    expect(errors).toEqual([])
  })

  it('asks for the newest until it gets it', async () => {
    const expired = apiError(410, 'Expired')
    const gone = FakeWatch.closed([{ type: 'ERROR', object: status(410, 'Expired') }])
    const script = new Script({ lists: [list('10', []), expired, expired, list('20', [])], watches: [gone] })
    const { clock } = start(script)
    await clock.advance(800 + 1600)
    expect(versionsOf(script.lists)).toEqual(['0', '10', '', ''])
  })

  it('takes another timeout for what it is', async () => {
    const script = new Script({ lists: [apiError(504, 'Timeout', { details: {} }), list('1', [])] })
    const { clock, errors } = start(script)
    await clock.advance(0)
    expect([script.lists.length, errors.length]).toEqual([1, 1])
  })
})

describe('pages', () => {
  const pages = [
    list('10', [object('a', '1'), object('b', '2')], { continue: 'c1' }),
    list('10', [object('c', '3'), object('d', '4')], { continue: 'c2' }),
    list('10', [object('e', '5')]),
  ]
  const expired = apiError(410, 'Expired')

  it('reads all, of the size asked for, the version with the first only', async () => {
    const script = new Script({ lists: pages })
    const { clock, names } = start(script, { pageSize: 2 })
    await clock.advance(0)
    expect(script.lists).toEqual([
      { call: 'list', resourceVersion: '0', limit: 2 },
      { call: 'list', continue: 'c1', limit: 2 },
      { call: 'list', continue: 'c2', limit: 2 },
    ])
    expect(names()).toEqual(['ns/a', 'ns/b', 'ns/c', 'ns/d', 'ns/e'])
  })

  it('asks for pages again where the server pages lists of any version', async () => {
    const script = new Script({
      lists: [...pages, list('20', [])],
      watches: [FakeWatch.closed([{ type: 'ERROR', object: status(410, 'Expired') }])],
    })
    const { clock } = start(script)
    await clock.advance(800)
    expect(script.lists.at(-1)).toEqual({ call: 'list', resourceVersion: '10', limit: 500 })
  })

  it('lists as a whole where the list expires on the way', async () => {
    const script = new Script({
      lists: [...pages.slice(0, 1), expired, list('11', [object('z', '9')])],
    })
    const { clock, names } = start(script, { pageSize: 2 })
    await clock.advance(0)
    expect(script.lists).toEqual([
      { call: 'list', resourceVersion: '0', limit: 2 },
      { call: 'list', continue: 'c1', limit: 2 },
      { call: 'list', resourceVersion: '0' },
    ])
    expect(names()).toEqual(['ns/z'])
  })

  it('lists as a whole, at the version it had, where a later list expires on the way', async () => {
    const script = new Script({
      lists: [
        list('10', [object('a', '1')]),
        list('11', [], { continue: 'c1' }),
        expired,
        list('11', [object('z', '9')]),
      ],
      watches: [FakeWatch.closed([{ type: 'ERROR', object: status(410, 'Expired') }])],
    })
    const { clock, names } = start(script, { pageSize: 4 })
    await clock.advance(800)
    expect(script.lists).toEqual([
      { call: 'list', resourceVersion: '0', limit: 4 },
      { call: 'list', resourceVersion: '10', limit: 4 },
      { call: 'list', continue: 'c1', limit: 4 },
      { call: 'list', resourceVersion: '10' },
    ])
    expect(names()).toEqual(['ns/z'])
  })

  it.each([undefined, 'no list', { items: 'none' }])('takes no part for the whole where a page is %j', async (page) => {
    const broken = page as unknown as KubernetesList<TestObject>
    const lists = [...pages.slice(0, 1), () => broken, ...pages]
    const { clock, names, errors } = start(new Script({ lists }), { pageSize: 2 })
    await clock.advance(0)
    expect([names(), errors.length]).toEqual([[], 1])
    await clock.advance(800)
    expect(names()).toEqual(['ns/a', 'ns/b', 'ns/c', 'ns/d', 'ns/e'])
  })

  it('lists the newest where that expires too', async () => {
    const script = new Script({
      lists: [...pages.slice(0, 1), expired, expired, list('11', [object('z', '9')])],
    })
    const { clock, names } = start(script, { pageSize: 2 })
    await clock.advance(0)
    expect(script.lists.at(-1)).toEqual({ call: 'list', limit: 2 })
    expect(names()).toEqual(['ns/z'])
  })
})

describe('watch', () => {
  it('goes on at once from the last version when the server closes it, without a list', async () => {
    const first = new FakeWatch([{ type: 'ADDED', object: object('a', '11') }])
    const script = new Script({ lists: [list('10', [])], watches: [first] })
    const { clock } = start(script)
    await clock.advance(300_000)
    first.end()
    await clock.advance(0)
    expect(versionsOf(script.watchCalls)).toEqual(['10', '11'])
    expect(script.lists.length).toBe(1)
  })

  it('goes on from a bookmark', async () => {
    const first = FakeWatch.closed([bookmark('99')])
    const script = new Script({ lists: [list('10', [])], watches: [first] })
    const { clock, names } = start(script)
    await clock.advance(0)
    expect(versionsOf(script.watchCalls)).toEqual(['10', '99'])
    expect(names()).toEqual([])
  })

  it('follows the versions of its events, bookmarks and deletions too, as they come and not by their size', async () => {
    const watch = new FakeWatch()
    const { clock, reflector } = start(new Script({ lists: [list('10', [])], watches: [watch] }))
    const seen: string[] = []
    for (const event of [
      { type: 'ADDED', object: object('a', '10') },
      { type: 'MODIFIED', object: object('a', '20') },
      bookmark('30'),
      { type: 'DELETED', object: object('a', '40') },
      { type: 'ADDED', object: object('b', '32') },
    ] as WatchEvent<TestObject>[]) {
      watch.push(event)
      await clock.advance(0)
      seen.push(reflector.lastSyncResourceVersion())
    }
    expect(seen).toEqual(['10', '20', '30', '40', '32'])
  })

  it.each(['', '0'])('takes no version from the initial events of a watch from %j', async (version) => {
    const watch = new FakeWatch([
      { type: 'ADDED', object: object('a', '7') },
      { type: 'ADDED', object: object('b', '3') },
    ])
    const script = new Script({ lists: [list(version, [])], watches: [watch] })
    const { clock, reflector } = start(script)
    await clock.advance(0)
    expect(reflector.lastSyncResourceVersion()).toBe(version)
    watch.push({ type: 'MODIFIED', object: object('a', '8') }, { type: 'ADDED', object: object('c', '9') })
    await clock.advance(0)
    expect(reflector.lastSyncResourceVersion()).toBe('9')
  })

  it.each(['ECONNRESET', 'EPIPE', 'ERR_HTTP2_STREAM_ERROR'])(
    'takes a connection that broke (%s) for a close',
    async (code) => {
      const first = new FakeWatch([bookmark('15')])
      const script = new Script({ lists: [list('10', [])], watches: [first] })
      const { clock, errors } = start(script)
      await clock.advance(5000)
      first.fail(new Error('request failed', { cause: systemError(code) }))
      await clock.advance(0)
      expect([script.lists.length, versionsOf(script.watchCalls), errors]).toEqual([1, ['10', '15'], []])
    },
  )

  it.each([
    ['refused', systemError('ECONNREFUSED')],
    ['refused at all addresses', Object.assign(new AggregateError([systemError('ECONNREFUSED')]), { code: 'X' })],
    ['refused, wrapped', new Error('watch failed', { cause: systemError('ECONNREFUSED') })],
    ['answered with 429', apiError(429, 'TooManyRequests')],
  ])('waits and tries again without a list where the start is %s', async (_, error) => {
    const script = new Script({ lists: [list('10', [])], watches: [error, error, error, error, new FakeWatch()] })
    const { clock, errors } = start(script)
    await clock.advance(800 + 1600 + 3200)
    expect(script.watchCalls.length).toBe(4)
    await clock.advance(6400)
    expect(versionsOf(script.watchCalls)).toEqual(['10', '10', '10', '10', '10'])
    expect([script.lists.length, errors]).toEqual([1, []])
  })

  it.each([
    ['the initial objects', true, 'the initial objects cannot be had yet, trying again'],
    ['the watch', false, 'the watch cannot be opened yet, trying again'],
  ])('tells of a server that refuses %s, at once and once a minute', async (_, useWatchList, message) => {
    const refused = systemError('ECONNREFUSED')
    const watches = [...Array<Error>(6).fill(refused), new FakeWatch()]
    const script = new Script({ lists: [list('10', [])], watches })
    const { clock, logger } = start(script, { useWatchList })
    await clock.advance(0)
    expect(logger.of('warn')).toEqual([message])
    expect(logger.lines.find(({ level }) => level === 'warn')?.fields).toMatchObject({ err: refused })
    await clock.advance(800 + 1600 + 3200 + 6400 + 12_800)
    expect(logger.of('warn')).toEqual([message])
    expect(logger.of('debug').filter((line) => line === message).length).toBe(5)
  })

  it('waits as long as a 429 asks for', async () => {
    const busy = apiError(429, 'TooManyRequests', { details: { retryAfterSeconds: 7 } })
    const script = new Script({ watches: [busy, new FakeWatch()] })
    const { clock } = start(script)
    await clock.advance(6999)
    expect(script.watchCalls.length).toBe(1)
    await clock.advance(1)
    expect(script.watchCalls.length).toBe(2)
  })

  it('waits and goes on where a watch ends with 429', async () => {
    const script = new Script({
      lists: [list('10', [])],
      watches: [FakeWatch.closed([bookmark('12'), { type: 'ERROR', object: status(429, 'TooManyRequests') }])],
    })
    const { clock } = start(script)
    await clock.advance(799)
    expect(script.watchCalls.length).toBe(1)
    await clock.advance(1)
    expect([script.lists.length, versionsOf(script.watchCalls)]).toEqual([1, ['10', '12']])
  })

  it('lists again, later, where the start fails otherwise', async () => {
    const script = new Script({ lists: [list('10', [])], watches: [apiError(403, 'Forbidden')] })
    const { clock, errors } = start(script)
    await clock.advance(0)
    expect(errors.map(String)).toEqual(['ApiError: GET https://server/objects: Forbidden'])
    await clock.advance(800)
    expect(versionsOf(script.lists)).toEqual(['0', '10'])
  })

  it('lists again, later, where a watch ends with another error', async () => {
    const script = new Script({
      lists: [list('10', [])],
      watches: [FakeWatch.closed([bookmark('12'), { type: 'ERROR', object: status(500, 'InternalError') }])],
    })
    const { clock, errors, logger } = start(script)
    await clock.advance(0)
    expect([errors, logger.of('warn')]).toEqual([[], ['watch ended with error']])
    await clock.advance(800)
    expect(versionsOf(script.lists)).toEqual(['0', '12'])
  })

  it('lists again, later, where a watch cannot be decoded', async () => {
    const watch = new FakeWatch([bookmark('12')])
    const script = new Script({ lists: [list('10', [])], watches: [watch] })
    const { clock } = start(script)
    await clock.advance(0)
    watch.fail(new SyntaxError('Unexpected token'))
    await clock.advance(800)
    expect(versionsOf(script.lists)).toEqual(['0', '12'])
  })

  it.each([
    { what: 'not at all without a time', maxInternalErrorRetryDuration: 0, pauseBefore: 0, retries: 0 },
    { what: 'for as long as it is told', maxInternalErrorRetryDuration: 30_000, pauseBefore: 0, retries: 31 },
    {
      what: 'anew after a minute without any',
      maxInternalErrorRetryDuration: 30_000,
      pauseBefore: 10,
      retries: 40,
    },
  ])('opens a watch again at once after internal errors: $what', async (each) => {
    const watches: FakeWatch[] = []
    const script = new Script({
      lists: [list('10', [])],
      watches: Array(100).fill(() => {
        watches.push(new FakeWatch())
        return watches.at(-1)
      }),
    })
    const { clock } = start(script, { maxInternalErrorRetryDuration: each.maxInternalErrorRetryDuration })
    for (let errors = 1; errors <= each.retries + 1; errors++) {
      await clock.advance(errors === each.pauseBefore ? 61_000 : 1000)
      expect([watches.length, script.lists.length]).toEqual([errors, 1])
      watches.at(-1)?.push({ type: 'ERROR', object: status(500, 'InternalError') })
      await clock.advance(0)
    }
    // The window is open from the first error on: the errors of 30 seconds fall into it, and the next is outside.
    expect([watches.length, watches.at(-1)?.stopped]).toEqual([each.retries + 1, true])
    await clock.advance(30_000)
    expect(script.lists.length).toBe(2)
  })

  it('loses with a new list what was deleted by force because it could not be read', async () => {
    const corrupt = object('corrupt', '4')
    const unreadable = status(500, 'StorageReadError', {
      message: 'failed to prepare current and previous objects: corrupt object has been deleted',
    })
    const rest = ['foo-1', 'foo-2', 'foo-3'].map((name, i) => object(name, String(i + 1)))
    const watch = new FakeWatch([{ type: 'ADDED', object: corrupt }])
    const script = new Script({ lists: [list('3', rest), list('5', rest)], watches: [watch] })
    const { clock, names, reflector } = start(script)
    await clock.advance(0)
    expect(names()).toEqual(['ns/corrupt', 'ns/foo-1', 'ns/foo-2', 'ns/foo-3'])
    watch.push({ type: 'ERROR', object: unreadable })
    await clock.advance(800)
    expect([names(), reflector.lastSyncResourceVersion()]).toEqual([['ns/foo-1', 'ns/foo-2', 'ns/foo-3'], '5'])
  })

  it('takes a watch that closes at once and is empty for a fault, and slows down', async () => {
    const script = new Script({ lists: [list('10', [])], watches: Array(100).fill(FakeWatch.closed()) })
    const { clock, logger } = start(script)
    await clock.advance(10_000)
    expect(script.watchCalls.length).toBe(4)
    expect(logger.of('warn').length).toBe(4)
  })

  it('slows down where watches that bring something close at once, again and again', async () => {
    let version = 10
    const next = (): FakeWatch => FakeWatch.closed([{ type: 'MODIFIED', object: object('a', String(++version)) }])
    const script = new Script({ lists: [list('10', [])], watches: Array(100).fill(next) })
    const { clock, errors } = start(script)
    await clock.advance(0)
    expect(versionsOf(script.watchCalls)).toEqual(['10', '11'])
    await clock.advance(10_000)
    expect([script.watchCalls.length, script.lists.length, errors]).toEqual([5, 1, []])
  })

  it('does not slow down any more once a watch has lasted', async () => {
    const brief = (version: string): FakeWatch => FakeWatch.closed([bookmark(version)])
    const lasting = new FakeWatch([bookmark('13')])
    const script = new Script({ watches: [brief('11'), brief('12'), lasting, brief('14')] })
    const { clock } = start(script)
    await clock.advance(800)
    expect(versionsOf(script.watchCalls)).toEqual(['1', '11', '12'])
    await clock.advance(60_000)
    lasting.end()
    await clock.advance(0)
    expect(versionsOf(script.watchCalls)).toEqual(['1', '11', '12', '13', '14'])
  })

  it('keeps its version where an event comes without one', async () => {
    const watch = FakeWatch.closed([
      { type: 'BOOKMARK', object: { metadata: {} } },
      { type: 'ADDED', object: { metadata: { name: 'a', namespace: 'ns' } } },
    ])
    const script = new Script({ lists: [list('10', [])], watches: [watch] })
    const { clock, names } = start(script)
    await clock.advance(0)
    expect([versionsOf(script.watchCalls), names()]).toEqual([['10', '10'], ['ns/a']])
  })

  it('does not slow down where a close comes after a second', async () => {
    const first = new FakeWatch()
    const script = new Script({ watches: [first] })
    const { clock } = start(script)
    await clock.advance(1000)
    first.end()
    await clock.advance(0)
    expect(script.watchCalls.length).toBe(2)
  })

  it('skips what it does not understand', async () => {
    const watch = new FakeWatch([
      { type: 'ADDED', object: object('other', '11', { apiVersion: 'v1', kind: 'Node' }) },
      { type: 'ADDED', object: object('version', '12', { apiVersion: 'apps/v1', kind: 'Pod' }) },
      { type: 'ADDED', object: object('table', '13', { apiVersion: 'meta.k8s.io/v1', kind: 'Table' }) },
      { type: 'ADDED', object: {} as TestObject },
      { type: 'ADDED', object: undefined as unknown as TestObject },
      { type: 'ADDED', object: { metadata: { resourceVersion: '14' } } as TestObject },
      { type: 'RENAMED' as 'ADDED', object: object('unknown', '15') },
      { type: 'ADDED', object: object('good', '16', { apiVersion: 'v1', kind: 'Pod' }) },
      { type: 'ADDED', object: object('bare', '17') },
    ])
    const script = new Script({ lists: [list('10', [])], watches: [watch] })
    const { clock, names, logger, reflector, errors } = start(script, {
      expectedKind: { apiVersion: 'v1', kind: 'Pod' },
    })
    await clock.advance(0)
    expect(names()).toEqual(['ns/bare', 'ns/good'])
    expect(logger.of('error')).toEqual([
      'unexpected kind in a watch event',
      'unexpected kind in a watch event',
      'unexpected kind in a watch event',
      'a watch event has an object without metadata',
      'a watch event has an object without metadata',
      'unknown type of watch event',
    ])
    expect(errors).toEqual([expect.any(WatchEventError)])
    expect(errors[0]).toMatchObject({ type: 'ADDED', key: '(no name)', cause: expect.any(KeyError) as unknown })
    expect(reflector.lastSyncResourceVersion()).toBe('17')
  })

  it('does not let an event of a wrong kind move the version', async () => {
    const watch = new FakeWatch([{ type: 'ADDED', object: object('other', '11', { kind: 'Node' }) }])
    const script = new Script({ lists: [list('10', [])], watches: [watch] })
    const { clock, reflector } = start(script, { expectedKind: { apiVersion: 'v1', kind: 'Pod' } })
    await clock.advance(0)
    expect(reflector.lastSyncResourceVersion()).toBe('10')
  })

  it('tells the store of bookmarks', async () => {
    const { clock, store } = start(new Script({ watches: [new FakeWatch([bookmark('42')])] }))
    await clock.advance(0)
    expect(store.lastStoreSyncResourceVersion()).toBe('42')
  })

  it('opens another watch where one does not end in its time: the connection is dead', async () => {
    const silent = new FakeWatch([bookmark('12')])
    const script = new Script({ lists: [list('10', [])], watches: [silent] })
    const { clock } = start(script)
    await clock.advance(329_999)
    expect(script.watchCalls.length).toBe(1)
    await clock.advance(1)
    expect(silent.stopped).toBe(true)
    expect([script.lists.length, versionsOf(script.watchCalls)]).toEqual([1, ['10', '12']])
  })

  it('gives up a request for a watch that is not answered', async () => {
    const script = new Script({ lists: [list('10', [])], watches: [() => new Promise<never>(() => {})] })
    const { clock } = start(script)
    await clock.advance(330_000 + 800)
    expect([script.lists.length, script.watchCalls.length]).toEqual([1, 2])
  })

  it.each([
    ['by default', undefined, 300, 600],
    ['no less than 5 minutes', 60_000, 300, 600],
    ['as told', 1_800_000, 1800, 3600],
  ])('lasts %s', async (_, minWatchTimeout, min, max) => {
    for (const [value, expected] of [
      [0, min],
      [0.5, (min + max) / 2],
      [0.99999999, max - 1],
    ] as const) {
      const script = new Script({})
      const { clock } = start(script, { minWatchTimeout, random: () => value })
      await clock.advance(0)
      expect(script.watchCalls[0]?.timeoutSeconds).toBe(expected)
      await stop?.()
    }
  })
})

describe('options', () => {
  it.each([
    { minWatchTimeout: Number.NaN },
    { minWatchTimeout: Number.POSITIVE_INFINITY },
    { resyncPeriod: Number.NaN },
    { resyncPeriod: -1 },
    { backoff: { duration: Number.NaN } },
  ])('refuses %j', (options) => {
    expect(() => new Reflector(new Script({}), newIndexer<TestObject>(), options)).toThrow(RangeError)
    expect(() => new SharedIndexInformer(new Script({}), options)).toThrow(RangeError)
  })
})

describe('back-off', () => {
  it('starts anew after two minutes, and is stretched by up to as much again', async () => {
    const script = new Script({ lists: [apiError(500, 'InternalError')] })
    const { clock } = start(script, { random: () => 0.5 })
    const at: number[] = []
    for (let seen = 0; at.length < 9; ) {
      await clock.advanceToNext()
      if (script.lists.length > seen) at.push(clock.now())
      seen = script.lists.length
    }
    const delays = at.map((time, i) => time - (at[i - 1] ?? 0))
    expect(delays).toEqual([1200, 2400, 4800, 9600, 19_200, 38_400, 45_000, 1200, 2400])
  })

  it.each([
    { failures: 5, jitter: 0, waits: 1 + 2 + 4 + 8 + 16 },
    { failures: 5, jitter: 1, waits: 2 + 4 + 8 + 16 + 32 },
    { failures: 40, jitter: 0, waits: 1 + 2 + 4 + 8 + 16 + 32 + 34 * 50 },
    { failures: 40, jitter: 1, waits: 2 + 4 + 8 + 16 + 32 + 64 + 34 * 100 },
  ])('grows up to its cap: $failures refused connections take $waits ms (jitter: $jitter)', async (each) => {
    const watches = [...Array<Error>(each.failures).fill(systemError('ECONNREFUSED')), new FakeWatch()]
    const script = new Script({ watches })
    const backoff = { duration: 1, cap: 50, steps: 1000, factor: 2, jitter: 1 }
    const { clock } = start(script, { backoff, random: () => each.jitter })
    while (script.watches.length === 0) await clock.advanceToNext()
    expect([clock.now(), script.watchCalls.length, script.lists.length]).toEqual([each.waits, each.failures + 1, 1])
  })

  it('can be replaced by one without jitter', async () => {
    const watches = [...Array<Error>(5).fill(systemError('ECONNREFUSED')), new FakeWatch()]
    const script = new Script({ watches })
    const { clock } = start(script, { backoff: { duration: 10, factor: 2, jitter: 0, steps: 100, cap: 100 } })
    while (script.watches.length === 0) await clock.advanceToNext()
    expect(clock.now()).toBe(10 + 20 + 40 + 80 + 100)
  })

  it('can be replaced', async () => {
    const script = new Script({ lists: [apiError(500, 'InternalError')] })
    const { clock } = start(script, { backoff: { duration: 10 } })
    await clock.advance(100)
    expect(script.lists.length).toBe(11)
  })
})

describe('resync', () => {
  it('asks the store at every period in which it should', async () => {
    let resyncs = 0
    let asked = 0
    const store: ReflectorStore<TestObject> = { ...ignoring, resync: () => void resyncs++ }
    const options = { resyncPeriod: 1000, shouldResync: () => ++asked % 2 === 0 }
    const { clock } = start(new Script({}), options, store as Indexer<TestObject>)
    await clock.advance(10_500)
    expect([asked, resyncs]).toEqual([10, 5])
  })

  it('goes on after a resync that failed', async () => {
    const store: ReflectorStore<TestObject> = {
      ...ignoring,
      resync: () => {
        throw new Error('oops')
      },
    }
    const { clock, logger } = start(new Script({}), { resyncPeriod: 1000 }, store as Indexer<TestObject>)
    await clock.advance(2000)
    expect(logger.of('error')).toEqual(['resync failed', 'resync failed'])
  })
})

describe('streaming the initial objects', () => {
  const streamed = { useWatchList: true }

  it('replaces the store at the bookmark, and goes on with the same stream', async () => {
    const watch = new FakeWatch([
      { type: 'ADDED', object: object('a', '7') },
      { type: 'ADDED', object: object('b', '3') },
    ])
    const script = new Script({ watches: [watch] })
    const store = newIndexer<TestObject>()
    store.add(object('stale', '1'))
    const { clock, names, reflector } = start(script, streamed, store)
    await clock.advance(0)
    expect([names(), reflector.lastSyncResourceVersion()]).toEqual([['ns/stale'], ''])
    watch.push(bookmark('9', initialEventsEnd), { type: 'ADDED', object: object('c', '10') })
    await clock.advance(0)
    expect(script.calls).toEqual([
      {
        call: 'watch',
        resourceVersionMatch: 'NotOlderThan',
        sendInitialEvents: true,
        allowWatchBookmarks: true,
        timeoutSeconds: 300,
      },
    ])
    expect([names(), reflector.lastSyncResourceVersion()]).toEqual([['ns/a', 'ns/b', 'ns/c'], '10'])
    watch.end()
    await clock.advance(0)
    expect(script.calls[1]).toEqual({
      call: 'watch',
      resourceVersion: '10',
      allowWatchBookmarks: true,
      timeoutSeconds: 300,
    })
  })

  it('sees updates and deletes that come before the bookmark', async () => {
    const watch = new FakeWatch([
      { type: 'ADDED', object: object('a', '1') },
      { type: 'ADDED', object: object('b', '2') },
      { type: 'MODIFIED', object: object('a', '3', { spec: { value: 'new' } }) },
      { type: 'DELETED', object: object('b', '4') },
      bookmark('4', initialEventsEnd),
    ])
    const { clock, store, names } = start(new Script({ watches: [watch] }), streamed)
    await clock.advance(0)
    expect(names()).toEqual(['ns/a'])
    expect(store.getByKey('ns/a')?.spec?.value).toBe('new')
  })

  it.each([
    ['no annotation', undefined],
    ['the annotation "false"', { 'k8s.io/initial-events-end': 'false' }],
  ])('does not take a bookmark with %s for the end', async (_, annotations) => {
    const watch = new FakeWatch([{ type: 'ADDED', object: object('a', '1') }, bookmark('2', annotations)])
    const { clock, names } = start(new Script({ watches: [watch] }), streamed)
    await clock.advance(0)
    expect(names()).toEqual([])
  })

  it('starts again from nothing where the stream closes before it is complete', async () => {
    const script = new Script({
      watches: [
        FakeWatch.closed([{ type: 'ADDED', object: object('gone', '1') }]),
        new FakeWatch([{ type: 'ADDED', object: object('a', '2') }, bookmark('2', initialEventsEnd)]),
      ],
    })
    const { clock, names } = start(script, streamed)
    await clock.advance(0)
    expect([names(), script.lists.length]).toEqual([['ns/a'], 0])
  })

  it('slows down where streams close at once and incomplete, again and again', async () => {
    const next = (): FakeWatch => FakeWatch.closed([{ type: 'ADDED', object: object('a', '1') }])
    const script = new Script({ watches: Array(100).fill(next) })
    const { clock } = start(script, streamed)
    await clock.advance(0)
    expect(script.watchCalls.length).toBe(2)
    await clock.advance(10_000)
    expect([script.watchCalls.length, script.lists.length]).toEqual([5, 0])
  })

  it.each([
    ['refuses to', apiError(422, 'Invalid')],
    ['fails', apiError(500, 'InternalError')],
    ['fails in the stream', FakeWatch.closed([{ type: 'ERROR', object: status(500, 'InternalError') }])],
    ['closes at once', FakeWatch.closed()],
  ])('lists where the server %s, and tries to stream again next time', async (_, first) => {
    const script = new Script({
      lists: [list('10', [object('a', '1')])],
      watches: [first, FakeWatch.closed([{ type: 'ERROR', object: status(410, 'Expired') }])],
    })
    const { clock, names, errors } = start(script, streamed)
    await clock.advance(0)
    expect([names(), errors]).toEqual([['ns/a'], []])
    await clock.advance(800)
    expect(script.calls.map(({ call, sendInitialEvents = false }) => [call, sendInitialEvents])).toEqual([
      ['watch', true],
      ['list', false],
      ['watch', false],
      ['watch', true],
    ])
    expect(script.watchCalls[2]?.resourceVersion).toBe('10')
  })

  it.each([
    ['429', apiError(429, 'TooManyRequests')],
    ['429 in the stream', FakeWatch.closed([{ type: 'ERROR', object: status(429, 'TooManyRequests') }])],
    ['a refused connection', systemError('ECONNREFUSED')],
  ])('waits and streams again after %s', async (_, first) => {
    const script = new Script({ watches: [first, new FakeWatch([bookmark('2', initialEventsEnd)])] })
    const { clock, reflector } = start(script, streamed)
    await clock.advance(799)
    expect(script.calls.length).toBe(1)
    await clock.advance(1)
    expect([script.lists.length, reflector.lastSyncResourceVersion()]).toEqual([0, '2'])
  })

  it('streams from the newest where its version is gone', async () => {
    const script = new Script({
      watches: [
        FakeWatch.closed([bookmark('5', initialEventsEnd), { type: 'ERROR', object: status(410, 'Expired') }]),
        apiError(410, 'Expired'),
        new FakeWatch([bookmark('9', initialEventsEnd)]),
      ],
    })
    const { clock, reflector } = start(script, streamed)
    await clock.advance(800)
    expect(versionsOf(script.watchCalls)).toEqual(['', '5', ''])
    expect(reflector.lastSyncResourceVersion()).toBe('9')
  })

  it('tells its error handler when it cannot watch on after a stream, since its version is gone', async () => {
    const gone = apiError(410, 'Expired')
    const first = new FakeWatch([
      { type: 'ADDED', object: object('p1', '1') },
      bookmark('2', initialEventsEnd),
      { type: 'ADDED', object: object('p3', '3') },
    ])
    const script = new Script({ watches: [first, gone] })
    const { clock, names, errors } = start(script, streamed)
    await clock.advance(0)
    first.end()
    await clock.advance(0)
    expect([names(), errors, script.lists.length]).toEqual([['ns/p1', 'ns/p3'], [gone], 0])
    expect(script.calls).toEqual([
      expect.objectContaining({ call: 'watch', sendInitialEvents: true, resourceVersionMatch: 'NotOlderThan' }),
      { call: 'watch', resourceVersion: '3', allowWatchBookmarks: true, timeoutSeconds: 300 },
    ])
  })

  it('does not ask for ever for the newest', async () => {
    const script = new Script({ lists: [apiError(410, 'Gone')], watches: Array(100).fill(apiError(410, 'Gone')) })
    const { clock, errors } = start(script, streamed)
    await clock.advance(0)
    expect([script.watchCalls.length, script.lists.length, errors.length]).toEqual([2, 2, 1])
  })

  it('says every ten seconds that it waits for the bookmark, while nothing comes', async () => {
    const watch = new FakeWatch()
    const { clock, logger } = start(new Script({ watches: [watch] }), streamed)
    await clock.advance(10_000)
    expect(logger.of('warn')).toEqual(['waiting for the bookmark that ends the initial events; no event came yet'])
    await clock.advance(5000)
    watch.push({ type: 'ADDED', object: object('a', '1') })
    await clock.advance(5000)
    expect(logger.of('warn').length).toBe(1)
    await clock.advance(10_000)
    expect(logger.of('warn')[1]).toBe('waiting for the bookmark that ends the initial events')
    watch.push(bookmark('1', initialEventsEnd))
    await clock.advance(100_000)
    expect(logger.of('warn').length).toBe(2)
  })

  it('applies the transform of the store once to each object', async () => {
    const seen: string[] = []
    const replaced: [string[], unknown][] = []
    const store: ReflectorStore<TestObject> = {
      ...ignoring,
      transform: (obj) => {
        seen.push(obj.metadata.name)
        return obj
      },
      replace: (objs, _version, options) =>
        void replaced.push([objs.map((obj) => obj.metadata.name), options?.transformed]),
    }
    const watch = new FakeWatch([{ type: 'ADDED', object: object('a', '1') }, bookmark('1', initialEventsEnd)])
    const { clock } = start(new Script({ watches: [watch] }), streamed, store as Indexer<TestObject>)
    await clock.advance(0)
    expect([seen, replaced]).toEqual([['a'], [[['a'], true]]])
  })

  it.each<{ what: string; useWatchList: boolean; client: object; call: 'list' | 'watch' }>([
    {
      what: 'it could, but is not to',
      useWatchList: false,
      client: { isWatchListSemanticsUnSupported: () => false },
      call: 'list',
    },
    { what: 'it can', useWatchList: true, client: { isWatchListSemanticsUnSupported: () => false }, call: 'watch' },
    { what: 'it cannot', useWatchList: true, client: { isWatchListSemanticsUnSupported: () => true }, call: 'list' },
    { what: 'it does not say', useWatchList: true, client: {}, call: 'watch' },
  ])('goes by what the client says of streams: $what', async ({ useWatchList, client, call }) => {
    const script = Object.assign(new Script({}), client)
    const { clock } = start(script, { useWatchList })
    await clock.advance(0)
    expect(script.calls[0]?.call).toBe(call)
  })
})

const ignoring: ReflectorStore<TestObject> = { add() {}, update() {}, delete() {}, replace() {} }
