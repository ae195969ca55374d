// kubewright/rest: how to reach a cluster, and requests to it.
export { type GroupVersion, pathSegmentNameProblems as isValidPathSegmentName } from '../meta/index.js'
export { ExecAuthenticators } from './auth/exec/authenticators.js'
export type { ExecPluginOptions } from './auth/exec/exec-plugins.js'
export {
  type ExecCredentialRequest,
  type LoadedExecCredential,
  loadExecCredential,
  loadExecCredentialFromEnv,
} from './auth/exec/load-exec-credential.js'
export type {
  ClientCertificateEvent,
  PluginCall,
  PluginCallStatus,
  PluginPolicyCall,
} from './auth/exec/plugin-calls.js'
export { ExecPluginError } from './auth/exec/plugin-error.js'
export type { ExecPluginAllowlistEntry, ExecPluginPolicy } from './auth/exec/policy.js'
export type { ExecConfig, ExecEnvVar } from './auth/exec-config.js'
export type { AuthConfigPersister, AuthProviderConfig } from './auth/oidc/auth-provider.js'
export { RESTClient, type RESTClientOptions, restClientFor, unversionedRestClientFor } from './client.js'
export {
  addUserAgent,
  anonymousClientConfig,
  Config,
  type ConfigOptions,
  copyConfig,
  type ImpersonationConfig,
  loadTLSFiles,
  type TLSClientConfig,
  type Warning,
  type WarningHandler,
} from './config.js'
export { encodeJSON } from './encode.js'
export type { ByteStream } from './execute-stream.js'
export { type InClusterConfigOptions, inClusterConfig, NotInClusterError } from './in-cluster-config.js'
export { type LogFields, type Logger, noLogger, stderrLogger } from './logger.js'
export type { ObjectDecoder } from './object-decoder.js'
export { type JSONParser, jsonParserFor } from './parse-json.js'
export type { ParamValue } from './query.js'
export { defaultBurst, defaultQPS, rateLimiterFor } from './rate-limit.js'
export type { Request, RequestBody, RequestDoOptions } from './request.js'
export type {
  RequestAttemptEvent,
  RequestEndEvent,
  RequestErrorEvent,
  RequestInfo,
  RequestKind,
  RequestStartEvent,
  RequestThrottleEvent,
} from './request-events.js'
export type { Result } from './result.js'
export { RequestTimeoutError } from './timeout-error.js'
export { ConnectionError, type ConnectionErrorReason } from './transport/connection-error.js'
export type { Dial, DialedConnection } from './transport/dial-hook.js'
export { type RequestHeaders, type ResponseHeaders, responseHeaders } from './transport/headers.js'
export { proxyFromEnvironment } from './transport/proxy-from-environment.js'
export type { CAReload } from './transport/roots-file.js'
export type { Transport, TransportRequest, TransportResponse, TransportTimings } from './transport/transport.js'
export { type TransportCreateEvent, transportFor } from './transport/transport-for.js'
export {
  type DefaultServerURLOptions,
  defaultServerURL,
  defaultServerUrlFor,
  isConfigTransportTLS,
  type ServerURL,
} from './url.js'
export { defaultUserAgent, type UserAgentFacts } from './user-agent.js'
export { noWarnings } from './warnings.js'
export type { WatchIterator } from './watch/stream-watch.js'
