// Calls whose answer is read as it comes.

import { describe, expect, it } from 'vitest'
import type { ApiError, WatchEvent } from '../meta/index.js'
import { chunks, collect, lost, script, thenFail } from './fake-transport.test-support.js'

describe('stream', () => {
  it('gives the bytes as they come', async () => {
    const { client, open } = script([{ body: chunks('a', 'b'), headers: { 'content-type': 'text/plain' } }])
    const stream = await client.get().stream()
    expect(stream.contentType).toBe('text/plain')
    expect(open()).toBe(1)
    expect(Buffer.concat(await collect(stream)).toString()).toBe('ab')
    expect(open()).toBe(0)
  })

  it('releases its connection on break and on close', async () => {
    const { client, open, clock } = script([{ body: 'a' }], { timeout: 1000 })
    for await (const _chunk of await client.get().stream()) break
    ;(await client.get().stream()).close()
    expect([open(), clock.pendingTimers]).toEqual([0, 0])
  })
})

it.each(['watch', 'stream'] as const)('limits what is read of the failure of a %s', async (how) => {
  async function* endless() {
    for (;;) yield Buffer.from('x'.repeat(1000))
  }
  const { client, open } = script([{ status: 403, body: endless() }], { maxResponseBytes: 100_000 })
  await expect(client.get()[how]()).rejects.toMatchObject({ code: 403 })
  expect(open()).toBe(0)
})

describe('watch', () => {
  const event = (type: string, name: string): string => `${JSON.stringify({ type, object: { metadata: { name } } })}\n`

  it('gives the events, an ERROR one too, and ends with the stream', async () => {
    const error = '{"type":"ERROR","object":{"kind":"Status","code":410}}\n'
    const { client, open } = script([
      { body: chunks(event('ADDED', 'a').slice(0, 9), event('ADDED', 'a').slice(9), error, event('BOOKMARK', '')) },
    ])
    const events = await collect(await client.get().watch())
    expect(events.map(({ type }) => type)).toEqual(['ADDED', 'ERROR', 'BOOKMARK'])
    expect(open()).toBe(0)
  })

  it.each<[string, string | AsyncIterable<Uint8Array>]>([
    ['the connection is lost', thenFail(event('ADDED', 'a'), lost())],
    ['it is cut inside an event', `${event('ADDED', 'a')}{"type":`],
  ])('ends quietly when %s', async (_name, body) => {
    const events = await collect(await script([{ body }]).client.get().watch())
    expect(events.map(({ type }) => type)).toEqual(['ADDED'])
  })

  it.each<[string, string, string]>([
    ['no JSON', 'nonsense\n', 'nonsense'],
    ['an unknown type', '{"type":"RENAMED","object":{}}\n', 'got invalid watch event type: RENAMED'],
    ['no object', '{"type":"ADDED"}\n', 'has no object'],
    ['null', 'null\n', 'got invalid watch event type: undefined'],
    ['a number', '5\n', 'got invalid watch event type: undefined'],
    ['a list', '[]\n', 'got invalid watch event type: undefined'],
    ['a foreign failure', '', 'odd'],
  ])('ends with one ERROR event at %s', async (_name, bad, detail) => {
    const body =
      bad === '' ? thenFail(event('ADDED', 'a'), new Error('odd')) : event('ADDED', 'a') + bad + event('ADDED', 'b')
    const { client, open } = script([{ body }])
    const events = await collect<WatchEvent>(await client.get().watch())
    expect(events.map(({ type }) => type)).toEqual(['ADDED', 'ERROR'])
    const status = events[1]?.object as ApiError['status']
    expect(status).toMatchObject({ kind: 'Status', status: 'Failure', code: 500, reason: 'InternalError' })
    expect(status.message).toContain('unable to decode an event from the watch stream: ')
    expect(status.message).toContain(detail)
    expect(status.details?.causes?.map(({ reason }) => reason)).toEqual([
      'UnexpectedServerResponse',
      'ClientWatchDecoding',
    ])
    expect(open()).toBe(0)
  })

  it('ends with one ERROR event at an event without an end', async () => {
    const endless = async function* (): AsyncGenerator<Uint8Array> {
      yield Buffer.from(`${event('ADDED', 'a')}{"type":"`)
      for (;;) yield Buffer.from('x'.repeat(1000))
    }
    const { client, open } = script([{ body: endless() }], { maxResponseBytes: 100_000 })
    const events = await collect<WatchEvent>(await client.get().watch())
    expect(events.map(({ type }) => type)).toEqual(['ADDED', 'ERROR'])
    expect((events[1]?.object as ApiError['status']).message).toContain(
      'larger than the 100000 bytes that maxResponseBytes of the Config allows',
    )
    expect(open()).toBe(0)
  })

  it.each(['break', 'stop', 'return'] as const)('releases its connection on %s', async (how) => {
    const { client, open } = script([{ body: event('ADDED', 'a').repeat(3) }])
    const watch = await client.get().watch()
    const seen: WatchEvent[] = []
    if (how === 'return') {
      const iterator = watch[Symbol.asyncIterator]()
      await iterator.next()
      await iterator.return?.()
      expect((await iterator.next()).done).toBe(true)
    } else {
      for await (const item of watch) {
        seen.push(item as WatchEvent)
        if (how === 'break') break
        watch.stop()
      }
      expect(seen).toHaveLength(1)
    }
    watch.stop()
    expect(open()).toBe(0)
  })

  it('ends with the reason of the signal, also between events', async () => {
    const { client, open } = script([{ body: event('ADDED', 'a').repeat(3) }])
    const controller = new AbortController()
    const watch = await client.get().watch({ signal: controller.signal })
    await expect(async () => {
      for await (const _event of watch) controller.abort(new Error('enough'))
    }).rejects.toThrow('enough')
    expect(open()).toBe(0)
  })

  it('can be iterated once', async () => {
    const watch = await script([{ body: '' }])
      .client.get()
      .watch()
    await collect(watch)
    await expect(collect(watch)).rejects.toThrow('once')
  })

  it('refuses what is no JSON', async () => {
    const { client, open } = script([{ headers: { 'content-type': 'text/html' } }])
    await expect(client.get().watch()).rejects.toThrow('content type text/html')
    expect(open()).toBe(0)
  })
})
