// The name that a kind's resource probably has.

import type { GroupVersionKind, GroupVersionResource } from '../meta/index.js'

/**
 * Guesses the resource of a kind, for servers that do not tell.
 *
 * **Caveats**: wrong for many kinds of custom resources, and for Endpoints' like only by exception. Ask a {@link RESTMapper}.
 */
export function unsafeGuessKindToResource({ group, version, kind }: GroupVersionKind): {
  plural: GroupVersionResource
  singular: GroupVersionResource
} {
  const name = kind.toLowerCase()
  if (name === '') {
    const nothing = { group: '', version: '', resource: '' }
    return { plural: nothing, singular: nothing }
  }
  return { plural: { group, version, resource: pluralOf(name) }, singular: { group, version, resource: name } }
}

function pluralOf(name: string): string {
  if (name.endsWith('endpoints')) return name
  if (name.endsWith('s')) return `${name}es`
  return name.endsWith('y') ? `${name.slice(0, -1)}ies` : `${name}s`
}
