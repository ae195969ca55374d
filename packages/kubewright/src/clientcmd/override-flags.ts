// kubectl's flags for the `parseArgs` of node:util, and what they change of a kubeconfig.

import type { ConfigOverrides } from './overrides.js'
import { hideSecrets } from './secrets.js'

/** A flag with one value. */
export interface StringFlag {
  readonly type: 'string'
  /** One letter. */
  readonly short?: string
  /** For a program's help. */
  readonly description: string
}

/** A flag that may be given several times. */
export interface StringsFlag extends StringFlag {
  readonly multiple: true
}

/** A flag without a value. */
export interface BooleanFlag {
  readonly type: 'boolean'
  /** For a program's help. */
  readonly description: string
}

type TextName =
  | 'as'
  | 'as-uid'
  | 'certificate-authority'
  | 'client-certificate'
  | 'client-key'
  | 'cluster'
  | 'context'
  | 'namespace'
  | 'password'
  | 'proxy-url'
  | 'request-timeout'
  | 'server'
  | 'tls-server-name'
  | 'token'
  | 'user'
  | 'username'
type SwitchName = 'disable-compression' | 'insecure-skip-tls-verify'

type Target = readonly [part: 'authInfo' | 'clusterInfo' | 'context' | 'root', field: string]

const texts: Readonly<Record<TextName, readonly [Target, string]>> = {
  'client-certificate': [['authInfo', 'client-certificate'], 'Path to a client certificate file for TLS'],
  'client-key': [['authInfo', 'client-key'], 'Path to a client key file for TLS'],
  token: [['authInfo', 'token'], 'Bearer token for authentication to the API server'],
  as: [['authInfo', 'as'], 'Username to impersonate for the operation'],
  'as-uid': [['authInfo', 'as-uid'], 'UID to impersonate for the operation'],
  username: [['authInfo', 'username'], 'Username for basic authentication to the API server'],
  password: [['authInfo', 'password'], 'Password for basic authentication to the API server'],
  server: [['clusterInfo', 'server'], 'The address and port of the Kubernetes API server'],
  'certificate-authority': [
    ['clusterInfo', 'certificate-authority'],
    'Path to a cert file for the certificate authority',
  ],
  'tls-server-name': [
    ['clusterInfo', 'tls-server-name'],
    "Name that the server's certificate must have, where it is not the host's",
  ],
  'proxy-url': [['clusterInfo', 'proxy-url'], 'URL of the proxy to connect through'],
  cluster: [['context', 'cluster'], 'The name of the kubeconfig cluster to use'],
  user: [['context', 'user'], 'The name of the kubeconfig user to use'],
  namespace: [['context', 'namespace'], 'The namespace of this request'],
  context: [['root', 'currentContext'], 'The name of the kubeconfig context to use'],
  'request-timeout': [
    ['root', 'timeout'],
    'How long a single server request may take, with its unit (1s, 2m, 3h); 0: any time',
  ],
}

const switches: Readonly<Record<SwitchName, readonly [Target, string]>> = {
  'insecure-skip-tls-verify': [
    ['clusterInfo', 'insecure-skip-tls-verify'],
    "Do not check the server's certificate, which makes connections insecure",
  ],
  'disable-compression': [['clusterInfo', 'disable-compression'], 'Have no answer compressed'],
}

const groupFlag = 'as-group'
const kubeconfigFlag = 'kubeconfig'

/** What {@link overrideFlags} gives: kubectl's names with a prefix. */
export type OverrideFlags<Prefix extends string = ''> = {
  readonly [Name in TextName | 'kubeconfig' as `${Prefix}${Name}`]: StringFlag
} & { readonly [Name in SwitchName as `${Prefix}${Name}`]: BooleanFlag } & {
  readonly [Name in 'as-group' as `${Prefix}${Name}`]: StringsFlag
}

/** Options of {@link overrideFlags} and {@link overridesFromFlags}. */
export interface OverrideFlagsOptions<Prefix extends string = ''> {
  /** Before each name, for programs that talk to two clusters: `from-`. @defaultValue none */
  prefix?: Prefix | undefined
}

/**
 * The flags of kubectl that say which cluster to talk to and as whom, as options of `parseArgs`: client-go's
 * RecommendedConfigOverrideFlags and BindOverrideFlags, and `--kubeconfig`.
 *
 * **Caveats**: `parseArgs` takes no value for a flag such as `--insecure-skip-tls-verify`; `=true`, which kubectl takes, it
 * refuses.
 *
 * @example
 * ```ts
 * import { parseArgs } from 'node:util'
 *
 * const { values } = parseArgs({ options: { ...overrideFlags(), verbose: { type: 'boolean' } } })
 * const config = await getConfig({ kubeconfig: values.kubeconfig, overrides: overridesFromFlags(values) })
 * ```
 */
export function overrideFlags<Prefix extends string = ''>({
  prefix,
}: OverrideFlagsOptions<Prefix> = {}): OverrideFlags<Prefix> {
  const flags: Record<string, StringFlag | StringsFlag | BooleanFlag> = {}
  const add = (name: string, flag: StringFlag | StringsFlag | BooleanFlag): void => {
    flags[`${prefix ?? ''}${name}`] = flag
  }
  add(kubeconfigFlag, { type: 'string', description: 'Path to the kubeconfig file to use' })
  for (const [name, [, description]] of Object.entries(texts)) {
    // kubectl's; client-go recommends it with a prefix too, where two would clash.
    const short = name === 'namespace' && !prefix ? { short: 'n' } : {}
    add(name, { type: 'string', ...short, description })
  }
  const description = 'Group to impersonate for the operation; may be repeated'
  add(groupFlag, { type: 'string', multiple: true, description })
  for (const [name, [, text]] of Object.entries(switches)) add(name, { type: 'boolean', description: text })
  return flags as unknown as OverrideFlags<Prefix>
}

/**
 * What the values of {@link overrideFlags} change of a kubeconfig. Other values are left alone, `kubeconfig` too.
 *
 * @throws TypeError naming the flag whose value is of another type.
 */
export function overridesFromFlags<Prefix extends string = ''>(
  values: Readonly<Record<string, unknown>>,
  { prefix }: OverrideFlagsOptions<Prefix> = {},
): ConfigOverrides {
  const parts = { authInfo: {}, clusterInfo: {}, context: {}, root: {} } as Record<Target[0], Record<string, unknown>>
  const take = (name: string, [part, field]: Target, isGood: (value: unknown) => boolean): void => {
    const flag = `${prefix ?? ''}${name}`
    const value = Object.hasOwn(values, flag) ? values[flag] : undefined
    if (value === undefined) return
    if (!isGood(value)) throw new TypeError(`--${flag}: parse it with the options that overrideFlags() gives`)
    parts[part][field] = name === 'namespace' ? withoutNamespacesPrefix(value as string) : value
  }
  for (const [name, [target]] of Object.entries(texts)) take(name, target, (value) => typeof value === 'string')
  for (const [name, [target]] of Object.entries(switches)) take(name, target, (value) => typeof value === 'boolean')
  take(groupFlag, ['authInfo', 'as-groups'], Array.isArray)
  const { authInfo, clusterInfo, context, root } = parts
  return { ...root, authInfo: hideSecrets(authInfo), clusterInfo, context }
}

/** A namespace without `ns/`, `namespace/` or `namespaces/` in front of it, in any case. */
function withoutNamespacesPrefix(value: string): string {
  return value.replace(/^(?:namespaces|namespace|ns)\/(?=.)/is, '')
}
