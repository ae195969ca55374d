// A real control plane for programs of this repository: tests that start their own, the demo, the benchmarks.
export {
  type ClientCertificateOptions,
  ControlPlaneAccess,
  type ControlPlaneInfo,
  type Credentials,
  type KubectlOptions,
  type KubectlResult,
  openControlPlane,
  type RequestOptions,
  type Response,
  type ServiceAccountTokenOptions,
  type TokenUser,
} from './access.js'
export { type BuildOptions, buildBinary, ControlPlaneUnavailable, findBinary, type OnProgress } from './binary.js'
export { ComponentFailed } from './component.js'
export { ControlPlane, type StartOptions, startControlPlane } from './control-plane.js'
