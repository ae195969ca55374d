// A whole list, page by page.

import { abortable } from '../clock/index.js'
import { isResourceExpired, type KubernetesList, type KubernetesObject, type ListOptions } from '../meta/index.js'
import type { ListerWatcher } from './lister-watcher.js'

/** Items of a page where nothing else is asked for. */
export const defaultPageSize = 500

export interface PagedList<T> {
  /** The first page, with the items of all. */
  readonly list: KubernetesList<T>
  /** There was more than one page. */
  readonly paginated: boolean
}

/**
 * Lists all pages. Where the list expires on the way, it is asked for again as a whole, unpaged.
 *
 * @param pageSize 0: no limit.
 * @throws what `list` throws; the signal's reason when it aborts.
 */
export async function listPages<T extends KubernetesObject>(
  listerWatcher: ListerWatcher<T>,
  resourceVersion: string,
  { pageSize, signal }: { pageSize: number; signal: AbortSignal },
): Promise<PagedList<T>> {
  const page = async (options: ListOptions): Promise<KubernetesList<T>> =>
    abortable((async () => listerWatcher.list({ ...options, signal }))(), signal)
  const version: ListOptions = resourceVersion === '' ? {} : { resourceVersion }
  const limit: ListOptions = pageSize === 0 ? {} : { limit: pageSize }

  const first = await page({ ...version, ...limit })
  let next = first?.metadata?.continue
  const firstItems = itemsOf(first)
  if (!next || !firstItems) return { list: first, paginated: false }

  const items = [...firstItems]
  // The version goes with the first page only: the token stands for it after that.
  while (next) {
    let following: KubernetesList<T>
    try {
      following = await page({ continue: next, ...limit })
    } catch (err) {
      if (!isResourceExpired(err)) throw err
      return { list: await page(version), paginated: true }
    }
    const followingItems = itemsOf(following)
    // The whole is no list then either: a part of it would look as if the rest had been deleted.
    if (!followingItems) return { list: following, paginated: true }
    for (const item of followingItems) items.push(item)
    next = following.metadata?.continue
  }
  return { list: { ...first, items }, paginated: true }
}

/** The items of a list; undefined when it is none. Servers written in Go send null for none. */
export function itemsOf<T>(list: KubernetesList<T> | undefined): readonly T[] | undefined {
  if (list === null || typeof list !== 'object') return undefined
  const items = (list.items as T[] | null | undefined) ?? []
  return Array.isArray(items) ? items : undefined
}
