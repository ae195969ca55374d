// A whole list, page by page.

import type { KubernetesList, KubernetesObject } from '../meta/index.js'
import { ListPager, type PagedList } from '../pager/index.js'
import type { ListerWatcher } from './lister-watcher.js'

/**
 * Lists all pages. Where the list expires on the way, it is asked for again as a whole, unpaged.
 *
 * @param pageSize 0: no limit.
 * @throws what `list` throws; TypeError when what comes is no list; the signal's reason when it aborts.
 */
export function listPages<T extends KubernetesObject>(
  listerWatcher: ListerWatcher<T>,
  resourceVersion: string,
  { pageSize, signal }: { pageSize: number; signal: AbortSignal },
): Promise<PagedList<KubernetesList<T>>> {
  const pager = new ListPager<KubernetesList<T>>((options) => listerWatcher.list(options), { pageSize })
  return pager.list({ ...(resourceVersion === '' ? {} : { resourceVersion }), signal })
}
