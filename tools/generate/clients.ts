// gen/clients/<group>/<version>.ts and gen/clientset.ts: the types of the typed clients, composed of the interfaces of
// their verbs.

import { fileOf, type GroupVersionFacts } from '../spec/format.js'
import {
  type ClientResource,
  commonMethods,
  lowerFirstWord,
  type Model,
  moduleOf,
  scaleMethods,
  statusMethods,
} from './model.js'
import { alias, deprecation, header } from './text.js'

/** The interface of each verb. `T`, `W`, `L` stand for the types read, written and listed, `S`, `SW` for the Scale's. */
const verbInterfaces: Readonly<Record<string, string>> = {
  create: 'Creates<T, W>',
  update: 'Updates<T, W>',
  updateStatus: 'UpdatesStatus<T, W>',
  delete: 'Deletes<T>',
  deleteCollection: 'DeletesCollection',
  get: 'Gets<T>',
  list: 'Lists<T, L>',
  watch: 'Watches<T>',
  patch: 'Patches<T>',
  apply: 'Applies<T, W>',
  applyStatus: 'AppliesStatus<T, W>',
  getScale: 'GetsScale<S>',
  updateScale: 'UpdatesScale<S, SW>',
  applyScale: 'AppliesScale<S, SW>',
}

/** Hand-written interfaces in kubernetes/expansions.ts, by what they are for. */
const expansions: Readonly<Record<string, string>> = {
  'certificates/v1.CertificateSigningRequest': 'CertificateSigningRequestExpansion<T, W>',
  'certificates/v1beta1.CertificateSigningRequest': 'CertificateSigningRequestExpansion<T, W>',
  'core/v1.Event': 'CoreEventExpansion',
  'core/v1.Namespace': 'NamespaceExpansion',
  'core/v1.Node': 'NodeExpansion',
  'core/v1.Pod': 'PodExpansion',
  'core/v1.Service': 'ServiceExpansion',
  'core/v1.ServiceAccount': 'ServiceAccountExpansion',
  'events/v1beta1.Event': 'EventExpansion<T, W>',
  'extensions/v1beta1.Deployment': 'DeploymentExpansion',
  'policy/v1.Eviction': 'EvictionExpansion<W>',
  'policy/v1beta1.Eviction': 'EvictionExpansion<W>',
}

/** The clients of a group-version, by path below gen/clients. */
export function clientFiles(model: Model): Map<string, string> {
  return new Map(model.clients().map((gv) => [`${moduleOf(gv)}.ts`, clientModule(model, gv)]))
}

function clientModule(model: Model, gv: GroupVersionFacts & { accessor: string }): string {
  const modules = new Set<string>([moduleOf(gv)])
  const verbs = new Set<string>(['GroupVersionClient'])
  const expanded = new Set<string>()
  const api = alias(moduleOf(gv))
  const resources = model.clientResources(gv)
  const interfaces = resources.map((resource) => {
    const bases = basesOf(model, gv, resource, modules).map((base) => {
      const name = base.replace(/<.*/, '')
      ;(name.endsWith('Expansion') ? expanded : verbs).add(name)
      const type = `${api}.${resource.facts.kind}`
      return base.replace(/\bT\b/, type).replace(/\bW\b/, `${type}Input`).replace(/\bL\b/, `${type}List`)
    })
    return `export interface ${resource.facts.kind}Interface extends ${bases.join(', ')} {}\n`
  })
  const accessors = resources.map(({ method, facts }) => {
    const doc = gv.served && model.isDeprecated(gv, facts.kind) ? `  ${deprecation}\n` : ''
    return `${doc}  ${method}(${facts.namespaced ? 'namespace?: string' : ''}): ${facts.kind}Interface\n`
  })
  const imports = [
    ...[...modules].sort().map((m) => `import type * as ${alias(m)} from '../../api/${m}.js'`),
    ...(expanded.size > 0
      ? [`import type { ${[...expanded].sort().join(', ')} } from '../../../kubernetes/expansions.js'`]
      : []),
    `import type { ${[...verbs].sort().join(', ')} } from '../../../kubernetes/verbs.js'`,
  ]
  return `${header(`spec/${fileOf(gv)}.json`)}
${imports.join('\n')}

${interfaces.join('\n')}
${gv.served ? '' : `${deprecation}\n`}export interface ${gv.accessor}Interface extends GroupVersionClient {
${accessors.join('')}}
`
}

function basesOf(model: Model, gv: GroupVersionFacts, resource: ClientResource, modules: Set<string>): string[] {
  const left = new Set([...resource.methods, ...(resource.facts.client.expansion ?? []).map(lowerFirstWord)])
  const take = (methods: readonly string[]) => {
    const has = methods.every((m) => left.has(m))
    if (has) for (const m of methods) left.delete(m)
    return has
  }
  const bases: string[] = []
  const { scale } = resource.facts.client
  if (take([...commonMethods, ...statusMethods]))
    bases.push(scale === undefined ? 'StatusResourceClient<T, W, L>' : 'ScalableResourceClient<T, W, L, S>')
  else if (take(commonMethods)) bases.push('ResourceClient<T, W, L>')
  if (take(scaleMethods)) bases.push('Scales<S, SW>')
  for (const [method, verb] of Object.entries(verbInterfaces)) if (take([method])) bases.push(verb)
  if (left.size > 0) {
    // What is left is particular to the resource: its hand-written interface declares all of it.
    const expansion = expansions[`${moduleOf(gv)}.${resource.facts.kind}`]
    if (!expansion)
      throw new Error(`generating ${moduleOf(gv)}: no interface has ${[...left]} of ${resource.facts.kind}`)
    bases.push(expansion)
  }
  if (scale === undefined) return bases
  const { module, type } = model.place(model.resolve(scale, gv))
  modules.add(module)
  const name = `${alias(module)}.${type}`
  return bases.map((base) => base.replace(/\bS\b/, name).replace(/\bSW\b/, `${name}Input`))
}

export function clientsetFile(model: Model): string {
  const clients = model.clients()
  const imports = clients.map((gv) => `import type { ${gv.accessor}Interface } from './clients/${moduleOf(gv)}.js'\n`)
  const accessors = clients.map((gv) => {
    const doc = gv.served ? '' : `  ${deprecation}\n`
    return `${doc}  ${lowerFirstWord(gv.accessor)}(): ${gv.accessor}Interface\n`
  })
  return `${header('spec/')}
import type { ClientsetBase } from '../kubernetes/verbs.js'
${imports.join('')}
/** The typed clients of all group-versions. */
export interface ClientsetInterface extends ClientsetBase {
${accessors.join('')}}
`
}
