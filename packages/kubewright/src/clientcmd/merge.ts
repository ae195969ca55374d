// client-go's two ways of merging: whole entries by name when files are read together, field by field when overrides
// are laid over one entry. In both, a value that is empty never replaces one that is not.

import { isEmpty } from './is-empty.js'
import { type KubeConfig, type NamedExtension, newKubeConfig } from './types.js'

/** The entries of both lists, one a name: the last one's place and value. */
function mergeExtensions(low: readonly NamedExtension[], high: readonly NamedExtension[]): NamedExtension[] {
  return [...new Map([...low, ...high].map((item) => [item.name, item])).values()]
}

/**
 * One stanza laid over another: a field of `high` wins when it is not empty; extensions and extra fields of
 * impersonation merge by name. So an override can set a flag or a string, but never clear one.
 */
export function mergeStanza<T extends object>(low: T, high: T | undefined): T {
  const merged = { ...low } as Record<string, unknown>
  for (const [field, value] of Object.entries(high ?? {})) {
    const below = merged[field]
    if (isEmpty(value)) continue
    if (field === 'extensions' && below !== undefined) {
      merged[field] = mergeExtensions(below as NamedExtension[], value as NamedExtension[])
    } else if (field === 'as-user-extra') merged[field] = { ...(below as object | undefined), ...(value as object) }
    else merged[field] = value
  }
  return merged as T
}

function firstWins<T>(maps: readonly ReadonlyMap<string, T>[]): Map<string, T> {
  const merged = new Map<string, T>()
  for (const [name, entry] of maps.flatMap((map) => [...map])) if (!merged.has(name)) merged.set(name, entry)
  return merged
}

/**
 * Kubeconfigs merged in order of precedence. Of each cluster, user, context and extension the first file that has it
 * gives the whole entry; nothing of a later entry of that name is used. The first non-empty current context counts.
 */
export function mergeKubeConfigs(configs: readonly KubeConfig[]): KubeConfig {
  const merged = newKubeConfig({
    clusters: firstWins(configs.map((config) => config.clusters)),
    users: firstWins(configs.map((config) => config.users)),
    contexts: firstWins(configs.map((config) => config.contexts)),
    currentContext: configs.find((config) => config.currentContext !== '')?.currentContext ?? '',
  })
  for (const config of [...configs].reverse()) {
    if (config.preferences) merged.preferences = mergeStanza(merged.preferences ?? {}, config.preferences)
    if (config.extensions) merged.extensions = mergeExtensions(merged.extensions ?? [], config.extensions)
    if (config.unknownFields) merged.unknownFields = { ...merged.unknownFields, ...config.unknownFields }
  }
  return merged
}
