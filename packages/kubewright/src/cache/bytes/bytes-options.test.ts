import { afterEach, describe, expect, it } from 'vitest'
import { FakeClock } from '../../clock/fake-clock.js'
import { noLogger } from '../../rest/index.js'
import { FakeWatch, list, object, Script, type TestObject } from '../server.test-support.js'
import { SharedIndexInformer } from '../shared-informer.js'
import { type BytesInformerOptions, newBytesInformer } from './bytes-informer.js'
import { kind, type Pod, pod, podClient, server } from './bytes-server.test-support.js'

const stops: (() => Promise<void>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

function run(informer: { run(options: { signal: AbortSignal }): Promise<void> }, clock: FakeClock): void {
  const controller = new AbortController()
  const running = informer.run({ signal: controller.signal })
  stops.push(async () => {
    controller.abort()
    await running
    expect(clock.pendingTimers).toBe(0)
  })
}

const settings = (clock: FakeClock) => ({ clock, logger: noLogger, random: () => 0 })

/** An informer of objects, or of bytes, that are made of objects: with the same options. */
const informers = [
  ['objects', (source: Script, options: object) => new SharedIndexInformer<TestObject>(source, options)],
  ['bytes', (source: Script, options: object) => newBytesInformer<TestObject>(kind, source, options)],
] as const

const refused = (): Error => new Error('no streaming')
const source = (): Script =>
  new Script({ lists: [list('5', [object('a', '1')])], watches: [refused(), new FakeWatch()] })

describe.each(informers)('an informer of %s', (_, make) => {
  it('asks for what its selectors select, in each list and watch', async () => {
    const [clock, script] = [new FakeClock(), source()]
    run(make(script, { ...settings(clock), labelSelector: 'app=web', fieldSelector: 'spec.nodeName=n' }), clock)
    await clock.advance(0)
    expect(script.calls.map(({ call, labelSelector, fieldSelector }) => [call, labelSelector, fieldSelector])).toEqual([
      ['watch', 'app=web', 'spec.nodeName=n'],
      ['list', 'app=web', 'spec.nodeName=n'],
      ['watch', 'app=web', 'spec.nodeName=n'],
    ])
  })

  it('lets its options be tweaked last', async () => {
    const [clock, script] = [new FakeClock(), source()]
    const tweakListOptions = ({ labelSelector }: { labelSelector?: string }) => ({
      labelSelector: `${labelSelector},tier=db`,
    })
    run(make(script, { ...settings(clock), labelSelector: 'app=web', tweakListOptions }), clock)
    await clock.advance(0)
    expect(new Set(script.calls.map(({ labelSelector }) => labelSelector))).toEqual(new Set(['app=web,tier=db']))
    expect(script.calls[0]?.sendInitialEvents).toBe(true)
  })

  it('asks for pages of the size that is wished for', async () => {
    const [clock, script] = [new FakeClock(), source()]
    run(make(script, { ...settings(clock), pageSize: 7 }), clock)
    await clock.advance(0)
    expect(script.lists.map(({ limit }) => limit)).toEqual([7])
  })

  it('tells its watch error handler what goes wrong', async () => {
    const [clock, told] = [new FakeClock(), [] as string[]]
    const script = new Script({ lists: [new Error('down'), list('5', [])], watches: [refused(), refused()] })
    run(make(script, { ...settings(clock), watchErrorHandler: (err: Error) => told.push(err.message) }), clock)
    await clock.advance(0)
    expect(told).toEqual([expect.stringContaining('down')])
  })

  it('delivers everything again when the resync period is over', async () => {
    const [clock, told] = [new FakeClock(), [] as boolean[]]
    const informer = make(source(), { ...settings(clock), resyncPeriod: 5000 })
    informer.addEventHandler({ onUpdate: (old: unknown, obj: unknown) => told.push(old === obj) })
    run(informer, clock)
    await clock.advance(5000)
    expect(told).toEqual([true])
  })

  it('applies a transform to what it lists and to what it watches', async () => {
    const clock = new FakeClock()
    const watch = new FakeWatch([{ type: 'ADDED', object: object('b', '6', { apiVersion: 'v1', kind: 'Pod' }) }])
    const script = new Script({ lists: [list('5', [object('a', '1')])], watches: [refused(), watch] })
    const transform = (obj: TestObject): TestObject => ({ ...obj, spec: { value: `${obj.metadata.name}!` } })
    const informer = make(script, { ...settings(clock), transform })
    run(informer, clock)
    await clock.advance(0)
    const values = informer.indexer.list().map((obj) => ('decode' in obj ? obj.decode() : obj).spec?.value)
    expect(values).toEqual(['a!', 'b!'])
  })
})

describe('an informer of bytes of a server', () => {
  const podList = {
    kind: 'PodList',
    apiVersion: 'v1',
    metadata: { resourceVersion: '5' },
    items: [pod('a', '1', { nodeName: 'n1' })],
  }

  function started(options: BytesInformerOptions<Pod>, about: Parameters<typeof newBytesInformer>[0] = kind) {
    const [clock, fake] = [new FakeClock(), server(podList)]
    const informer = newBytesInformer<Pod>(about, podClient(fake.transport, {}, 'ns'), {
      ...settings(clock),
      useWatchList: false,
      ...options,
    })
    run(informer, clock)
    return { ...fake, informer }
  }

  it('asks in the namespace of its client for what its selectors select', async () => {
    const { informer, urls } = started({ labelSelector: 'app=a', fieldSelector: 'spec.nodeName=n1' })
    await informer.synced
    while (urls.length < 2) await new Promise((resolve) => setImmediate(resolve))
    expect(urls.map((url) => url.pathname)).toEqual(['/api/v1/namespaces/ns/pods', '/api/v1/namespaces/ns/pods'])
    expect(urls.map((url) => url.searchParams.get('labelSelector'))).toEqual(['app=a', 'app=a'])
    expect(urls.map((url) => url.searchParams.get('fieldSelector'))).toEqual(['spec.nodeName=n1', 'spec.nodeName=n1'])
  })

  it('learns of which kind its objects are from a list, where nobody told it', async () => {
    const { informer, send } = started({}, { apiVersion: 'v1' })
    await informer.synced
    expect(informer.indexer.getByKey('ns/a')?.kind).toBe('Pod')
    expect(informer.indexer.getByKey('ns/a')?.decode()).toEqual({
      apiVersion: 'v1',
      kind: 'Pod',
      ...pod('a', '1', { nodeName: 'n1' }),
    })
    send({ type: 'ADDED', object: { kind: 'Pod', apiVersion: 'v1', ...pod('b', '6') } })
    while (informer.indexer.listKeys().length < 2) await new Promise((resolve) => setImmediate(resolve))
    expect(informer.indexer.getByKey('ns/b')?.decode().kind).toBe('Pod')
  })

  it('keeps what a transform makes of an object as bytes', async () => {
    const { informer } = started({
      transform: (decoded) => ({ ...decoded, spec: { nodeName: `${decoded.kind} ${decoded.spec?.nodeName}` } }),
    })
    await informer.synced
    const ref = informer.indexer.getByKey('ns/a')
    expect([ref?.key, ref?.field('spec.nodeName')]).toEqual(['ns/a', 'Pod n1'])
  })

  it('has no setTransform, which could only be given references', () => {
    const informer = newBytesInformer<Pod>(kind, podClient(server(podList).transport))
    expect(() => informer.setTransform((ref) => ref)).toThrow('drop and pick')
  })
})
