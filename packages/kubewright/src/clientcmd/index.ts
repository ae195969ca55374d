// kubewright/clientcmd: kubeconfig files, and the Config that a context of one gives.
export { type BuildConfigOptions, buildConfigFromFlags } from './build-config.js'
export type { ChosenNamespace, ClientConfig } from './client-config.js'
export type { ConfigAccess } from './config-access.js'
export type { CredentialReader, PromptedField } from './credential-reader.js'
export { DeferredLoadingClientConfig, type DeferredLoadingOptions } from './deferred-client-config.js'
export {
  DirectClientConfig,
  type DirectClientConfigOptions,
  newClientConfigFromText,
  restConfigFromKubeConfig,
} from './direct-client-config.js'
export { encodeKubeConfig, write, writeToFile } from './encode.js'
export {
  ConfigurationInvalidError,
  ContextNotFoundError,
  EmptyClusterError,
  EmptyConfigError,
  isConfigurationInvalid,
  isContextNotFound,
  isEmptyConfig,
  KubeconfigError,
  type KubeconfigErrorPlace,
  MissingConfigError,
  NoContextError,
  UnsupportedAuthProviderError,
} from './errors.js'
export type { ReadOptions } from './files.js'
export { type GetConfigOptions, getConfig, getNamespace } from './get-config.js'
export {
  type Env,
  type HomeDirOptions,
  homeDir,
  type ProbePath,
  recommendedConfigDir,
  recommendedHomeFile,
  splitPathList,
} from './home-dir.js'
export {
  InClusterClientConfig,
  type InClusterClientConfigOptions,
  type PossibleClientConfig,
} from './in-cluster-client-config.js'
export { isLegacyAuthComplete, type LegacyAuth, loadLegacyAuth, mergeLegacyAuth } from './legacy-auth.js'
export { load, loadFromFile } from './load.js'
export {
  type ClientConfigLoader,
  ClientConfigLoadingRules,
  type LoadingRulesOptions,
  newDefaultClientConfigLoadingRules,
} from './loading-rules.js'
export { mergeKubeConfigs } from './merge.js'
export { type ModifyConfigOptions, modifyConfig } from './modify-config.js'
export {
  type BooleanFlag,
  type OverrideFlags,
  type OverrideFlagsOptions,
  overrideFlags,
  overridesFromFlags,
  type StringFlag,
  type StringsFlag,
} from './override-flags.js'
export type { ConfigOverrides } from './overrides.js'
export {
  type DefaultPathOptions,
  newDefaultPathOptions,
  PathOptions,
  type PathOptionsFields,
} from './path-options.js'
export { relativizePath, resolveLocalPaths } from './paths.js'
export { persisterForUser } from './persister.js'
export { PromptingAuthLoader } from './prompting-auth-loader.js'
export { terminalReader } from './terminal-reader.js'
export { parseTimeout } from './timeout.js'
export { flattenConfig, minifyConfig, redactSecrets, shortenConfig } from './transform.js'
export {
  type AuthInfo,
  type AuthProviderStanza,
  type Cluster,
  type Context,
  type ExecStanza,
  isConfigEmpty,
  type KubeConfig,
  type KubeConfigFile,
  type NamedExtension,
  newKubeConfig,
  type Preferences,
} from './types.js'
export { confirmUsable, validate, validateAuthInfo, validateClusterInfo, validateContext } from './validation.js'
