import { afterEach, describe, expect, it } from 'vitest'
import { FakeClock } from '../clock/fake-clock.js'
import { filteringHandler, type ResourceEventHandler } from './event-handler.js'
import { DeletedFinalStateUnknown, deletionHandlingMetaNamespaceKeyFunc, metaNamespaceKeyFunc } from './keys.js'
import type { ResourceEventHandlerRegistration } from './processor-listener.js'
import {
  FakeWatch,
  list,
  object,
  Script,
  status,
  TestLogger,
  type TestObject,
  TestServer,
} from './server.test-support.js'
import { SharedIndexInformer, type SharedIndexInformerOptions } from './shared-informer.js'
import { waitForCacheSync } from './synced.js'

let stopAll: (() => Promise<void>)[] = []

afterEach(async () => {
  const stops = stopAll
  stopAll = []
  for (const stop of stops) await stop()
})

interface Fixture {
  clock: FakeClock
  logger: TestLogger
  informer: SharedIndexInformer<TestObject>
  start: () => void
  stop: () => Promise<void>
}

/** After a test nothing of its informer may be left. */
function fixture(
  source: ConstructorParameters<typeof SharedIndexInformer<TestObject>>[0],
  options: SharedIndexInformerOptions<TestObject> = {},
): Fixture {
  const clock = new FakeClock()
  const logger = new TestLogger()
  const controller = new AbortController()
  const informer = new SharedIndexInformer(source, { clock, logger, random: () => 0, ...options })
  let running: Promise<void> | undefined
  const stop = async (): Promise<void> => {
    controller.abort(new Error('the test is over'))
    await running
    expect(clock.pendingTimers).toBe(0)
  }
  stopAll.push(stop)
  return { clock, logger, informer, stop, start: () => (running = informer.run({ signal: controller.signal })) }
}

/** Writes down what a handler is told: `add a@1 (initial)`, `update a@1->2`, `delete a@3`, `missed a@2`. */
function recorder(): ResourceEventHandler<TestObject> & { told: string[]; take: () => string[] } {
  const told: string[] = []
  const of = (obj: { metadata: { name: string; resourceVersion?: string } }): string =>
    `${obj.metadata.name}@${obj.metadata.resourceVersion}`
  return {
    told,
    take: () => told.splice(0),
    onAdd: (obj, initial) => told.push(`add ${of(obj)}${initial ? ' (initial)' : ''}`),
    onUpdate: (old, obj) => told.push(`update ${of(old)}->${obj.metadata.resourceVersion}`),
    onDelete: (obj) =>
      told.push(
        obj instanceof DeletedFinalStateUnknown
          ? `missed ${obj.key}@${obj.obj?.metadata.resourceVersion}`
          : `delete ${of(obj)}`,
      ),
  }
}

function serverWith(...names: string[]): TestServer {
  const server = new TestServer()
  for (const name of names) server.create(name, 'v')
  return server
}

describe('notifications', () => {
  it('tell of the initial list, then of every change, in order', async () => {
    const server = serverWith('a', 'b')
    const { clock, informer, start } = fixture(server)
    const handler = recorder()
    informer.addEventHandler(handler)
    start()
    await clock.advance(0)
    server.update('a', 'new')
    server.create('c', 'v')
    server.delete('b')
    await clock.advance(0)
    expect(handler.told).toEqual(['add a@1 (initial)', 'add b@2 (initial)', 'update a@1->3', 'add c@4', 'delete b@5'])
    expect(informer.indexer.listKeys().sort()).toEqual(['ns/a', 'ns/c'])
  })

  it('go by what the cache holds, not by the type of the event', async () => {
    const watch = new FakeWatch([
      { type: 'ADDED', object: object('known', '11') },
      { type: 'MODIFIED', object: object('unknown', '12') },
      { type: 'DELETED', object: object('never', '13') },
    ])
    const script = new Script({ lists: [list('10', [object('known', '1')])], watches: [watch] })
    const { clock, informer, start } = fixture(script, { useWatchList: false })
    const handler = recorder()
    informer.addEventHandler(handler)
    start()
    await clock.advance(0)
    expect(handler.told).toEqual(['add known@1 (initial)', 'update known@1->11', 'add unknown@12', 'delete never@13'])
  })

  it('come after the cache has the change, and after all of a list', async () => {
    const { clock, informer, start } = fixture(serverWith('a', 'b', 'c'))
    const seen: number[] = []
    informer.addEventHandler({ onAdd: () => seen.push(informer.indexer.list().length) })
    start()
    await clock.advance(0)
    expect(seen).toEqual([3, 3, 3])
  })

  it.each([[true], [false]])(
    'tell exactly of what was missed while there was no watch (streamed: %s)',
    async (useWatchList) => {
      const server = serverWith('same', 'changed', 'gone', 'recreated')
      const { clock, informer, start } = fixture(server, { useWatchList })
      const handler = recorder()
      informer.addEventHandler(handler, { resyncPeriod: 0 })
      start()
      await clock.advance(0)
      handler.take()
      server.fault = () => new Error('down')
      server.cut((watch) => watch.push({ type: 'ERROR', object: status(500, 'InternalError') }))
      server.update('changed', 'new')
      server.delete('gone')
      server.delete('recreated')
      server.create('recreated', 'v')
      server.create('new', 'v')
      server.fault = () => undefined
      await clock.advance(800)
      expect(handler.told).toEqual(['missed ns/gone@3', 'update changed@2->5', 'update recreated@4->8', 'add new@9'])
      expect(server.openWatches).toBe(1)
    },
  )

  it('do not repeat unchanged objects of a list, whether or not there are resyncs', async () => {
    const server = serverWith('same', 'changed')
    const { clock, informer, start } = fixture(server, { resyncPeriod: 10_000 })
    const [rare, due] = [recorder(), recorder()]
    informer.addEventHandler(rare, { resyncPeriod: 60_000 })
    informer.addEventHandler(due)
    start()
    await clock.advance(10_000)
    rare.take()
    due.take()
    server.update('changed', 'new')
    server.cut((watch) => watch.push({ type: 'ERROR', object: status(500, 'InternalError') }))
    await clock.advance(800)
    expect(rare.told).toEqual(['update changed@2->3'])
    expect(due.told).toEqual(['update changed@2->3'])
  })

  it('each wait for the promise of the one before, and hold up nobody else', async () => {
    const server = serverWith('a', 'b')
    const { clock, informer, start } = fixture(server)
    const slow: string[] = []
    const quick = recorder()
    informer.addEventHandler({
      onAdd: async (obj) => {
        slow.push(`begin ${obj.metadata.name}`)
        await new Promise<void>((resolve) => clock.setTimer(1000, resolve))
        slow.push(`end ${obj.metadata.name}`)
      },
    })
    informer.addEventHandler(quick)
    start()
    await clock.advance(0)
    server.create('c', 'v')
    await clock.advance(0)
    expect([slow, quick.told.length, informer.indexer.list().length]).toEqual([['begin a'], 3, 3])
    await clock.advance(3000)
    expect(slow).toEqual(['begin a', 'end a', 'begin b', 'end b', 'begin c', 'end c'])
  })

  it('go on after a handler that throws or rejects, and it is reported', async () => {
    const errors: [string, string, string][] = []
    const { clock, informer, start } = fixture(serverWith('a', 'b', 'c'), {
      onHandlerError: (err, event) => errors.push([String(err), event.type, event.key]),
    })
    const seen: string[] = []
    const registration = informer.addEventHandler({
      onAdd: (obj) => {
        seen.push(obj.metadata.name)
        if (obj.metadata.name === 'a') throw new Error('thrown')
        return obj.metadata.name === 'b' ? Promise.reject(new Error('rejected')) : undefined
      },
    })
    start()
    await clock.advance(0)
    expect(seen).toEqual(['a', 'b', 'c'])
    expect(errors).toEqual([
      ['Error: thrown', 'add', 'ns/a'],
      ['Error: rejected', 'add', 'ns/b'],
    ])
    expect(registration.hasSynced()).toBe(true)
  })

  it('go on after an error hook that throws', async () => {
    const { clock, informer, start } = fixture(serverWith('a', 'b'), {
      onHandlerError: () => {
        throw new Error('hook')
      },
    })
    const seen: string[] = []
    informer.addEventHandler({
      onAdd: (obj) => {
        seen.push(obj.metadata.name)
        throw new Error('handler')
      },
    })
    start()
    await clock.advance(0)
    expect(seen).toEqual(['a', 'b'])
  })

  it('that fail are logged where nobody asks', async () => {
    const { clock, informer, start, logger } = fixture(serverWith('a'))
    informer.addEventHandler({
      onAdd: () => {
        throw new Error('oops')
      },
    })
    start()
    await clock.advance(0)
    expect(logger.lines.filter((line) => line.level === 'error')).toMatchObject([
      { message: 'an event handler failed', fields: { handler: 'add', key: 'ns/a' } },
    ])
  })

  it('give other work its turns', async () => {
    const server = serverWith(...Array.from({ length: 1000 }, (_, i) => `o${i}`))
    const { clock, informer, start } = fixture(server)
    let seen = 0
    let turns = 0
    // As the informer's clock shows it, each call of the handler takes a millisecond.
    Object.defineProperty(clock, 'monotonic', { value: () => seen })
    informer.addEventHandler({ onAdd: () => seen++ })
    start()
    const stopCounting = eachTurn(() => turns++)
    await advanceUntil(clock, () => seen === 1000)
    stopCounting()
    expect(turns).toBeGreaterThanOrEqual(200)
  })
})

/** Calls back in each turn of the event loop, until what it returns is called. */
function eachTurn(callback: () => void): () => void {
  let next: NodeJS.Immediate
  const turn = (): void => {
    next = setImmediate(turn)
    callback()
  }
  next = setImmediate(turn)
  return () => clearImmediate(next)
}

/** Until work that others get turns in is done: it takes any number of turns. */
async function advanceUntil(clock: FakeClock, isDone: () => boolean): Promise<void> {
  while (!isDone()) await clock.advance(0)
}

describe('a large list', () => {
  it('is indexed in slices beside the old content; who joins meanwhile misses nothing', async () => {
    const names = Array.from({ length: 100 }, (_, i) => `o${i}`)
    let indexed = 0
    const slow = { slow: () => [String(indexed++)] }
    const script = new Script({
      lists: [
        list('1', [object('old', '1'), object('o1', '1')]),
        list(
          '2',
          names.map((name) => object(name, '2')),
        ),
      ],
      watches: [FakeWatch.closed([{ type: 'ERROR', object: status(410, 'Expired') }])],
    })
    const { clock, informer, start } = fixture(script, { useWatchList: false, indexers: slow })
    const elapsed = clock.monotonic.bind(clock)
    // As the informer's clock shows it, each call of the index function takes a millisecond.
    Object.defineProperty(clock, 'monotonic', { value: () => elapsed() + indexed })
    const early = recorder()
    informer.addEventHandler(early)
    start()
    await clock.advance(0)
    early.take()

    const late = recorder()
    const sizes: number[] = []
    const indexedBefore = indexed
    const stopLooking = eachTurn(() => {
      if (indexed === indexedBefore || indexed >= indexedBefore + names.length) return
      if (sizes.push(informer.indexer.list().length) === 5) informer.addEventHandler(late)
    })
    await clock.advance(800)
    await advanceUntil(clock, () => informer.indexer.list().length === 100)
    stopLooking()
    await clock.advance(0)
    expect(sizes.length).toBeGreaterThanOrEqual(10)
    expect(sizes.every((size) => size === 2)).toBe(true)
    const rest = ['missed ns/old@1', ...names.map((name) => (name === 'o1' ? 'update o1@1->2' : `add ${name}@2`))]
    expect(early.told).toEqual(rest)
    expect(late.told).toEqual(['add old@1 (initial)', 'add o1@1 (initial)', ...rest])
  })

  it('is given up where the informer stops in the middle', async () => {
    let indexed = 0
    const names = Array.from({ length: 50 }, (_, i) => `o${i}`)
    const { clock, informer, start, stop } = fixture(serverWith(...names), {
      indexers: { slow: () => [String(indexed++)] },
    })
    Object.defineProperty(clock, 'monotonic', { value: () => indexed })
    let stopping: Promise<void> | undefined
    const stopLooking = eachTurn(() => {
      if (indexed > 0) stopping ??= stop()
    })
    start()
    await advanceUntil(clock, () => stopping !== undefined)
    stopLooking()
    await stopping
    expect(indexed).toBeLessThan(50)
    expect([informer.isStopped(), informer.hasSynced(), informer.indexer.list()]).toEqual([true, false, []])
  })
})

describe('handlers', () => {
  it('that come late are told of all there is, then of changes: no gap, nothing twice', async () => {
    const server = serverWith('a', 'b')
    const { clock, informer, start } = fixture(server)
    start()
    await clock.advance(0)
    server.update('a', 'new')
    const late = recorder()
    const registration = informer.addEventHandler(late)
    expect(registration.hasSynced()).toBe(false)
    await clock.advance(0)
    server.delete('b')
    await clock.advance(0)
    expect(registration.hasSynced()).toBe(true)
    // The update was under way when the handler came: it is told of the old state and of the update.
    expect(late.told).toEqual(['add a@1 (initial)', 'add b@2 (initial)', 'update a@1->3', 'delete b@4'])
  })

  it('that come between start and sync are told once', async () => {
    const { clock, informer, start } = fixture(serverWith('a'))
    start()
    const handler = recorder()
    const registration = informer.addEventHandler(handler)
    await clock.advance(0)
    expect([handler.told, registration.hasSynced()]).toEqual([['add a@1 (initial)'], true])
  })

  it('are synced when they have handled the initial list, not when the cache has it', async () => {
    const { clock, informer, start } = fixture(serverWith('a', 'b'))
    let release: () => void = () => {}
    const slow = informer.addEventHandler({
      onAdd: (obj) => (obj.metadata.name === 'b' ? new Promise<void>((resolve) => (release = resolve)) : undefined),
    })
    const quick = informer.addEventHandler({})
    let reported = false
    void slow.synced.then(() => (reported = true))
    start()
    await clock.advance(0)
    expect([informer.hasSynced(), quick.hasSynced(), slow.hasSynced(), reported]).toEqual([true, true, false, false])
    release()
    await clock.advance(0)
    expect([slow.hasSynced(), reported]).toEqual([true, true])
  })

  it('are synced where there is nothing', async () => {
    const { clock, informer, start } = fixture(new TestServer())
    const registration = informer.addEventHandler({})
    expect([informer.hasSynced(), registration.hasSynced()]).toEqual([false, false])
    start()
    await clock.advance(0)
    expect([informer.hasSynced(), registration.hasSynced(), informer.addEventHandler({}).hasSynced()]).toEqual([
      true,
      true,
      true,
    ])
  })

  it('may be added several times, each for itself', async () => {
    const { clock, informer, start } = fixture(serverWith('a'))
    const handler = recorder()
    const first = informer.addEventHandler(handler)
    informer.addEventHandler(handler)
    informer.removeEventHandler(first)
    start()
    await clock.advance(0)
    expect(handler.told).toEqual(['add a@1 (initial)'])
  })

  it('are told nothing more once removed, and may be removed again', async () => {
    const server = serverWith('a')
    const { clock, informer, start } = fixture(server)
    const handler = recorder()
    const registration = informer.addEventHandler(handler)
    start()
    await clock.advance(0)
    server.update('a', 'new')
    informer.removeEventHandler(registration)
    informer.removeEventHandler(registration)
    await clock.advance(0)
    expect(handler.told).toEqual(['add a@1 (initial)'])
  })

  it('are told nothing more once shut down, which waits for the call that is going on', async () => {
    const { clock, informer, start } = fixture(serverWith('a', 'b'))
    let go: () => void = () => {}
    const told: string[] = []
    const registration = informer.addEventHandler({
      onAdd: (obj) => {
        told.push(obj.metadata.name)
        return new Promise<void>((resolve) => {
          go = resolve
        })
      },
    })
    start()
    await clock.advance(0)
    let ended = false
    const shutDown = informer.shutDownEventHandler(registration).then(() => {
      ended = true
    })
    await clock.advance(1000)
    expect([told, ended]).toEqual([['a'], false])
    go()
    await clock.advance(0)
    await shutDown
    await informer.shutDownEventHandler(registration)
    await clock.advance(1000)
    expect(told).toEqual(['a'])
  })

  it('each see what there is, while handlers come and go and objects change', async () => {
    const server = new TestServer()
    const failures: unknown[] = []
    const { clock, informer, start } = fixture(server, {
      resyncPeriod: 1000,
      onHandlerError: (err) => failures.push(err),
    })
    start()
    let seed = 1
    const below = (n: number): number => {
      seed = (seed * 48_271) % 2_147_483_647
      return seed % n
    }
    interface View {
      registration: ResourceEventHandlerRegistration
      objects: Map<string, string | undefined>
      told: number
    }
    const views: View[] = []
    const join = (): void => {
      const objects: View['objects'] = new Map()
      const view: View = {
        objects,
        told: 0,
        registration: informer.addEventHandler(
          {
            onAdd: (obj) => {
              view.told++
              expect(objects.has(obj.metadata.name)).toBe(false)
              objects.set(obj.metadata.name, obj.metadata.resourceVersion)
            },
            onUpdate: (old, obj) => {
              view.told++
              expect(objects.get(obj.metadata.name)).toBe(old.metadata.resourceVersion)
              objects.set(obj.metadata.name, obj.metadata.resourceVersion)
            },
            onDelete: (obj) => {
              view.told++
              objects.delete(deletionHandlingMetaNamespaceKeyFunc(obj).slice(3))
            },
          },
          { resyncPeriod: 1000 },
        ),
      }
      views.push(view)
    }
    const removed: { view: View; told: number }[] = []
    for (let step = 0; step < 1000; step++) {
      const name = `pod${below(20)}`
      if (!server.objects.has(`ns/${name}`)) server.create(name, 'v')
      else if (below(2) === 0) server.update(name, 'v')
      else server.delete(name)
      if (below(10) === 0) join()
      if (below(10) === 0 && views.length > 0) {
        const [view] = views.splice(below(views.length), 1)
        if (!view) continue
        informer.removeEventHandler(view.registration)
        removed.push({ view, told: view.told })
      }
      if (below(100) === 0) server.cut()
      if (below(5) === 0) await clock.advance(below(50))
    }
    await clock.advance(10_000)
    expect(failures).toEqual([])
    const expected = new Map(
      [...server.objects.values()].map(({ metadata }) => [metadata.name, metadata.resourceVersion]),
    )
    expect(views.length).toBeGreaterThan(0)
    for (const { objects } of views) expect(objects).toEqual(expected)
    for (const { view, told } of removed) expect(view.told).toBe(told)
  })

  it('may be removed when the informer has stopped', async () => {
    const { clock, informer, start, stop } = fixture(serverWith('a'))
    const registration = informer.addEventHandler({})
    start()
    await clock.advance(0)
    await stop()
    expect(() => informer.removeEventHandler(registration)).not.toThrow()
    await informer.shutDownEventHandler(registration)
  })

  it('can remove themselves, in the middle of a list', async () => {
    const { clock, informer, start } = fixture(serverWith('a', 'b', 'c'))
    const seen: string[] = []
    const registration = informer.addEventHandler({
      onAdd: (obj) => {
        seen.push(obj.metadata.name)
        if (obj.metadata.name === 'b') informer.removeEventHandler(registration)
      },
    })
    start()
    await clock.advance(0)
    expect(seen).toEqual(['a', 'b'])
    await expect(registration.synced).rejects.toThrow('the handler was removed before its initial list was handled')
  })

  it('of another informer are left alone', async () => {
    const server = serverWith('a')
    const one = fixture(server)
    const other = fixture(server)
    const handler = recorder()
    const registration = one.informer.addEventHandler(handler)
    other.informer.removeEventHandler(registration)
    other.informer.removeEventHandler({ hasSynced: () => true, synced: Promise.resolve() })
    one.start()
    await one.clock.advance(0)
    expect(handler.told).toEqual(['add a@1 (initial)'])
  })

  it('can be filtered: crossing the filter is an add or a delete', async () => {
    const server = new TestServer()
    server.create('in', 'yes')
    server.create('out', 'no')
    server.create('moves', 'no')
    const { clock, informer, start } = fixture(server)
    const handler = recorder()
    informer.addEventHandler(filteringHandler({ filter: (obj) => obj.spec?.value === 'yes', handler }))
    start()
    await clock.advance(0)
    expect(handler.take()).toEqual(['add in@1 (initial)'])
    server.update('moves', 'yes')
    server.update('in', 'yes')
    server.update('out', 'never')
    server.update('moves', 'no')
    server.delete('moves')
    server.delete('in')
    await clock.advance(0)
    expect(handler.take()).toEqual(['add moves@4', 'update in@1->5', 'delete moves@4', 'delete in@9'])
  })

  it('that are filtered hear of missed deletions of what they knew', () => {
    const handler = recorder()
    const filtered = filteringHandler({
      filter: (obj: { spec?: { value?: string } }) => obj.spec?.value === 'yes',
      handler,
    })
    const missed = (value: string): never =>
      new DeletedFinalStateUnknown('ns/a', object('a', '1', { spec: { value } })) as never
    filtered.onDelete?.(missed('yes'))
    filtered.onDelete?.(missed('no'))
    filtered.onDelete?.(new DeletedFinalStateUnknown('ns/b', undefined))
    expect(handler.told).toEqual(['missed ns/a@1', 'missed ns/b@undefined'])
  })

  it('take the objects to keys', async () => {
    const keys: string[] = []
    const { clock, informer, start } = fixture(serverWith('a'))
    informer.addEventHandler({
      onAdd: (d) => keys.push(metaNamespaceKeyFunc(d)),
      onUpdate: (_old, d) => keys.push(metaNamespaceKeyFunc(d)),
      onDelete: (d) => keys.push(deletionHandlingMetaNamespaceKeyFunc(d)),
    })
    start()
    await clock.advance(0)
    expect(keys).toEqual(['ns/a'])
  })
})

describe('resync', () => {
  it('tells each handler of everything, as an update, at its own period', async () => {
    const server = serverWith('a')
    const { clock, informer, start } = fixture(server, { resyncPeriod: 1000 })
    const [one, three, never] = [recorder(), recorder(), recorder()]
    informer.addEventHandler(one)
    informer.addEventHandler(three, { resyncPeriod: 3000 })
    informer.addEventHandler(never, { resyncPeriod: 0 })
    start()
    await clock.advance(0)
    for (const handler of [one, three, never]) handler.take()
    await clock.advance(6000)
    expect([one.told.length, three.told.length, never.told.length]).toEqual([6, 2, 0])
    expect(new Set(one.told)).toEqual(new Set(['update a@1->1']))
    expect([server.lists, server.watchCalls]).toEqual([0, 1])
  })

  it('gives the object itself as old and new', async () => {
    const same: boolean[] = []
    const { clock, informer, start } = fixture(serverWith('a'), { resyncPeriod: 1000 })
    informer.addEventHandler({ onUpdate: (old, obj) => same.push(old === obj) })
    start()
    await clock.advance(1000)
    expect(same).toEqual([true])
  })

  it('does not tell of an older state than was told already', async () => {
    const server = serverWith('a')
    const { clock, informer, start } = fixture(server, { resyncPeriod: 1000 })
    const handler = recorder()
    informer.addEventHandler(handler)
    start()
    await clock.advance(999)
    clock.setTimer(1, () => server.update('a', 'new'))
    await clock.advance(1)
    expect(handler.told).toEqual(['add a@1 (initial)', 'update a@1->1', 'update a@1->2'])
  })

  it('does not happen without a period', async () => {
    const { clock, informer, start, logger } = fixture(serverWith('a'))
    const handler = recorder()
    informer.addEventHandler(handler, { resyncPeriod: 5000 })
    start()
    await clock.advance(60_000)
    expect(handler.told).toEqual(['add a@1 (initial)'])
    expect(logger.of('warn')).toEqual(["the resync period is of no effect: this informer doesn't resync"])
  })

  it.each([
    ['shorter than the informer, before the start: the informer checks more often', 12_000, [[2000, 'before']], [30]],
    [
      'the shortest counts',
      12_000,
      [
        [2000, 'before'],
        [1000, 'before'],
      ],
      [30, 60],
    ],
    ['less than a second: a second', 12_000, [[10, 'before']], [60]],
    ['longer: rounded up to a multiple of the checks', 5000, [[12_000, 'before']], [4]],
    ['shorter than the informer, after the start: as often as it checks', 10_000, [[2000, 'after']], [6]],
  ] as const)('%s', async (_, resyncPeriod, handlers, expected) => {
    const { clock, informer, start } = fixture(serverWith('a'), { resyncPeriod })
    const recorders = handlers.map(() => recorder())
    const add = (when: string): void =>
      handlers.forEach(([period, at], i) => {
        const handler = recorders[i]
        if (at === when && handler) informer.addEventHandler(handler, { resyncPeriod: period })
      })
    add('before')
    start()
    add('after')
    await clock.advance(0)
    for (const handler of recorders) handler.take()
    await clock.advance(60_000)
    expect(recorders.map((handler) => handler.told.length)).toEqual(expected)
  })

  it('has the period that each handler asked for, of an informer that checks as often as the shortest', async () => {
    const { clock, informer, start } = fixture(serverWith('a'), { resyncPeriod: 12 * 3_600_000 })
    const handlers = [0, 60_000, 55_000, 5000].map((resyncPeriod) => {
      const handler = recorder()
      informer.addEventHandler(handler, { resyncPeriod })
      return handler
    })
    start()
    await clock.advance(0)
    for (const handler of handlers) handler.take()
    await clock.advance(660_000)
    expect(handlers.map((handler) => handler.told.length)).toEqual([0, 11, 12, 132])
  })

  it('comes to those who are due then, and to nobody else', async () => {
    const { clock, informer, start } = fixture(serverWith('pod1', 'pod2'), { resyncPeriod: 1000 })
    const handlers = [0, 2000, 3000].map((resyncPeriod) => {
      const handler = recorder()
      informer.addEventHandler(handler, { resyncPeriod })
      return handler
    })
    const counts = (): number[] => handlers.map((handler) => handler.take().length)
    start()
    await clock.advance(0)
    expect(counts()).toEqual([2, 2, 2])
    await clock.advance(2000)
    expect(counts()).toEqual([0, 2, 0])
    await clock.advance(1000)
    expect(counts()).toEqual([0, 0, 2])
  })

  it.each([-1, Number.NaN, Number.POSITIVE_INFINITY])('refuses a period of %d', (resyncPeriod) => {
    expect(() => new SharedIndexInformer(new TestServer(), { resyncPeriod })).toThrow(RangeError)
    const informer = new SharedIndexInformer(new TestServer())
    expect(() => informer.addEventHandler({}, { resyncPeriod })).toThrow(RangeError)
  })
})

describe('life of an informer', () => {
  it('begins with run and ends with the signal; handlers cannot join after that', async () => {
    const { clock, informer, start, stop } = fixture(serverWith('a'))
    expect([informer.isStopped(), informer.lastSyncResourceVersion()]).toEqual([false, ''])
    start()
    await clock.advance(0)
    expect([informer.isStopped(), informer.lastSyncResourceVersion()]).toEqual([false, '1'])
    await stop()
    expect(informer.isStopped()).toBe(true)
    expect(() => informer.addEventHandler({})).toThrow(
      'handler was not added to shared informer because it has stopped already',
    )
    expect(() => informer.addIndexers({})).toThrow('indexer was not added because it has stopped already')
  })

  it('runs once', async () => {
    const { clock, informer, start, logger } = fixture(serverWith('a'))
    start()
    await informer.run({ signal: new AbortController().signal })
    await clock.advance(0)
    expect(logger.of('warn')).toEqual(['the informer has started, run more than once is not allowed'])
  })

  it('that is stopped before it starts does nothing', async () => {
    const server = serverWith('a')
    const { informer, start, stop } = fixture(server)
    const stopped = stop()
    start()
    await stopped
    await informer.synced.catch(() => {})
    expect([informer.isStopped(), server.watchCalls]).toEqual([true, 0])
  })

  it('waits for a handler that is at work, and drops the rest', async () => {
    const { clock, informer, start, stop } = fixture(serverWith('a', 'b'))
    const seen: string[] = []
    let release: () => void = () => {}
    const registration = informer.addEventHandler({
      onAdd: (obj) => {
        seen.push(obj.metadata.name)
        return new Promise<void>((resolve) => (release = resolve))
      },
    })
    start()
    await clock.advance(0)
    let stopped = false
    const stopping = stop().then(() => (stopped = true))
    await clock.advance(0)
    expect(stopped).toBe(false)
    release()
    await stopping
    expect(seen).toEqual(['a'])
    await expect(registration.synced).rejects.toThrow('the informer stopped before its initial list was handled')
  })

  it('takes a transform and an error handler before the start only', async () => {
    const server = serverWith('a')
    const { clock, informer, start } = fixture(server)
    const values: unknown[] = []
    let transforms = 0
    informer.setTransform((obj) => {
      transforms++
      return { ...obj, spec: { value: 'transformed' } }
    })
    informer.addEventHandler({
      onAdd: (obj) => values.push(obj.spec?.value),
      onDelete: (obj) => values.push('obj' in obj || obj.spec?.value),
    })
    start()
    await clock.advance(0)
    server.delete('a')
    await clock.advance(0)
    expect([values, transforms]).toEqual([['transformed', 'transformed'], 2])
    expect(() => informer.setTransform((obj) => obj)).toThrow('informer has already started')
    expect(() => informer.setWatchErrorHandler(() => {})).toThrow('informer has already started')
  })

  it.each([[true], [false]])('tells of transformed objects, old and new ones (streamed: %s)', async (useWatchList) => {
    const server = serverWith('pod1')
    server.update('pod1', '2')
    const { clock, informer, start } = fixture(server, { useWatchList })
    informer.setTransform((obj) => ({ ...obj, spec: { value: `${obj.spec?.value} transformed` } }))
    const told: string[] = []
    const of = (obj: { metadata: { name: string }; spec?: { value?: string } }): string =>
      `${obj.metadata.name} ${obj.spec?.value}`
    informer.addEventHandler({
      onAdd: (obj) => told.push(`add ${of(obj)}`),
      onUpdate: (old, obj) => told.push(`update ${of(old)} -> ${of(obj)}`),
      onDelete: (obj) => told.push(`delete ${of(obj as TestObject)}`),
    })
    const stored = (): string[] => informer.indexer.list().map(of).sort()
    start()
    await clock.advance(0)
    expect(stored()).toEqual(['pod1 2 transformed'])
    server.create('pod2', '1')
    await clock.advance(0)
    expect(stored()).toEqual(['pod1 2 transformed', 'pod2 1 transformed'])
    server.create('pod3', '1')
    server.update('pod2', '2')
    server.delete('pod1')
    await clock.advance(0)
    expect(stored()).toEqual(['pod2 2 transformed', 'pod3 1 transformed'])
    expect(told).toEqual([
      'add pod1 2 transformed',
      'add pod2 1 transformed',
      'add pod3 1 transformed',
      'update pod2 1 transformed -> pod2 2 transformed',
      'delete pod1 2 transformed',
    ])
  })

  it('transforms an object once, however often it resyncs', async () => {
    const server = serverWith(...Array.from({ length: 5 }, (_, i) => `pod-${i}`))
    const { clock, informer, start } = fixture(server, { resyncPeriod: 1000 })
    informer.setTransform((obj) => {
      if (obj.spec?.value !== 'v') throw new Error('transformed already')
      return { ...obj, spec: { value: 'transformed' } }
    })
    const values = new Set<string | undefined>()
    let updates = 0
    informer.addEventHandler({ onUpdate: (_, obj) => values.add(obj.spec?.value).size && updates++ })
    start()
    await clock.advance(60_000)
    expect([[...values], updates]).toEqual([['transformed'], 5 * 60])
    expect(informer.indexer.list().map((obj) => obj.spec?.value)).toEqual(Array(5).fill('transformed'))
  })

  it('keys an object by what its transform made of it', async () => {
    const { clock, informer, start } = fixture(serverWith('pod1', 'pod2'))
    informer.setTransform((obj) => ({ ...obj, metadata: { ...obj.metadata, name: obj.metadata.name.toUpperCase() } }))
    const handler = recorder()
    informer.addEventHandler(handler)
    start()
    await clock.advance(0)
    expect(handler.told).toEqual(['add POD1@1 (initial)', 'add POD2@2 (initial)'])
    expect(informer.indexer.listKeys()).toEqual(['ns/POD1', 'ns/POD2'])
  })

  it('keeps what a transform refuses out of the cache, and goes on', async () => {
    const server = serverWith('a')
    const { clock, informer, start, logger } = fixture(server)
    informer.setTransform((obj) => {
      if (obj.metadata.name === 'bad') throw new Error('refused')
      return obj
    })
    start()
    await clock.advance(0)
    server.create('bad', 'v')
    server.create('good', 'v')
    await clock.advance(0)
    expect(informer.indexer.listKeys()).toEqual(['ns/a', 'ns/good'])
    expect(logger.of('error')).toEqual(['a watch event could not be stored'])
  })

  it('tells its error handler of failed lists', async () => {
    const server = serverWith('a')
    server.fault = (call) => new Error(`no ${call}`)
    const { clock, informer, start } = fixture(server)
    const errors: string[] = []
    informer.setWatchErrorHandler((err) => errors.push(String(err)))
    start()
    await clock.advance(0)
    expect(errors).toEqual(['Error: failed to list <unspecified>: no list'])
  })

  it('indexes, also by functions that are added while it runs', async () => {
    const server = new TestServer()
    server.create('pod1', 'v', { a: 'a-val', b: 'b-val1' })
    server.create('pod2', 'v', { b: 'b-val2' })
    const { clock, informer, start } = fixture(server)
    const byLabel = (obj: { metadata: TestObject['metadata'] }): string[] => Object.keys(obj.metadata.labels ?? {})
    informer.addIndexers({ labels: byLabel })
    start()
    await clock.advance(0)
    expect(informer.indexer.indexKeys('labels', 'a')).toEqual(['ns/pod1'])
    server.create('pod3', 'v', { a: 'a-val2' })
    await clock.advance(0)
    expect(informer.indexer.indexKeys('labels', 'a')).toEqual(['ns/pod1', 'ns/pod3'])
    informer.addIndexers({ 'labels-again': byLabel })
    expect(informer.indexer.indexKeys('labels-again', 'a')).toEqual(['ns/pod1', 'ns/pod3'])
    for (const name of ['labels', 'labels-again']) {
      expect(informer.indexer.listIndexFuncValues(name).sort()).toEqual(['a', 'b'])
    }
  })

  it('has an object in its cache even where an index cannot place it', async () => {
    const { clock, informer, start, logger } = fixture(serverWith('a'), {
      indexers: {
        broken: () => {
          throw new Error('oops')
        },
        wrong: () => undefined as unknown as string[],
      },
    })
    const handler = recorder()
    informer.addEventHandler(handler)
    start()
    await clock.advance(0)
    expect(informer.indexer.listKeys()).toEqual(['ns/a'])
    expect(logger.of('error')).toEqual(['an index function failed', 'an index function failed'])
    expect(handler.told).toEqual(['add a@1 (initial)'])
  })
})

describe('waitForCacheSync', () => {
  it('resolves when all are synced, without looking again and again', async () => {
    const { clock, informer, start } = fixture(serverWith('a'))
    const registration = informer.addEventHandler({})
    let done = false
    const waiting = waitForCacheSync({}, informer, registration).then(() => (done = true))
    await clock.advance(0)
    expect([done, clock.pendingTimers]).toEqual([false, 0])
    start()
    await clock.advance(0)
    await waiting
    await waitForCacheSync({ signal: AbortSignal.abort() }, informer)
    await waitForCacheSync({})
  })

  it('rejects with the reason of its signal', async () => {
    const { informer } = fixture(serverWith('a'))
    const controller = new AbortController()
    const waiting = waitForCacheSync({ signal: controller.signal }, informer)
    controller.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
  })

  it('rejects where an informer stops before it is synced', async () => {
    const server = serverWith('a')
    server.fault = () => new Error('down')
    const { clock, informer, start, stop } = fixture(server)
    start()
    await clock.advance(0)
    const waiting = waitForCacheSync({}, informer)
    await Promise.all([stop(), expect(waiting).rejects.toThrow('the informer stopped before it synced')])
  })
})
