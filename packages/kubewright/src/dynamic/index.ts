// kubewright/dynamic: clients of any resource, by name or by kind.
export { DynamicClient } from './dynamic-client.js'
export type {
  DynamicInterface,
  DynamicResourceInterface,
  KindClient,
  NamespaceableKindClient,
  NamespaceableResourceInterface,
} from './types.js'
