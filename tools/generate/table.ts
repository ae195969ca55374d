// gen/table.ts: what the typed clients are made from at run time. Every program loads it, so it is written compactly.

import { fileOf } from '../spec/format.js'
import { commonMethods, lowerFirstWord, type Model, scaleMethods, statusMethods } from './model.js'
import { header, literal, quote } from './text.js'

/** Sets of methods that many resources have, by the name of their constant in the table. */
const methodSets: readonly [string, readonly string[]][] = [
  ['all', commonMethods],
  ['status', [...commonMethods, ...statusMethods]],
  ['scaled', [...commonMethods, ...statusMethods, ...scaleMethods]],
]

export function tableFile(model: Model): string {
  const groupVersions = model.clients().map((gv) => {
    const resources = model.clientResources(gv).map(({ plural, method, methods, facts }) => {
      const scale = facts.client.scale === undefined ? undefined : model.home(model.resolve(facts.client.scale, gv))
      const args = [quote(facts.kind), quote(plural), String(facts.namespaced), methodList(methods)]
      if (scale) args.push(quote(fileOf(scale)))
      return `    ${method}: r(${args.join(', ')}),\n`
    })
    const deprecated = gv.served ? '' : ', deprecated: true'
    const facts = `group: ${quote(gv.group)}, version: ${quote(gv.version)}${deprecated}`
    return `  ${lowerFirstWord(gv.accessor)}: { ${facts}, resources: {\n${resources.join('')}  } },\n`
  })
  const sets = methodSets.map(([name, methods]) => `const ${name}: readonly string[] = ${literal(methods)}\n`)
  return `${header('spec/')}
/** What a typed client has to know of its resource. */
export interface ResourceFacts {
  /** The resource's name in URLs: \`deployments\`. */
  readonly plural: string
  readonly kind: string
  /** Lower-case kind, as messages of listers name a missing object. */
  readonly singular: string
  readonly namespaced: boolean
  /** The client's methods, those of its expansion excepted. */
  readonly methods: readonly string[]
  /** The apiVersion of its Scale, where it has one. */
  readonly scale?: string
}

/** A group-version and its resources, by accessor. */
export interface GroupVersionFacts {
  readonly group: string
  readonly version: string
  /** Kubernetes 1.36 serves none of it. */
  readonly deprecated?: boolean
  readonly resources: Readonly<Record<string, ResourceFacts>>
}

${sets.join('')}
const r = (kind: string, plural: string, namespaced: boolean, methods: readonly string[], scale?: string): ResourceFacts => ({
  kind,
  plural,
  singular: kind.toLowerCase(),
  namespaced,
  methods,
  ...(scale === undefined ? {} : { scale }),
})

/** Every group-version with a typed client, by accessor: \`appsV1\`. */
export const resourceTable: Readonly<Record<string, GroupVersionFacts>> = {
${groupVersions.join('')}}
`
}

function methodList(methods: readonly string[]): string {
  const same = methodSets.find(([, set]) => set.length === methods.length && set.every((m) => methods.includes(m)))
  return same ? same[0] : literal(methods)
}
