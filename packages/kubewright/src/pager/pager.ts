// Paging through what a client lists, in one line.

import type { ListOptions } from '../meta/index.js'
import type { ListLike } from './items.js'
import { ListPager, type ListPagerOptions } from './list-pager.js'

/** Anything that lists: every typed or dynamic client. */
export interface Lister<L extends ListLike> {
  list(options: ListOptions): Promise<L>
}

/**
 * A {@link ListPager} of what a client lists.
 *
 * ```ts
 * for await (const pod of pager(clientset.coreV1().pods('default')).items()) console.log(pod.metadata.name)
 * ```
 *
 * @throws RangeError as {@link ListPager} does.
 */
export function pager<L extends ListLike>(client: Lister<L>, options?: ListPagerOptions): ListPager<L> {
  return new ListPager<L>((listOptions) => client.list(listOptions), options)
}
