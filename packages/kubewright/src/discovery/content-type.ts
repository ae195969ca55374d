// Which form of discovery is asked for, and which one came.

import type { GroupVersionKind } from '../meta/index.js'

/** Media type of the older form: groups alone, and the resources of each group-version at a path of its own. */
const acceptV1 = 'application/json'
/** Media types of the aggregated form. Servers compare them as text: the parameters have to be in this order. */
const acceptV2 = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'
const acceptV2Beta1 = 'application/json;g=apidiscovery.k8s.io;v=v2beta1;as=APIGroupDiscoveryList'
const acceptV2NoPeer = `${acceptV2};profile=nopeer`

/** The Accept header of `/api` and `/apis`. */
export function discoveryAccept({ legacy, noPeer }: { legacy: boolean; noPeer: boolean }): string {
  if (legacy) return acceptV1
  return [...(noPeer ? [acceptV2NoPeer] : []), acceptV2, acceptV2Beta1, acceptV1].join(',')
}

/** Whether an answer is in the aggregated form. */
export function isAggregatedDiscovery(contentType: string): boolean {
  return ['v2', 'v2beta1'].some((version) =>
    contentTypeIsGVK(contentType, { group: 'apidiscovery.k8s.io', version, kind: 'APIGroupDiscoveryList' }),
  )
}

/**
 * Whether a Content-Type is JSON of a kind: `application/json;g=GROUP;v=VERSION;as=KIND`, in any order and among other
 * parameters. False for what is no media type.
 */
export function contentTypeIsGVK(contentType: string, { group, version, kind }: GroupVersionKind): boolean {
  const parsed = parseMediaType(contentType)
  if (parsed?.type !== 'application/json') return false
  const { params } = parsed
  return (params.get('g') ?? '') === group && (params.get('v') ?? '') === version && (params.get('as') ?? '') === kind
}

const parameter = /\s*;\s*([!#$%&'*+.^_`|~\w-]+)=(?:([!#$%&'*+.^_`|~\w-]+)|"((?:[^"\\]|\\.)*)")/y

function parseMediaType(text: string): { type: string; params: Map<string, string> } | undefined {
  const [, type = ''] = /^\s*([^;\s]*)/.exec(text) ?? []
  const params = new Map<string, string>()
  parameter.lastIndex = text.indexOf(type) + type.length
  let end = parameter.lastIndex
  for (let match = parameter.exec(text); match; match = parameter.exec(text)) {
    const [, name = '', token, quoted = ''] = match
    const key = name.toLowerCase()
    const value = token ?? quoted.replace(/\\(.)/g, '$1')
    // The same parameter with two values makes it no media type.
    if (params.has(key) && params.get(key) !== value) return undefined
    params.set(key, value)
    end = parameter.lastIndex
  }
  return /^[\s;]*$/.test(text.slice(end)) ? { type: type.toLowerCase(), params } : undefined
}
