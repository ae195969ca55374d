// kubewright/discovery: what a server is and offers.
export { DiscoveryClient } from './discovery-client.js'
export type { VersionInfo } from './version-info.js'
