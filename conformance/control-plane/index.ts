// A real control plane for programs of this repository: tests that start their own, the demo, the benchmarks.
export { type BuildOptions, GoUnavailable, type OnProgress } from '../go-binary.js'
export type { RunResult } from '../run.js'
export {
  type ClientCertificateOptions,
  ControlPlaneAccess,
  type ControlPlaneInfo,
  type Credentials,
  type KubectlOptions,
  openControlPlane,
  type RequestOptions,
  type Response,
  type ServiceAccountTokenOptions,
  type TokenUser,
} from './access.js'
export { ComponentFailed } from './component.js'
export { ControlPlane, type StartOptions, startControlPlane } from './control-plane.js'
