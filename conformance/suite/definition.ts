// Definitions of the suites' custom resources: namespaced kinds of one version, each suite's in a group of its own.

import type { CustomResourceDefinitionInput } from 'kubewright/api/apiextensions/v1'

type Version = CustomResourceDefinitionInput['spec']['versions'][number]
type Schema = NonNullable<NonNullable<Version['schema']>['openAPIV3Schema']>

/** What a definition says beside its names. */
export interface DefinitionFacts extends Partial<Omit<Version, 'name' | 'served' | 'storage' | 'schema'>> {
  readonly shortNames?: string[]
  readonly categories?: string[]
  /** Of the objects, beside what every object has. */
  readonly properties: NonNullable<Schema['properties']>
}

/** The definition of `kind`, whose resource is named as most are: `widgets` of `Widget`. The server knows the other names. */
export function definitionOf(
  group: string,
  kind: string,
  { shortNames, categories, properties, ...version }: DefinitionFacts,
): CustomResourceDefinitionInput & { metadata: { name: string } } {
  const plural = `${kind.toLowerCase()}s`
  return {
    metadata: { name: `${plural}.${group}` },
    spec: {
      group,
      scope: 'Namespaced',
      names: { kind, plural, ...(shortNames && { shortNames }), ...(categories && { categories }) },
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          schema: { openAPIV3Schema: { type: 'object', properties } },
          ...version,
        },
      ],
    },
  }
}
