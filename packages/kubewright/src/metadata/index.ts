// kubewright/metadata: clients of any resource that read metadata only; client-go's metadata.
export { MetadataClient } from './metadata-client.js'
export type {
  MetadataInterface,
  MetadataList,
  MetadataResourceInterface,
  NamespaceableMetadataInterface,
} from './types.js'
