// The shape of a kubeconfig: its stanzas with the names they have in the YAML, and the in-memory form, maps by name.

/** A field set that other programs keep in a kubeconfig under a name of theirs. */
export interface NamedExtension {
  name: string
  extension: unknown
}

/** No component of Kubernetes reads these; kept for programs that do. */
export interface Preferences {
  colors?: boolean | undefined
  extensions?: NamedExtension[] | undefined
}

/** Where a cluster is and how to know that it is the right one. Unknown fields are kept. */
export interface Cluster {
  /** `https://host:port`, which may have a path prefix. */
  server?: string | undefined
  /** Name that the server's certificate must have. @defaultValue the host's */
  'tls-server-name'?: string | undefined
  /** Do not verify the server's certificate. */
  'insecure-skip-tls-verify'?: boolean | undefined
  /** Path of a PEM file. */
  'certificate-authority'?: string | undefined
  /** Base64 of PEM text. */
  'certificate-authority-data'?: string | undefined
  /** http, https or socks5. */
  'proxy-url'?: string | undefined
  'disable-compression'?: boolean | undefined
  extensions?: NamedExtension[] | undefined
  /** The file that this stanza was read from. Never written. */
  locationOfOrigin?: string | undefined
}

/** A legacy authentication plugin; `oidc` is the only one that clients still have. */
export interface AuthProviderStanza {
  /** `oidc` */
  name?: string | undefined
  config?: Record<string, string> | undefined
}

/** A program that prints credentials, as written in the file. */
export interface ExecStanza {
  command?: string | undefined
  args?: string[] | undefined
  env?: { name?: string | undefined; value?: string | undefined }[] | undefined
  apiVersion?: string | undefined
  installHint?: string | undefined
  provideClusterInfo?: boolean | undefined
  /** `Never`, `IfAvailable` or `Always`. @defaultValue `IfAvailable` up to v1beta1; v1 must state it */
  interactiveMode?: string | undefined
}

/** Who to be: the `user` stanza, client-go's AuthInfo. Unknown fields are kept. */
export interface AuthInfo {
  /** Path of a PEM file. */
  'client-certificate'?: string | undefined
  /** Base64 of PEM text. */
  'client-certificate-data'?: string | undefined
  /** Path of a PEM file. */
  'client-key'?: string | undefined
  /** Base64 of PEM text. */
  'client-key-data'?: string | undefined
  token?: string | undefined
  /** Path of a file that somebody else renews; wins over `token`. */
  tokenFile?: string | undefined
  /** Whom to act as. */
  as?: string | undefined
  'as-uid'?: string | undefined
  'as-groups'?: string[] | undefined
  'as-user-extra'?: Record<string, string[]> | undefined
  username?: string | undefined
  password?: string | undefined
  'auth-provider'?: AuthProviderStanza | undefined
  exec?: ExecStanza | undefined
  extensions?: NamedExtension[] | undefined
  /** The file that this stanza was read from. Never written. */
  locationOfOrigin?: string | undefined
}

/** A cluster and a user by name, and a default namespace. Unknown fields are kept. */
export interface Context {
  /** Name of an entry of `clusters`. */
  cluster?: string | undefined
  /** Name of an entry of `users`. */
  user?: string | undefined
  /** @defaultValue `default` */
  namespace?: string | undefined
  extensions?: NamedExtension[] | undefined
  /** The file that this stanza was read from. Never written. */
  locationOfOrigin?: string | undefined
}

/** A kubeconfig as it stands in a file. */
export interface KubeConfigFile {
  apiVersion?: string | undefined
  kind?: string | undefined
  preferences?: Preferences | undefined
  clusters?: { name: string; cluster: Cluster }[] | null | undefined
  users?: { name: string; user: AuthInfo }[] | null | undefined
  contexts?: { name: string; context: Context }[] | null | undefined
  'current-context'?: string | undefined
  extensions?: NamedExtension[] | undefined
}

/** A kubeconfig in memory, perhaps merged from several files: client-go's clientcmdapi.Config. */
export interface KubeConfig {
  preferences?: Preferences | undefined
  /** By name, in the order of the file; so are the two below it. */
  clusters: Map<string, Cluster>
  users: Map<string, AuthInfo>
  contexts: Map<string, Context>
  /** Empty when none is chosen. */
  currentContext: string
  extensions?: NamedExtension[] | undefined
  /** Top-level fields that this library does not know, kept for writing back. */
  unknownFields?: Record<string, unknown> | undefined
}

/** An empty kubeconfig, with the fields that are given. */
export function newKubeConfig(fields: Partial<KubeConfig> = {}): KubeConfig {
  return { clusters: new Map(), users: new Map(), contexts: new Map(), currentContext: '', ...fields }
}

/** Whether nothing is in the kubeconfig. */
export function isConfigEmpty(config: KubeConfig): boolean {
  return (
    config.users.size === 0 &&
    config.clusters.size === 0 &&
    config.contexts.size === 0 &&
    config.currentContext === '' &&
    !config.preferences?.colors &&
    !config.preferences?.extensions?.length &&
    !config.extensions?.length
  )
}
