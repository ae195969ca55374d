// Lists in pages: whole, page by page, or item by item.

import { abortable, whenAborted } from '../clock/index.js'
import { isResourceExpired, type ListOptions } from '../meta/index.js'
import { itemsOf, type ListLike } from './items.js'
import { PagePrefetch } from './page-prefetch.js'

/** Items of a page where nothing else is asked for. */
export const defaultPageSize = 500

/** How many pages are read ahead where nothing else is asked for. */
const defaultPageBufferSize = 10

/** Gets one page. Fakes may answer with a list that has no metadata. */
export type ListPageFunc<L extends ListLike> = (options: ListOptions) => Promise<L>

/** What a list holds. */
export type ItemOf<L extends ListLike> = NonNullable<L['items']>[number]

/** Options of {@link ListPager}. */
export interface ListPagerOptions {
  /** Items of a page where a call's `limit` does not say otherwise; 0: no limit. @defaultValue 500 */
  pageSize?: number | undefined
  /** `list` asks for the whole, unpaged, where the list expires after its first page. @defaultValue true */
  fullListIfExpired?: boolean | undefined
  /** How many pages `pages`, `items` and `eachListItem` read ahead of their reader. @defaultValue 10 */
  pageBufferSize?: number | undefined
}

/** What {@link ListPager.list} gives. */
export interface PagedList<L> {
  /** The list with the items of all pages, and the first page's resourceVersion. A single page is returned as it came. */
  readonly list: L
  /** There was more than one page. */
  readonly paginated: boolean
}

/**
 * Reads lists in pages, so that neither the server nor this program has to hold the whole of a large one as one answer.
 *
 * **Guarantees**
 * - All pages are of the state that the first one was read at, whatever is written in the meantime.
 * - Each item comes once. `signal`, `break` and an error of the reader end the requests of what was being read ahead.
 *
 * **Caveats**
 * - The server keeps old states for five minutes or so. A reader that takes longer gets an error `isResourceExpired`
 *   from `pages`, `items` and `eachListItem`; `list` asks for the whole once more, unpaged.
 * - A `resourceVersion` goes with each request of `pages`, `items` and `eachListItem`, as in client-go; the server refuses
 *   it together with a token from the second page on, unless it is `'0'`. `list` sends it with the first only.
 */
export class ListPager<L extends ListLike> {
  readonly #listPage: ListPageFunc<L>
  readonly #pageSize: number
  readonly #fullListIfExpired: boolean
  readonly #pageBufferSize: number

  /** @throws RangeError for a page size or a buffer size that is no whole number, 0 or more. */
  constructor(
    listPage: ListPageFunc<L>,
    {
      pageSize = defaultPageSize,
      fullListIfExpired = true,
      pageBufferSize = defaultPageBufferSize,
    }: ListPagerOptions = {},
  ) {
    for (const [name, value] of Object.entries({ pageSize, pageBufferSize })) {
      if (!(Number.isSafeInteger(value) && value >= 0)) {
        throw new RangeError(`the ${name} of a pager must be a whole number, 0 or more: got ${value}`)
      }
    }
    this.#listPage = listPage
    this.#pageSize = pageSize
    this.#fullListIfExpired = fullListIfExpired
    this.#pageBufferSize = pageBufferSize
  }

  /**
   * The whole list. `limit` is the page size.
   *
   * @throws what a page fails with; the signal's reason when it aborts.
   * @throws TypeError when what comes is no list.
   */
  async list(options: ListOptions = {}): Promise<PagedList<L>> {
    const { resourceVersion: _, resourceVersionMatch: __, ...rest } = options
    let next = this.#firstPage(options)
    let whole: { first: L; items: unknown[] } | undefined
    for (;;) {
      let page: L
      try {
        page = await this.#page(next)
      } catch (err) {
        if (!isResourceExpired(err) || !this.#fullListIfExpired || !next.continue) throw err
        const { limit: ___, continue: ____, ...unpaged } = options
        return { list: await this.#page(unpaged), paginated: whole !== undefined }
      }
      const items = itemsOf(page)
      const token = page.metadata?.continue
      if (!token && !whole) return { list: page, paginated: false }
      whole ??= { first: page, items: [] }
      for (const item of items) whole.items.push(item)
      if (!token) return { list: join(whole.first, whole.items), paginated: true }
      // The version goes with the first page only: the token stands for it after that.
      next = { ...rest, ...limitOf(next), continue: token }
    }
  }

  /**
   * The pages, as they come; `metadata.remainingItemCount` of each says how many items follow it, where the server knows.
   * The iteration throws as `list` does.
   */
  pages(options: ListOptions = {}): AsyncIterable<L> {
    return { [Symbol.asyncIterator]: () => this.#iterate(options, (pages) => pages) }
  }

  /**
   * The items, one by one.
   *
   * ```ts
   * const pods = pager(clientset.coreV1().pods(''))
   * for await (const pod of pods.items({ labelSelector: 'app=web' })) console.log(pod.metadata.name)
   * ```
   *
   * The iteration throws as `list` does.
   */
  items(options: ListOptions = {}): AsyncIterable<ItemOf<L>> {
    const { signal } = options
    return {
      [Symbol.asyncIterator]: () =>
        this.#iterate(options, async function* (pages) {
          for await (const page of pages) {
            for (const item of itemsOf(page)) {
              signal?.throwIfAborted()
              yield item as ItemOf<L>
            }
          }
        }),
    }
  }

  /**
   * Calls `fn` with each item, one after the other.
   *
   * @throws what `fn` throws, which ends it; otherwise as `list` does.
   */
  async eachListItem(options: ListOptions, fn: (item: ItemOf<L>) => Promise<void> | void): Promise<void> {
    for await (const item of this.items(options)) await fn(item)
  }

  #iterate<V>(options: ListOptions, each: (pages: AsyncGenerator<L>) => AsyncGenerator<V>): AsyncIterator<V> {
    const { signal } = options
    const controller = new AbortController()
    let stopListening: (() => void) | undefined
    const getPages = (): AsyncGenerator<L> => this.#chunks({ ...options, signal: controller.signal })
    const prefetch = new PagePrefetch(getPages, this.#pageBufferSize)
    let left = false
    const end = (): void => {
      stopListening?.()
      controller.abort()
    }
    async function* run(): AsyncGenerator<V> {
      try {
        signal?.throwIfAborted()
        stopListening = signal && whenAborted(signal, () => controller.abort(signal.reason))
        yield* each(prefetch.pages(controller.signal))
      } catch (err) {
        if (!left) throw err
      } finally {
        end()
      }
    }
    const values = run()
    return {
      next: () => values.next(),
      // Aborts first: a generator would put the return behind a page that is waited for.
      return: async () => {
        left = true
        end()
        return values.return(undefined)
      },
    }
  }

  async *#chunks(options: ListOptions): AsyncGenerator<L> {
    let next: ListOptions | undefined = this.#firstPage(options)
    while (next) {
      const page: L = await this.#page(next)
      // Looked at here, so that what is no list is refused even where nobody looks at its items.
      itemsOf(page)
      const token: string | undefined = page.metadata?.continue
      yield page
      next = token ? { ...next, continue: token } : undefined
    }
  }

  #firstPage(options: ListOptions): ListOptions {
    if (options.limit || this.#pageSize === 0) return options
    return { ...options, limit: this.#pageSize }
  }

  async #page(options: ListOptions): Promise<L> {
    const { signal } = options
    signal?.throwIfAborted()
    return abortable((async () => this.#listPage(options))(), signal)
  }
}

function limitOf({ limit }: ListOptions): ListOptions {
  return limit === undefined ? {} : { limit }
}

/** The first page with all items: what is said of the page alone is left out. */
function join<L extends ListLike>(first: L, items: unknown[]): L {
  const { continue: _, remainingItemCount: __, ...metadata } = first.metadata ?? {}
  return { ...first, metadata, items }
}
