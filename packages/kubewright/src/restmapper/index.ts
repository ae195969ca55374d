// kubewright/restmapper: from resources to kinds and back, as a server has them.
export {
  type CategoryExpander,
  DiscoveryCategoryExpander,
  SimpleCategoryExpander,
  UnionCategoryExpander,
} from './category-expander.js'
export { DefaultRESTMapper } from './default-rest-mapper.js'
export {
  DeferredDiscoveryRESTMapper,
  type DeferredDiscoveryRESTMapperOptions,
} from './deferred-discovery-rest-mapper.js'
export { type APIGroupResources, getAPIGroupResources, newDiscoveryRESTMapper } from './discovery.js'
export {
  AmbiguousKindError,
  AmbiguousResourceError,
  isAmbiguousError,
  isNoMatchError,
  type Matches,
  NoKindMatchError,
  NoResourceMatchError,
} from './errors.js'
export { unsafeGuessKindToResource } from './guess.js'
export { MultiRESTMapper } from './multi-rest-mapper.js'
export { type Priorities, PriorityRESTMapper } from './priority-rest-mapper.js'
export { ShortcutExpander, type ShortcutExpanderOptions } from './shortcut-expander.js'
export {
  anyGroup,
  anyKind,
  anyResource,
  anyVersion,
  type MapperOptions,
  maybeResetRESTMapper,
  type PartialResource,
  type RESTMapper,
  type RESTMapping,
  type ResettableRESTMapper,
} from './types.js'
