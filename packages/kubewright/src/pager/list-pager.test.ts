import { getEventListeners } from 'node:events'
import { describe, expect, it } from 'vitest'
import { ApiError, type KubernetesList, type KubernetesObject, type ListOptions } from '../meta/index.js'
import { ListPager, type ListPagerOptions } from './list-pager.js'
import { pager } from './pager.js'

type List = KubernetesList<KubernetesObject>

const expired = (): ApiError =>
  new ApiError(
    { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 410, reason: 'Expired', message: 'too old' } as never,
    { method: 'GET', url: 'https://server/x' },
  )

/** A server with `total` objects at version 20; a token says at which object its page begins. */
class Server {
  readonly asked: ListOptions[] = []
  readonly total: number
  /** What pages fail with, by their number from 1. */
  readonly failures = new Map<number, () => unknown>()

  constructor(total: number) {
    this.total = total
  }

  async list(options: ListOptions): Promise<List> {
    const { signal: _, ...asked } = options
    this.asked.push(asked)
    const failure = this.failures.get(this.asked.length)
    if (failure) throw failure()
    const from = Number(options.continue ?? 0)
    const to = Math.min(this.total, from + (options.limit ?? this.total))
    const items = Array.from({ length: to - from }, (_, i) => ({ metadata: { name: `o${from + i}` } }))
    const more = to < this.total ? { continue: `${to}`, remainingItemCount: this.total - to } : {}
    return { apiVersion: 'v1', kind: 'List', metadata: { resourceVersion: '20', ...more }, items }
  }
}

const names = (total: number): string[] => Array.from({ length: total }, (_, i) => `o${i}`)
const namesOf = (items: readonly KubernetesObject[]): (string | undefined)[] => items.map((o) => o.metadata?.name)

function pagerOf(total: number, options: ListPagerOptions = {}): { server: Server; pages: ListPager<List> } {
  const server = new Server(total)
  return { server, pages: pager(server, { pageSize: 10, ...options }) }
}

/** Lets promises, and what they set off, come to rest. */
const settle = async (): Promise<void> => {
  for (let i = 0; i < 5; i++) await new Promise((resolve) => setImmediate(resolve))
}

describe('list', () => {
  it.each([
    [0, 1, false],
    [9, 1, false],
    [10, 1, false],
    [11, 2, true],
    [20, 2, true],
    [21, 3, true],
    [29, 3, true],
  ])('of %d objects takes %d pages', async (total, requests, paginated) => {
    const { server, pages } = pagerOf(total)
    const result = await pages.list()
    expect(namesOf(result.list.items)).toEqual(names(total))
    expect(result.list.metadata).toEqual({ resourceVersion: '20' })
    expect(result.paginated).toBe(paginated)
    expect(server.asked).toHaveLength(requests)
    expect(server.asked.every(({ limit }) => limit === 10)).toBe(true)
  })

  it('returns a single page as it came', async () => {
    const only = { metadata: { resourceVersion: '7' }, items: [], extra: 1 }
    expect((await new ListPager(async () => only).list()).list).toBe(only)
  })

  it.each([{ resourceVersion: '5' }, { resourceVersion: '5', resourceVersionMatch: 'NotOlderThan' }])(
    'sends %j with the first page only, and selectors with all',
    async (version) => {
      const { server, pages } = pagerOf(21)
      await pages.list({ ...version, labelSelector: 'a=b', fieldSelector: 'c=d' })
      const all = { labelSelector: 'a=b', fieldSelector: 'c=d', limit: 10 }
      expect(server.asked).toEqual([
        { ...all, ...version },
        { ...all, continue: '10' },
        { ...all, continue: '20' },
      ])
    },
  )

  it('takes the limit of the call as page size, and 500 where nothing is said', async () => {
    const { server, pages } = pagerOf(21)
    await pages.list({ limit: 15 })
    expect(server.asked.map(({ limit }) => limit)).toEqual([15, 15])
    const other = new Server(3)
    await pager(other).list()
    await pager(other, { pageSize: 0 }).list()
    expect(other.asked).toEqual([{ limit: 500 }, {}])
  })

  it('asks for the whole where the list expires on a later page', async () => {
    const { server, pages } = pagerOf(30)
    server.failures.set(2, expired)
    const { list, paginated } = await pages.list({ resourceVersion: '5', labelSelector: 'a=b' })
    expect(namesOf(list.items)).toEqual(names(30))
    expect(paginated).toBe(true)
    expect(server.asked[2]).toEqual({ resourceVersion: '5', labelSelector: 'a=b' })
    expect(server.asked).toHaveLength(3)
  })

  it('that begins with a token does so too, and is not paginated then', async () => {
    const { server, pages } = pagerOf(30)
    server.failures.set(1, expired)
    const { list, paginated } = await pages.list({ continue: '10' })
    expect([list.items.length, paginated]).toEqual([30, false])
  })

  it.each<[string, number, ListPagerOptions, () => unknown]>([
    ['that expires on the first page', 1, {}, expired],
    ['that expires when told not to ask for the whole', 2, { fullListIfExpired: false }, expired],
    ['that fails otherwise', 2, {}, () => new Error('boom')],
  ])('%s fails', async (_name, page, options, failure) => {
    const { server, pages } = pagerOf(30, options)
    const err = failure()
    server.failures.set(page, () => err)
    await expect(pages.list()).rejects.toBe(err)
    expect(server.asked).toHaveLength(page)
  })

  it('fails with what the whole fails with', async () => {
    const { server, pages } = pagerOf(30)
    server.failures.set(2, expired).set(3, () => new Error('boom'))
    await expect(pages.list()).rejects.toThrow('boom')
  })

  it.each([
    undefined,
    null,
    'x',
    [[]],
    { metadata: {}, items: {} },
    { kind: 'Status', status: 'Success' },
    { kind: 5 },
  ])('refuses %j, which is no list', async (answer) => {
    const pages = new ListPager(async () => answer as unknown as List)
    await expect(pages.list()).rejects.toThrow('returned object must be a list')
    await expect(pages.pages()[Symbol.asyncIterator]().next()).rejects.toThrow('returned object must be a list')
  })

  it('takes null for no items, and no metadata for the last page', async () => {
    const pages = new ListPager<{ items: KubernetesObject[] | null }>(async () => ({ items: null }))
    expect(await pages.list()).toEqual({ list: { items: null }, paginated: false })
    const items: unknown[] = []
    for await (const item of pages.items()) items.push(item)
    expect(items).toEqual([])
  })

  it('asks for nothing when aborted, and no further page after an abort', async () => {
    const { server, pages } = pagerOf(30)
    await expect(pages.list({ signal: AbortSignal.abort('why') })).rejects.toBe('why')
    expect(server.asked).toHaveLength(0)
    const controller = new AbortController()
    server.failures.set(2, () => controller.abort('why'))
    await expect(pages.list({ signal: controller.signal })).rejects.toBe('why')
    await settle()
    expect(server.asked).toHaveLength(2)
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
  })

  it('does not wait for a client that does not look at the signal', async () => {
    const controller = new AbortController()
    const listed = new ListPager<List>(() => new Promise(() => {})).list({ signal: controller.signal })
    controller.abort('why')
    await expect(listed).rejects.toBe('why')
  })

  it.each([{ pageSize: -1 }, { pageSize: 1.5 }, { pageBufferSize: -1 }, { pageBufferSize: Number.NaN }])(
    'a pager of %j is refused',
    (options) => {
      expect(() => pagerOf(1, options)).toThrow(RangeError)
    },
  )
})

describe('items', () => {
  it.each([0, 9, 10, 20, 29, 250])('brings %d objects, each once', async (total) => {
    const seen: unknown[] = []
    for await (const item of pagerOf(total).pages.items()) seen.push(item.metadata?.name)
    expect(seen).toEqual(names(total))
  })

  it('keeps the version on each page', async () => {
    const { server, pages } = pagerOf(11)
    for await (const _ of pages.items({ resourceVersion: '0', resourceVersionMatch: 'NotOlderThan' }));
    const version = { resourceVersion: '0', resourceVersionMatch: 'NotOlderThan', limit: 10 }
    expect(server.asked).toEqual([version, { ...version, continue: '10' }])
  })

  it('can be gone through again, from the server anew', async () => {
    const { server, pages } = pagerOf(11)
    const items = pages.items()
    for await (const _ of items);
    for await (const _ of items);
    expect(server.asked).toHaveLength(4)
  })

  it('throws what a page fails with, after the items before it; there is no asking for the whole', async () => {
    const { server, pages } = pagerOf(30)
    const err = expired()
    server.failures.set(3, () => err)
    const seen: unknown[] = []
    const read = async (): Promise<void> => {
      for await (const item of pages.items()) seen.push(item.metadata?.name)
    }
    await expect(read()).rejects.toBe(err)
    expect(seen).toEqual(names(20))
    expect(server.asked).toHaveLength(3)
  })

  it('asks for nothing before it is read, and nothing when aborted', async () => {
    const { server, pages } = pagerOf(30)
    pages.items()
    await settle()
    const aborted = pages.items({ signal: AbortSignal.abort('why') })[Symbol.asyncIterator]()
    await expect(aborted.next()).rejects.toBe('why')
    expect(server.asked).toEqual([])
  })

  it('ends between two items of a page when the signal aborts', async () => {
    const { pages } = pagerOf(30)
    const controller = new AbortController()
    const seen: unknown[] = []
    const read = async (): Promise<void> => {
      for await (const item of pages.items({ signal: controller.signal })) {
        if (seen.push(item) === 3) controller.abort('why')
      }
    }
    await expect(read()).rejects.toBe('why')
    expect(seen).toHaveLength(3)
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
  })

  it('ends at once when the signal aborts while a page is waited for', async () => {
    const controller = new AbortController()
    const signals: (AbortSignal | undefined)[] = []
    const pages = new ListPager<List>(({ signal }) => {
      signals.push(signal)
      return new Promise(() => {})
    })
    const next = pages.items({ signal: controller.signal })[Symbol.asyncIterator]().next()
    await settle()
    controller.abort('why')
    await expect(next).rejects.toBe('why')
    expect(signals.map((signal) => signal?.reason)).toEqual(['why'])
  })

  it('calls off what is read ahead when the reader leaves, and swallows what that fails with', async () => {
    const server = new Server(30)
    const signals: AbortSignal[] = []
    const pages = new ListPager<List>(
      async (options) => {
        if (options.signal) signals.push(options.signal)
        const page = await server.list(options)
        if (options.continue) await new Promise((_, reject) => setImmediate(() => reject(new Error('late failure'))))
        return page
      },
      { pageSize: 10 },
    )
    for await (const _ of pages.items()) break
    expect(signals.map((signal) => signal.aborted)).toEqual([true, true])
    await settle()
    expect(server.asked).toHaveLength(2)
  })

  it('ends a next that waits when the reader leaves', async () => {
    const pages = new ListPager<List>(() => new Promise(() => {}))
    const iterator = pages.items()[Symbol.asyncIterator]()
    const next = iterator.next()
    await settle()
    expect(await iterator.return?.()).toEqual({ done: true, value: undefined })
    expect(await next).toEqual({ done: true, value: undefined })
  })
})

describe('eachListItem', () => {
  it('waits for each call, one after the other', async () => {
    const { pages } = pagerOf(25)
    const log: string[] = []
    await pages.eachListItem({}, async (item) => {
      log.push(`${item.metadata?.name}`)
      await null
      log.push('done')
    })
    expect(log).toEqual(names(25).flatMap((name) => [name, 'done']))
  })

  it('ends with what a call throws, and reads no further', async () => {
    const { server, pages } = pagerOf(1000, { pageBufferSize: 1 })
    await expect(
      pages.eachListItem({}, (item) => {
        if (item.metadata?.name === 'o2') throw new Error('boom')
      }),
    ).rejects.toThrow('boom')
    await settle()
    expect(server.asked.length).toBeLessThanOrEqual(3)
  })
})

describe('pages', () => {
  it.each([
    ['no buffer, the only page', 0, 1, 1, 1],
    ['no buffer, first page', 0, 5, 1, 2],
    ['no buffer, second page', 0, 5, 2, 3],
    ['no buffer, last page', 0, 5, 5, 5],
    ['a buffer of one, first page', 1, 5, 1, 3],
    ['a buffer of one, last page', 1, 5, 5, 5],
    ['a buffer larger than the list', 10, 5, 1, 5],
    ['the usual buffer', undefined, 100, 1, 12],
  ])('are read ahead: %s', async (_name, pageBufferSize, total, processed, requests) => {
    const { server, pages } = pagerOf(total * 10, { pageBufferSize })
    let seen = 0
    for await (const _ of pages.pages()) {
      if (++seen < processed) continue
      await settle()
      break
    }
    expect(server.asked).toHaveLength(requests)
  })

  it('tell how many items follow', async () => {
    const remaining: unknown[] = []
    for await (const page of pagerOf(25).pages.pages()) remaining.push(page.metadata.remainingItemCount)
    expect(remaining).toEqual([15, 5, undefined])
  })

  it('that the reader has not come to come before the failure of a later one', async () => {
    const { server, pages } = pagerOf(30)
    server.failures.set(3, () => new Error('boom'))
    const iterator = pages.pages()[Symbol.asyncIterator]()
    await iterator.next()
    await settle()
    expect((await iterator.next()).done).toBe(false)
    await expect(iterator.next()).rejects.toThrow('boom')
    expect(await iterator.next()).toEqual({ done: true, value: undefined })
  })
})
