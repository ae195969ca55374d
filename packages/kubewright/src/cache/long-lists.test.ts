// Lists that are too long for one answer.

import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { FakeClock } from '../clock/fake-clock.js'
import { Clientset } from '../kubernetes/index.js'
import type { ListOptions } from '../meta/index.js'
import { Config, ConnectionError, noLogger } from '../rest/index.js'
import { newBytesInformer } from './bytes/bytes-informer.js'
import { FakeWatch, list, object, Script, status, TestLogger, type TestObject } from './server.test-support.js'
import { SharedIndexInformer, type SharedIndexInformerOptions } from './shared-informer.js'

const stops: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const stop of stops.splice(0)) await stop()
})

const tooLarge = (): Error =>
  new ConnectionError({ method: 'GET', url: 'http://server/', reason: 'size', message: 'larger than maxResponseBytes' })

/** What is asked for with a version comes in one answer; what is not, in pages of a limit. */
function answers(objects: readonly TestObject[]) {
  return (options: ListOptions) => {
    if (options.resourceVersion !== undefined && options.resourceVersion !== '') return tooLarge()
    const start = Number(options.continue ?? 0)
    const end = start + (options.limit ?? objects.length)
    return list('5', objects.slice(start, end), end < objects.length ? { continue: String(end) } : {})
  }
}

async function synced(script: Script, options: SharedIndexInformerOptions<TestObject> = {}) {
  const [clock, controller, logger] = [new FakeClock(), new AbortController(), new TestLogger()]
  const informer = new SharedIndexInformer<TestObject>(script, {
    ...{ clock, logger, random: () => 0, useWatchList: false },
    ...options,
  })
  const running = informer.run(controller)
  stops.push(async () => {
    controller.abort()
    await running
  })
  await clock.advance(0)
  return { clock, informer, logger }
}

const asked = (script: Script) =>
  script.lists.map(({ resourceVersion, limit, continue: token }) => [resourceVersion, limit, token])

describe('a list whose answer is larger than is allowed', () => {
  const objects = Array.from({ length: 1200 }, (_, i) => object(`o${i}`, '1'))

  it('is asked for again at once, in pages of the newest version; and in pages from then on', async () => {
    const expired = { type: 'ERROR', object: status(410, 'Expired') } as never
    const answer = answers(objects)
    const script = new Script({
      lists: Array.from({ length: 8 }, () => answer),
      watches: [new FakeWatch([expired]), new FakeWatch()],
    })
    const { clock, informer } = await synced(script)
    expect(informer.indexer.listKeys().length).toBe(1200)
    const pages = [undefined, '500', '1000'].map((token) => [undefined, 500, token])
    expect(asked(script)).toEqual([['0', 500, undefined], ...pages])
    await clock.advance(1000)
    expect(asked(script).slice(4)).toEqual(pages)
  })

  it('is so too where a version was asked for, which is never paged', async () => {
    const expired = { type: 'ERROR', object: status(410, 'Expired') } as never
    const answer = answers(objects)
    const script = new Script({
      lists: [list('5', []), ...Array.from({ length: 4 }, () => answer)],
      watches: [new FakeWatch([expired]), new FakeWatch()],
    })
    const { clock, informer } = await synced(script)
    await clock.advance(1000)
    expect(asked(script).slice(1, 3)).toEqual([
      ['5', undefined, undefined],
      [undefined, 500, undefined],
    ])
    expect(informer.indexer.listKeys().length).toBe(1200)
  })

  it('fails where a page is too large as well, and says which option makes it smaller', async () => {
    const script = new Script({ lists: [tooLarge, tooLarge] })
    const errors: string[] = []
    await synced(script, { watchErrorHandler: (err) => errors.push(String(err)) })
    expect(asked(script)).toEqual([
      ['0', 500, undefined],
      [undefined, 500, undefined],
    ])
    expect(errors).toEqual([expect.stringMatching(/maxResponseBytes.*its option pageSize/)])
  })
})

describe('a server that answers lists from its memory, whole, and a Config that allows less', () => {
  const [count, size] = [1000, 1000]
  const maxResponseBytes = 700_000

  async function server(): Promise<{ config: Config; urls: URL[] }> {
    const urls: URL[] = []
    const data = { value: 'x'.repeat(size) }
    const items = Array.from({ length: count }, (_, i) => ({ metadata: { name: `o${i}`, namespace: 'ns' }, data }))
    const fake: Server = createServer((request, response) => {
      const url = new URL(request.url ?? '', 'http://server')
      urls.push(url)
      response.setHeader('content-type', 'application/json')
      if (url.searchParams.has('watch')) {
        response.flushHeaders()
        return
      }
      const whole = url.searchParams.get('resourceVersion') === '0'
      const start = Number(url.searchParams.get('continue') ?? 0)
      const end = whole ? count : start + Number(url.searchParams.get('limit'))
      const metadata = { resourceVersion: '5', ...(end < count && { continue: String(end) }) }
      response.end(
        JSON.stringify({ kind: 'ConfigMapList', apiVersion: 'v1', metadata, items: items.slice(start, end) }),
      )
    })
    await new Promise<void>((resolve) => fake.listen(0, '127.0.0.1', resolve))
    stops.push(() => new Promise((resolve) => fake.close(resolve)))
    stops.push(async () => fake.closeAllConnections())
    const { port } = fake.address() as AddressInfo
    const config = new Config({ host: `http://127.0.0.1:${port}`, maxResponseBytes, qps: -1, logger: noLogger })
    return { config, urls }
  }

  it.each(['objects', 'bytes'])('fill a cache of %s all the same', async (store) => {
    const { config, urls } = await server()
    const client = new Clientset(config).coreV1().configMaps('')
    const controller = new AbortController()
    const options = { useWatchList: false, logger: noLogger }
    const kind = { apiVersion: 'v1', kind: 'ConfigMap', namespaced: true }
    const informer =
      store === 'bytes' ? newBytesInformer(kind, client, options) : new SharedIndexInformer(client, options)
    const running = informer.run(controller)
    await informer.synced
    expect(informer.indexer.listKeys().length).toBe(count)
    expect(urls.filter(({ searchParams }) => !searchParams.has('watch')).length).toBe(3)
    controller.abort()
    await running
  })
})
