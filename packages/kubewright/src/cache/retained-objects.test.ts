// What an informer holds on to: the objects that are in its cache, whatever has passed through it.

import { describe, expect, it } from 'vitest'
import { FakeClock } from '../clock/fake-clock.js'
import { noLogger } from '../rest/index.js'
import { newBytesInformer } from './bytes/bytes-informer.js'
import { collectGarbage } from './collect-garbage.test-support.js'
import {
  apiError,
  FakeWatch,
  initialEventsEnd,
  list,
  object,
  Script,
  status,
  type TestObject,
} from './server.test-support.js'
import { SharedIndexInformer } from './shared-informer.js'

const [rounds, names, live] = [30, 500, 10]

/** All objects that a server ever sent. */
class Sent {
  readonly refs: WeakRef<object>[] = []
  readonly #padding: string
  #version = 0

  /** @param size of each object, in bytes and at least. */
  constructor({ size = 0 }: { size?: number } = {}) {
    this.#padding = ' '.repeat(size)
  }

  object(name: string): TestObject {
    const made = object(name, String(++this.#version), {
      apiVersion: 'v1',
      kind: 'Pod',
      spec: { value: name + this.#padding },
    })
    this.refs.push(new WeakRef(made))
    return made
  }

  get version(): string {
    return String(this.#version)
  }

  get alive(): number {
    return this.refs.filter((ref) => ref.deref() !== undefined).length
  }
}

/** Watches that bring every object, change it, and delete all but a few; each ends in its own way. */
function watchesOf(sent: Sent): (() => FakeWatch)[] {
  return Array.from({ length: rounds }, (_, round) => () => {
    const watch = new FakeWatch()
    for (let i = 0; i < names; i++) {
      watch.push({ type: 'ADDED', object: sent.object(`o${i}`) }, { type: 'MODIFIED', object: sent.object(`o${i}`) })
      if (i >= live) watch.push({ type: 'DELETED', object: sent.object(`o${i}`) })
    }
    if (round % 3 === 1) watch.fail(Object.assign(new Error('reset'), { code: 'ECONNRESET' }))
    if (round % 3 === 2) watch.push({ type: 'ERROR', object: status(410, 'Expired') })
    watch.end()
    return watch
  })
}

/** Lists of objects that no watch has told of: they are gone again at the next. */
const listOf = (sent: Sent) => () =>
  list(
    sent.version,
    [...Array(names).keys()].map((i) => sent.object(`gap${i}`)),
  )

async function runThrough(
  informer: { run(options: { signal: AbortSignal }): Promise<void> },
  { clock, script }: { clock: FakeClock; script: Script },
): Promise<() => Promise<void>> {
  const controller = new AbortController()
  const running = informer.run(controller)
  while (script.watches.length < rounds + 1) await clock.advance(60_000)
  return async () => {
    controller.abort()
    await running
    expect(clock.pendingTimers).toBe(0)
  }
}

function fixture(sent: Sent) {
  const lists = Array.from({ length: rounds }, () => listOf(sent))
  const script = new Script({ lists, watches: [...watchesOf(sent), new FakeWatch()] })
  return { clock: new FakeClock(), script }
}

const options = { logger: noLogger, random: () => 0, useWatchList: false }

describe('after watches that broke, lists, and objects that came and went, an informer holds', () => {
  it('the objects of its cache and no others, as do its handlers’ buffers and indices', async () => {
    const sent = new Sent()
    const { clock, script } = fixture(sent)
    const informer = new SharedIndexInformer<TestObject>(script, {
      ...options,
      clock,
      indexers: { value: ({ spec }) => [spec?.value ?? ''] },
    })
    let told = 0
    informer.addEventHandler({ onAdd: () => told++, onUpdate: () => told++, onDelete: () => told++ })
    const stop = await runThrough(informer, { clock, script })
    await collectGarbage()
    const { size } = new Set(informer.indexer.listKeys())
    expect(told).toBeGreaterThan(rounds * names)
    expect(sent.refs.length).toBeGreaterThan(rounds * names * 2)
    expect([sent.alive, informer.indexer.listIndexFuncValues('value').length]).toEqual([size, size])
    await stop()
  })

  it('where it keeps bytes, none of them, and references to little more than is in its cache', async () => {
    const size = 2000
    const sent = new Sent({ size })
    const { clock, script } = fixture(sent)
    const kind = { apiVersion: 'v1', kind: 'Pod', namespaced: true }
    const informer = newBytesInformer<TestObject>(kind, script, { ...options, clock })
    const refs: WeakRef<object>[] = []
    informer.addEventHandler({
      onAdd: (ref) => refs.push(new WeakRef(ref)),
      onUpdate: (_, ref) => refs.push(new WeakRef(ref)),
    })
    const stop = await runThrough(informer, { clock, script })
    await collectGarbage()
    expect(refs.length).toBeGreaterThan(rounds * names)
    const alive = refs.filter((ref) => ref.deref() !== undefined).length
    // Memory is given up a piece of a mebibyte at a time, when three quarters of all are in use.
    expect(alive * size).toBeLessThan((informer.indexer.listKeys().length * size) / 0.75 + 2 * 2 ** 20)
    expect(sent.alive).toBe(0)
    await stop()
  })
})

it('a relist holds the old content no longer than handlers need it', async () => {
  const sent = new Sent()
  const clock = new FakeClock()
  const script = new Script({
    lists: [listOf(sent), apiError(500, 'InternalError'), listOf(sent)],
    watches: [
      () => new FakeWatch([{ type: 'ERROR', object: status(410, 'Expired') }]),
      () => new FakeWatch([{ type: 'BOOKMARK', object: { metadata: { annotations: initialEventsEnd } } }]),
    ],
  })
  const informer = new SharedIndexInformer<TestObject>(script, { ...options, clock })
  informer.addEventHandler({ onDelete: () => {} })
  const controller = new AbortController()
  const running = informer.run(controller)
  while (script.lists.length < 3) await clock.advance(60_000)
  await clock.advance(0)
  await collectGarbage()
  expect([sent.refs.length, sent.alive]).toEqual([2 * names, names])
  controller.abort()
  await running
})
