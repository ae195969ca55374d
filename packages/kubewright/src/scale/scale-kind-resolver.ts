// Which version of Scale a resource takes.

import type { ServerResourcesInterface } from '../discovery/index.js'
import {
  type CallOptions,
  formatGroupVersion,
  formatGroupVersionResource,
  type GroupVersionKind,
  type GroupVersionResource,
  messageOf,
} from '../meta/index.js'

/** Knows the kinds of scale subresources. */
export interface ScaleKindResolver {
  /**
   * The kind of `<resource>/scale`.
   *
   * @throws Error when the resource has no scale subresource, or that cannot be found out
   */
  scaleForResource(resource: GroupVersionResource, opts?: CallOptions): Promise<GroupVersionKind>
}

/**
 * Finds the kinds in discovery.
 *
 * **Guarantees**: what was found is remembered for good: a resource does not change the kind of its scale. What was not found
 * is not.
 */
export function newDiscoveryScaleKindResolver(
  client: Pick<ServerResourcesInterface, 'serverResourcesForGroupVersion'>,
): ScaleKindResolver {
  const known = new Map<string, GroupVersionKind>()
  return {
    async scaleForResource(resource, opts = {}) {
      const key = formatGroupVersionResource(resource)
      let kind = known.get(key)
      if (!kind) {
        kind = await discoverScale(client, resource, opts)
        known.set(key, kind)
      }
      return kind
    },
  }
}

async function discoverScale(
  client: Pick<ServerResourcesInterface, 'serverResourcesForGroupVersion'>,
  wanted: GroupVersionResource,
  opts: CallOptions,
): Promise<GroupVersionKind> {
  const name = formatGroupVersionResource(wanted)
  const { resources } = await client.serverResourcesForGroupVersion(formatGroupVersion(wanted), opts).catch((err) => {
    opts.signal?.throwIfAborted()
    throw new Error(`unable to fetch discovery information for ${name}: ${messageOf(err)}`, { cause: err })
  })
  const scale = resources.find((resource) => resource.name === `${wanted.resource}/scale`)
  if (!scale) throw new Error(`could not find scale subresource for ${name} in discovery information`)
  const { group, version, kind } = scale
  // Servers leave both out where they are those of the resource.
  return group && version ? { group, version, kind } : { group: wanted.group, version: wanted.version, kind }
}
