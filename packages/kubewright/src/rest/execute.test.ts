// Calls whose answer is read as a whole, on a transport that answers from a script and a clock that stands still.

import { describe, expect, it } from 'vitest'
import { FakeClock } from '../clock/fake-clock.js'
import { lost, rejection, script, thenFail } from './fake-transport.test-support.js'
import { ConnectionError, type Warning } from './index.js'

describe('do', () => {
  it('gives status, content type, warnings, bytes and object, and releases the connection', async () => {
    const warnings: Warning[] = []
    const { client, open } = script([{ status: 201, headers: { warning: '299 - "old"' }, body: '{"a":"ü"}' }], {
      warningHandler: (warning) => void warnings.push(warning),
    })
    const result = await client.post().body({}).do<{ a: string }>({ keepRaw: true })
    expect(result).toMatchObject({ statusCode: 201, wasCreated: true, contentType: 'application/json' })
    expect(result.object).toEqual({ a: 'ü' })
    expect(result.object).toBe(result.object)
    expect(Buffer.from(result.raw ?? []).toString()).toBe('{"a":"ü"}')
    expect(result.warnings).toEqual([{ code: 299, agent: '-', text: 'old' }])
    expect(warnings).toEqual(result.warnings)
    expect(open()).toBe(0)
  })

  it("gives a request's own warning handler precedence", async () => {
    const texts: string[] = []
    const { client } = script([{ headers: { warning: '299 - "old"' } }], { warningHandler: () => texts.push('config') })
    await client
      .get()
      .warningHandler(({ text }) => texts.push(text))
      .do()
    expect(texts).toEqual(['old'])
  })

  it.each([
    [{ body: '' }, '0-length response with status code: 200 and content type: application/json', undefined],
    [{ body: 'x', headers: { 'content-type': 'text/html' } }, 'content type text/html', 'x'],
  ])('has no object, for %j', async (answer, message, raw) => {
    const result = await script([answer]).client.get().absPath('/x').do()
    expect(result.raw && Buffer.from(result.raw).toString()).toBe(raw)
    expect(() => result.object).toThrow(message)
    expect(() => result.object).toThrow('GET http://h/x: ')
  })

  it.each([
    ['{', 'the answer is not valid JSON'],
    ['{"kind":"Status","apiVersion":"v1","status":"Failure","message":"no"}', 'no'],
    ['{"kind":"Status","apiVersion":"v1","status":"Failure","message":"no"} ', 'no'],
  ])('fails when the answer is %s, and gives it raw', async (body, message) => {
    const { client, open } = script([{ body }])
    const err = await rejection(client.get().absPath('/x').do())
    expect(err.message).toMatch(`GET http://h/x: ${message}`)
    expect(Buffer.from(await client.get().absPath('/x').doRaw()).toString()).toBe(body)
    expect(open()).toBe(0)
  })

  it('decodes a long list while it arrives, and lets others have their turn', async () => {
    const items = Array.from({ length: 3000 }, (_, i) => ({ metadata: { name: `n${i}` }, text: 'ü'.repeat(500) }))
    const list = { kind: 'List', metadata: { resourceVersion: '7' }, items }
    const all = new TextEncoder().encode(JSON.stringify(list))
    async function* parts() {
      for (let at = 0; at < all.length; at += 50_001) yield all.subarray(at, at + 50_001)
    }
    let now = 0
    const clock = Object.assign(new FakeClock(), { monotonic: () => now++ })
    let turns = 0
    const other = setInterval(() => turns++, 0)
    const { client } = script([{ body: parts() }], { clock })
    const result = await client.get().do({ keepRaw: true })
    clearInterval(other)
    expect(result.object).toEqual(list)
    expect(Buffer.compare(result.raw ?? Buffer.of(), all)).toBe(0)
    expect(turns).toBeGreaterThan(0)
  })

  it('keeps the bytes of what was decoded only when asked to', async () => {
    const { client } = script([{ body: '{"a":1}' }])
    expect((await client.get().do()).raw).toBeUndefined()
    expect(Buffer.from((await client.get().do({ keepRaw: true })).raw ?? []).toString()).toBe('{"a":1}')
  })

  it('limits the size of answers that are read as a whole', async () => {
    const { client, sent } = script([{ body: '{}' }], { maxResponseBytes: 7 })
    await client.get().do()
    await client.get().doRaw()
    ;(await client.get().stream()).close()
    ;(await client.get().watch()).stop()
    expect(sent.map(({ maxResponseBytes }) => maxResponseBytes)).toEqual([7, 7, undefined, undefined])
  })

  it('stops decoding when it is cancelled', async () => {
    const controller = new AbortController()
    const clock = Object.assign(new FakeClock(), { monotonic: () => now++ })
    let now = 0
    async function* endless() {
      yield new TextEncoder().encode('{"items":[')
      const part = new TextEncoder().encode(`${JSON.stringify('x'.repeat(70_000))},`)
      for (let i = 0; ; i++) {
        if (i === 50) setImmediate(() => controller.abort(new Error('enough')))
        yield part
      }
    }
    const { client, open } = script([{ body: endless() }], { clock })
    await expect(client.get().do({ signal: controller.signal })).rejects.toThrow('enough')
    expect(open()).toBe(0)
  })

  it('gives a successful Status as the object', async () => {
    const body = '{"kind":"Status","apiVersion":"v1","status":"Success"}'
    expect((await script([{ body }]).client.delete().do<{ status: string }>()).object.status).toBe('Success')
  })

  it('reports a body that broke off', async () => {
    const { client, open, sent } = script([{ body: thenFail('{', lost('broke')) }])
    expect(await rejection(client.get().do())).toMatchObject({ reason: 'lost' })
    const foreign = script([{ body: thenFail('{', new Error('odd')) }])
    const err = await rejection(foreign.client.get().do())
    expect(err).toBeInstanceOf(ConnectionError)
    expect(err.message).toContain('unexpected error when reading response body. Please retry. Original error: odd')
    expect([open(), foreign.open(), sent.length]).toEqual([0, 0, 1])
  })
})
