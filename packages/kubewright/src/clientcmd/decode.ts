// From the values of a YAML document to a KubeConfig. Types are checked as strictly as client-go does, so that a
// mistake is told here, by field, and not by a server later.

import { isObject } from '../meta/index.js'
import { KubeconfigError } from './errors.js'
import { hideSecrets } from './secrets.js'
import {
  type AuthInfo,
  type AuthProviderStanza,
  type Cluster,
  type Context,
  type ExecStanza,
  type KubeConfig,
  type KubeConfigFile,
  newKubeConfig,
  type Preferences,
} from './types.js'

/** The value of `field`, checked; what null stands for in a list or a map is the kind's empty value. */
type Reader = (value: unknown, field: string) => unknown
type Fields = Readonly<Record<string, Reader>>

class FieldError extends Error {
  readonly field: string
  readonly problem: string
  constructor(field: string, problem: string) {
    super(problem)
    this.field = field
    this.problem = problem
  }
}

function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list'
  if (isObject(value)) return 'a map'
  return typeof value === 'boolean' ? 'true or false' : `a ${typeof value}`
}

function wrongKind(field: string, wanted: string, value: unknown, hint = ''): FieldError {
  return new FieldError(field, `must be ${wanted}, but YAML reads its value as ${kindOf(value)}${hint}`)
}

const text = (value: unknown, field: string): string => {
  if (typeof value === 'string' || value === null) return value ?? ''
  const scalar = typeof value === 'number' || typeof value === 'boolean'
  throw wrongKind(field, 'a string', value, scalar ? ': put the value in quotes' : '')
}

const flag: Reader = (value, field) => {
  if (typeof value === 'boolean') return value
  throw wrongKind(field, 'true or false', value, typeof value === 'string' ? ': write it without quotes' : '')
}

const anything: Reader = (value) => value

/** Line breaks inside are allowed, other blanks and missing padding are not. */
const base64: Reader = (value, field) => {
  const data = text(value, field).replace(/[\r\n]/g, '')
  if (data.length % 4 !== 0 || !/^[A-Za-z0-9+/]*={0,2}$/.test(data)) throw new FieldError(field, 'is not valid base64')
  return data
}

const listOf =
  (read: Reader) =>
  (value: unknown, field: string): unknown[] => {
    if (!Array.isArray(value)) throw wrongKind(field, 'a list', value)
    return value.map((item, i) => read(item, `${field}[${i}]`))
  }

const mapOf =
  (read: Reader): Reader =>
  (value, field) => {
    if (!isObject(value)) throw wrongKind(field, 'a map', value)
    return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, read(item, `${field}.${key}`)]))
  }

/** A map with these fields; one that is null counts as absent, one that is not known stays as it is. */
const fields =
  (known: Fields): Reader =>
  (value, field) => {
    if (value === null) return {}
    if (!isObject(value)) throw wrongKind(field, 'a map', value)
    const present = Object.entries(value).filter(([, item]) => item !== null)
    return Object.fromEntries(
      present.map(([key, item]) => {
        // A file may have any key, also those that every object inherits.
        const read = Object.hasOwn(known, key) ? (known[key] as Reader) : anything
        return [key, read(item, field === '' ? key : `${field}.${key}`)]
      }),
    )
  }

/** A list of maps, each with a name of its own. */
const namedList =
  (known: Fields): Reader =>
  (value, field) => {
    const list = listOf(fields({ name: text, ...known }))(value, field) as { name?: string }[]
    const seen = new Set<string>()
    return list.map((item) => {
      const name = item.name ?? ''
      if (seen.has(name)) throw new FieldError(field, `has duplicate name "${name}" in list`)
      seen.add(name)
      return { ...item, name }
    })
  }

const extensions = namedList({ extension: anything })

const clusterFields: Readonly<Record<Exclude<keyof Cluster, 'locationOfOrigin'>, Reader>> = {
  server: text,
  'tls-server-name': text,
  'insecure-skip-tls-verify': flag,
  'certificate-authority': text,
  'certificate-authority-data': base64,
  'proxy-url': text,
  'disable-compression': flag,
  extensions,
}

const authProviderFields: Readonly<Record<keyof AuthProviderStanza, Reader>> = { name: text, config: mapOf(text) }

const execFields: Readonly<Record<keyof ExecStanza, Reader>> = {
  command: text,
  args: listOf(text),
  env: listOf(fields({ name: text, value: text })),
  apiVersion: text,
  installHint: text,
  provideClusterInfo: flag,
  interactiveMode: text,
}

const userFields: Readonly<Record<Exclude<keyof AuthInfo, 'locationOfOrigin'>, Reader>> = {
  'client-certificate': text,
  'client-certificate-data': base64,
  'client-key': text,
  'client-key-data': base64,
  token: text,
  tokenFile: text,
  as: text,
  'as-uid': text,
  'as-groups': listOf(text),
  'as-user-extra': mapOf(listOf(text)),
  username: text,
  password: text,
  'auth-provider': fields(authProviderFields),
  exec: fields(execFields),
  extensions,
}

const contextFields: Readonly<Record<Exclude<keyof Context, 'locationOfOrigin'>, Reader>> = {
  cluster: text,
  user: text,
  namespace: text,
  extensions,
}

const fileFields: Fields = {
  apiVersion: text,
  kind: text,
  preferences: fields({ colors: flag, extensions } satisfies Record<keyof Preferences, Reader>),
  clusters: namedList({ cluster: fields(clusterFields) }),
  users: namedList({ user: fields(userFields) }),
  contexts: namedList({ context: fields(contextFields) }),
  'current-context': text,
  extensions,
}

function byName<T extends { locationOfOrigin?: string | undefined }>(
  list: readonly { name: string; stanza: T | undefined }[],
  file: string | undefined,
): Map<string, T> {
  const withOrigin = (stanza: T | undefined): T => {
    const { locationOfOrigin: _written, ...own } = stanza ?? ({} as T)
    return { ...own, ...(file !== undefined && { locationOfOrigin: file }) } as T
  }
  return new Map(list.map(({ name, stanza }) => [name, withOrigin(stanza)]))
}

/** Up to v1beta1 a plugin need not say whether it reads standard input. */
function defaultInteractiveMode(exec: ExecStanza): ExecStanza {
  const optional = /^client\.authentication\.k8s\.io\/v1(?:alpha|beta)1$/.test(exec.apiVersion ?? '')
  return optional && !exec.interactiveMode ? { ...exec, interactiveMode: 'IfAvailable' } : exec
}

function readConfig(document: unknown, file: string | undefined): KubeConfig {
  if (document === null) return newKubeConfig()
  if (!isObject(document)) throw new FieldError('', `it is not a kubeconfig: it holds ${kindOf(document)}, not a map`)
  const apiVersion = text(document.apiVersion ?? null, 'apiVersion') || 'v1'
  const kind = text(document.kind ?? null, 'kind') || 'Config'
  if (apiVersion !== 'v1' || kind !== 'Config') {
    const problem = `it is not a kubeconfig: its kind is "${kind}" of apiVersion "${apiVersion}", not "Config" of "v1"`
    throw new FieldError('', problem)
  }
  const read = fields(fileFields)(document, '') as KubeConfigFile
  const config = newKubeConfig({
    clusters: byName(
      (read.clusters ?? []).map(({ name, cluster }) => ({ name, stanza: cluster })),
      file,
    ),
    users: byName(
      (read.users ?? []).map(({ name, user }) => ({ name, stanza: user })),
      file,
    ),
    contexts: byName(
      (read.contexts ?? []).map(({ name, context }) => ({ name, stanza: context })),
      file,
    ),
    currentContext: read['current-context'] ?? '',
  })
  for (const user of config.users.values()) {
    if (user.exec) user.exec = defaultInteractiveMode(user.exec)
    hideSecrets(user)
  }
  if (read.preferences) config.preferences = read.preferences
  if (read.extensions) config.extensions = read.extensions
  const unknown = Object.entries(read).filter(([key]) => !Object.hasOwn(fileFields, key))
  if (unknown.length > 0) config.unknownFields = Object.fromEntries(unknown)
  return config
}

/**
 * A KubeConfig from the values of a YAML or JSON document; `file` becomes each stanza's `locationOfOrigin`.
 *
 * @throws KubeconfigError naming the field: a wrong type, bad base64, a name twice in a list, not a kubeconfig.
 */
export function decodeKubeConfig(document: unknown, file?: string): KubeConfig {
  try {
    return readConfig(document, file)
  } catch (err) {
    if (!(err instanceof FieldError)) throw err
    if (err.field === '') throw new KubeconfigError(err.problem, { file })
    throw new KubeconfigError(`${err.field} ${err.problem}`, { file, field: err.field })
  }
}
