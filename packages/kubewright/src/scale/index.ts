// kubewright/scale: the replicas of any resource that can be scaled.
export { fromScale, toScale } from './convert.js'
export { ScaleClient, type ScaleClientOptions, type ScaleInterface, type ScalesGetter } from './scale-client.js'
export { newDiscoveryScaleKindResolver, type ScaleKindResolver } from './scale-kind-resolver.js'
