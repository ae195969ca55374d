// What becomes of objects that a transform throws at, and who learns of it.

import { afterEach, describe, expect, it } from 'vitest'
import { FakeClock } from '../clock/fake-clock.js'
import { type BytesInformerOptions, newBytesInformer } from './bytes/bytes-informer.js'
import { DeletedFinalStateUnknown } from './keys.js'
import type { TestObject } from './server.test-support.js'
import { bookmark, FakeWatch, initialEventsEnd, list, object, Script, TestLogger } from './server.test-support.js'
import { SharedIndexInformer, type SharedIndexInformerOptions } from './shared-informer.js'
import { WatchEventError } from './watch-errors.js'

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

const typed = { apiVersion: 'v1', kind: 'Pod' }
const good = (version: string): TestObject => object('a', version, { ...typed, spec: { value: version } })
const [a1, a2, a3] = [good('1'), good('6'), good('7')] as const
const bad = (version: string): TestObject => object('a', version, { ...typed, spec: { value: 'bad' } })

function transform(obj: TestObject): TestObject {
  if (obj.spec?.value === 'bad') throw new Error('no such value')
  return obj
}

type Options = Pick<SharedIndexInformerOptions<never> & BytesInformerOptions<TestObject>, 'useWatchList'> & object

const kinds = [
  [
    'objects',
    (script: Script, options: Options) => new SharedIndexInformer<TestObject>(script, { ...options, transform }),
  ],
  [
    'bytes',
    (script: Script, options: Options) =>
      newBytesInformer<TestObject>({ ...typed, namespaced: true }, script, { ...options, transform }),
  ],
] as const

describe.each(kinds)('where %s are kept, a transform that throws', (_, make) => {
  function started(script: Script, options: object = {}) {
    const [clock, logger, errors, told] = [new FakeClock(), new TestLogger(), [] as unknown[], [] as string[]]
    const watchErrorHandler = (err: unknown): number => errors.push(err)
    const settings = { clock, logger, random: () => 0, useWatchList: false, watchErrorHandler, ...options }
    const informer = make(script, settings)
    informer.addEventHandler({
      onAdd: (obj: { metadata: { resourceVersion?: string } }) => told.push(`add ${obj.metadata.resourceVersion}`),
      onUpdate: (_old: unknown, obj: { metadata: { resourceVersion?: string } }) =>
        told.push(`update ${obj.metadata.resourceVersion}`),
      onDelete: (obj: object) => {
        const last = obj instanceof DeletedFinalStateUnknown ? obj.obj : obj
        const state = obj instanceof DeletedFinalStateUnknown ? 'missed' : 'seen'
        told.push(`delete ${(last as TestObject | undefined)?.metadata.resourceVersion} ${state}`)
      },
    })
    const controller = new AbortController()
    const running = informer.run(controller)
    stops.push(async () => {
      controller.abort()
      await running
      expect(clock.pendingTimers).toBe(0)
    })
    const version = (): string | undefined => informer.indexer.getByKey('ns/a')?.metadata.resourceVersion
    return { clock, logger, errors, told, informer, version }
  }

  it('at a change loses that one, tells of it, and goes on from the next', async () => {
    const watch = new FakeWatch([{ type: 'MODIFIED', object: bad('6') }])
    const { clock, errors, told, version, informer } = started(
      new Script({ lists: [list('5', [a1])], watches: [watch] }),
    )
    await clock.advance(0)
    expect(errors).toEqual([new WatchEventError('MODIFIED', 'ns/a', new Error('no such value'))])
    expect(String(errors[0])).toContain('the event MODIFIED of ns/a could not be stored: no such value')
    expect([version(), told, informer.lastSyncResourceVersion()]).toEqual(['1', ['add 1'], '6'])
    watch.push({ type: 'MODIFIED', object: a3 })
    await clock.advance(0)
    expect([version(), told.at(-1)]).toEqual(['7', 'update 7'])
  })

  it('at a deletion loses the last state, and not the deletion', async () => {
    const watch = new FakeWatch([{ type: 'DELETED', object: bad('6') }])
    const { clock, errors, told, version } = started(new Script({ lists: [list('5', [a1])], watches: [watch] }))
    await clock.advance(0)
    expect(errors).toEqual([expect.any(WatchEventError)])
    expect([version(), told]).toEqual([undefined, ['add 1', 'delete 1 missed']])
  })

  it('at a list keeps what the cache had, tells of it, and lists again', async () => {
    const gone = { type: 'ERROR', object: { kind: 'Status', code: 410, reason: 'Expired', metadata: {} } } as never
    const { clock, errors, told, version } = started(
      new Script({
        lists: [list('5', [a1]), list('8', [bad('8')]), list('9', [a3])],
        watches: [new FakeWatch([{ type: 'MODIFIED', object: a2 }, gone]), new FakeWatch()],
      }),
    )
    await clock.advance(0)
    expect(version()).toBe('6')
    await clock.advance(1000)
    expect(errors.map(String)).toEqual([expect.stringContaining('unable to sync list result: no such value')])
    expect(version()).toBe('6')
    await clock.advance(2000)
    expect([version(), told]).toEqual(['7', ['add 1', 'update 6', 'update 7']])
  })

  it('at an initial object of a stream leaves that one out, and tells of it', async () => {
    const watch = new FakeWatch([
      { type: 'ADDED', object: bad('1') },
      { type: 'ADDED', object: object('b', '2', typed) },
      bookmark('5', initialEventsEnd),
    ])
    const { clock, errors, informer } = started(new Script({ watches: [watch] }), { useWatchList: true })
    await clock.advance(0)
    expect(errors).toEqual([expect.any(WatchEventError)])
    expect([informer.hasSynced(), informer.indexer.listKeys()]).toEqual([true, ['ns/b']])
  })

  it('is logged, where nobody else is told', async () => {
    const watch = new FakeWatch([{ type: 'ADDED', object: bad('6') }])
    const { clock, logger } = started(new Script({ lists: [list('5', [])], watches: [watch] }), {
      watchErrorHandler: undefined,
    })
    await clock.advance(0)
    expect(logger.of('error')).toEqual(['a watch event could not be stored'])
    expect(logger.lines.at(-1)?.fields).toMatchObject({ event: 'ADDED', key: 'ns/a', err: new Error('no such value') })
  })
})
