// kubewright/pager: long lists in pages, client-go's tools/pager.
export type { ListLike } from './items.js'
export {
  defaultPageSize,
  type ItemOf,
  type ListPageFunc,
  ListPager,
  type ListPagerOptions,
  type PagedList,
} from './list-pager.js'
export { type Lister, pager } from './pager.js'
