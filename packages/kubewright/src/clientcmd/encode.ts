// A KubeConfig as it stands in a file: lists sorted by name, keys sorted, nothing that is empty.

import type { ReadOptions } from './files.js'
import { isEmpty } from './is-empty.js'
import { replaceFile } from './replace-file.js'
import type { KubeConfig, KubeConfigFile, NamedExtension } from './types.js'

type Stanza = Record<string, unknown>

/** What client-go writes even when it is empty. */
const required = { cluster: ['server'], context: ['cluster', 'user'], user: [] } as const

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)
const byKey = ([a]: readonly [string, unknown], [b]: readonly [string, unknown]): number => compare(a, b)

/** The fields that say something, extensions in the order of their names. */
function written(stanza: object): Stanza {
  const fields: Stanza = {}
  for (const [field, value] of Object.entries(stanza)) {
    if (field === 'locationOfOrigin' || isEmpty(value)) continue
    fields[field] =
      field === 'extensions' ? (value as NamedExtension[]).toSorted((a, b) => compare(a.name, b.name)) : value
  }
  return fields
}

function list<K extends keyof typeof required>(stanzas: ReadonlyMap<string, object>, key: K) {
  if (stanzas.size === 0) return null
  return [...stanzas].sort(byKey).map(([name, stanza]) => {
    const fields: Stanza = {}
    for (const field of required[key]) fields[field] = ''
    return { name, [key]: { ...fields, ...written(stanza) } }
  })
}

/** The kubeconfig with the names and lists it has in a file. */
export function encodeKubeConfig(config: KubeConfig): KubeConfigFile {
  const file: Stanza = {
    ...config.unknownFields,
    apiVersion: 'v1',
    kind: 'Config',
    clusters: list(config.clusters, 'cluster'),
    contexts: list(config.contexts, 'context'),
    users: list(config.users, 'user'),
    'current-context': config.currentContext,
  }
  const preferences = written(config.preferences ?? {})
  if (Object.keys(preferences).length > 0) file.preferences = preferences
  return { ...file, ...written({ extensions: config.extensions }) }
}

/** The kubeconfig as YAML, its secrets included. */
export async function write(config: KubeConfig): Promise<string> {
  const yaml = await import('js-yaml')
  return yaml.dump(encodeKubeConfig(config), { noRefs: true, lineWidth: -1, sortKeys: true, seqNoIndent: true })
}

/**
 * Writes the kubeconfig to a file, whose content it replaces in one step; the file's mode stays. A new file has mode
 * 0600, new directories 0755.
 *
 * @throws the system's error when the file cannot be written; it is then as it was.
 */
export async function writeToFile(config: KubeConfig, path: string, options: ReadOptions = {}): Promise<void> {
  await replaceFile(path, await write(config), options)
}
