// gen/informers.ts: the types of the informer factory's accessors.

import { lowerFirstWord, type Model, moduleOf } from './model.js'
import { alias, deprecation, header, quote } from './text.js'

export function informersFile(model: Model): string {
  const modules = new Set<string>()
  const interfaces: string[] = []
  const accessors: string[] = []
  for (const gv of model.clients()) {
    const methods = model.clientResources(gv).flatMap(({ method, methods: verbs, facts }) => {
      if (!verbs.includes('list') || !verbs.includes('watch')) return []
      const type = `${alias(moduleOf(gv))}.${facts.kind}`
      const informer = facts.namespaced ? `NamespacedInformer<${type}, ${quote(method)}>` : `ClusterInformer<${type}>`
      const doc = gv.served && model.isDeprecated(gv, facts.kind) ? `  ${deprecation}\n` : ''
      return [`${doc}  ${method}(): ${informer}\n`]
    })
    if (methods.length === 0) continue
    modules.add(moduleOf(gv))
    const doc = gv.served ? '' : deprecation
    interfaces.push(`${doc && `${doc}\n`}export interface ${gv.accessor}Informers {\n${methods.join('')}}\n`)
    accessors.push(`${doc && `  ${doc}\n`}  ${lowerFirstWord(gv.accessor)}(): ${gv.accessor}Informers\n`)
  }
  const imports = [...modules].sort().map((m) => `import type * as ${alias(m)} from './api/${m}.js'\n`)
  return `${header('spec/')}
import type { ClusterInformer, NamespacedInformer } from '../informers/types.js'
${imports.join('')}
${interfaces.join('\n')}
/** The informers of all group-versions that can be listed and watched. */
export interface InformersByGroupVersion {
${accessors.join('')}}
`
}
