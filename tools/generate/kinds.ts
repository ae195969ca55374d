// gen/kinds.ts: the descriptors of all kinds in two lists, for what has to know the whole API. No client needs it.

import { fileOf, type GroupVersionFacts } from '../spec/format.js'
import type { Model } from './model.js'
import { alias, header } from './text.js'

export function kindsFile(model: Model): string {
  const modules = new Set<string>()
  const namesOf = (home: GroupVersionFacts, served: boolean): string[] => {
    const names = Object.entries(home.definitions).flatMap(([short, { kind }]) => {
      const resource = kind === undefined ? undefined : model.resourceOfKind(home, kind)
      if (!resource || model.verbs(resource).length === 0 || (resource.served !== undefined) !== served) return []
      const { module, type } = model.place(`${fileOf(home)}.${short}`)
      modules.add(module)
      return [`${alias(module)}.${type}`]
    })
    return names.sort()
  }
  const linesOf = (served: boolean): string =>
    model.groupVersions
      .map((home) => namesOf(home, served))
      .filter((names) => names.length > 0)
      .map((names) => `  ${names.join(', ')},\n`)
      .join('')
  const [served, unserved] = [linesOf(true), linesOf(false)]
  const imports = [...modules].sort().map((m) => `import * as ${alias(m)} from './api/${m}.js'\n`)
  return `${header('spec/')}
import type { Kind } from '../meta/kind.js'
${imports.join('')}
type AnyKind = Kind<object, object>

/** The kinds that Kubernetes 1.36 serves, those of versions that have to be turned on included. */
export const servedKinds: readonly AnyKind[] = [
${served}]

/** The kinds that it serves no longer. */
export const unservedKinds: readonly AnyKind[] = [
${unserved}]
`
}
