// kubewright/kubernetes: the typed client of every built-in resource.
export type { ClientsetInterface } from '../gen/clientset.js'
export { Clientset } from './clientset.js'
export type {
  CertificateSigningRequestExpansion,
  CoreEventExpansion,
  DeploymentExpansion,
  EventExpansion,
  EvictionExpansion,
  InvolvedObject,
  NamespaceExpansion,
  NodeExpansion,
  PodExpansion,
  PodLogOptions,
  ProxiesGet,
  ProxyGetOptions,
  ServiceAccountExpansion,
  ServiceExpansion,
} from './expansions.js'
export { ResourceClientImpl, type ResourceTarget, type SubresourceOption } from './resource-client.js'
export { ResourceClients } from './resource-clients.js'
export { type IncludeObject, type TableClient, type TableOf, type TableOptions, tables } from './tables.js'
export type {
  Applies,
  AppliesScale,
  AppliesStatus,
  ApplyConfiguration,
  ClientsetBase,
  Creates,
  CreatesWithoutStatus,
  Deletes,
  DeletesCollection,
  Gets,
  GetsScale,
  GroupVersionClient,
  Lists,
  Patches,
  PatchesScale,
  ResourceClient,
  ScalableResourceClient,
  Scales,
  StatusResourceClient,
  Updates,
  UpdatesScale,
  UpdatesStatus,
  Watches,
} from './verbs.js'
