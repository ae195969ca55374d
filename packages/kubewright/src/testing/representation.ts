// The forms of answers that clients ask for by Accept: whole objects, their metadata, tables.

import type { KubernetesObject, Unstructured } from '../meta/index.js'

/** Makes of an object or a list what was asked for. */
export type Representation = (answer: object) => object

type Listed = KubernetesObject & { readonly items?: readonly Unstructured[] }

const apiVersion = 'meta.k8s.io/v1'

/** What an Accept header asks for, and whether rows of tables carry objects. */
export function representationFor(accept: string, includeObject: string | null): Representation {
  const [, as = ''] = /[;,]\s*as=(\w+)/.exec(accept) ?? []
  if (as.startsWith('PartialObjectMetadata')) return partialOf
  if (as === 'Table') return (answer) => tableOf(answer, includeObject ?? 'Metadata')
  return (answer) => answer
}

function isStatus({ kind }: KubernetesObject): boolean {
  return kind === 'Status'
}

function partialOf(answer: Listed): object {
  if (isStatus(answer)) return answer
  const { metadata, items } = answer
  const kind = 'PartialObjectMetadata'
  if (!items) return { kind, apiVersion, metadata }
  return { kind: `${kind}List`, apiVersion, metadata, items: items.map(partialOf) }
}

const columnDefinitions = [
  { name: 'Name', type: 'string', format: 'name', description: 'Name of the object', priority: 0 },
  { name: 'Created At', type: 'date', format: '', description: 'When the object was created', priority: 0 },
]

/** The columns of a server that knows no others. */
function tableOf(answer: Listed, includeObject: string): object {
  if (isStatus(answer)) return answer
  const { resourceVersion, ...more } = (answer.metadata ?? {}) as Record<string, unknown>
  const page = answer.items ? { continue: more['continue'], remainingItemCount: more['remainingItemCount'] } : {}
  const objects = answer.items ?? [answer as Unstructured]
  const rows = objects.map((object) => {
    const included = { None: undefined, Object: object, Metadata: partialOf(object) }[includeObject]
    const { name, creationTimestamp } = object.metadata
    return { cells: [name, creationTimestamp], ...(included && { object: included }) }
  })
  return { kind: 'Table', apiVersion, metadata: { resourceVersion, ...page }, columnDefinitions, rows }
}
