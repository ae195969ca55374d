// kubewright/discovery: what a server is and offers.
export { DiscoveryClient, type DiscoveryInterface } from './discovery-client.js'
export type { VersionInfo } from './version-info.js'
