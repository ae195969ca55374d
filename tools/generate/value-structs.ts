// gen/value-structs.ts: what Go's JSON has of objects that have nothing, for what stands in for a server.

import { type Definition, fileOf, type GroupVersionFacts, type Schema } from '../spec/format.js'
import type { Model } from './model.js'
import { definitionName } from './schema.js'
import { header, literal, quote } from './text.js'

type Test = (key: string, schema: Schema, definition: Definition, home: GroupVersionFacts) => boolean

export function valueStructsFile(model: Model): string {
  const linesOf = (test: Test): string =>
    model.groupVersions
      .flatMap((home) =>
        Object.entries(home.definitions).flatMap(([short, definition]) => {
          const properties = Object.entries(definition.properties ?? {})
          const fields = properties.filter(([key, schema]) => test(key, schema, definition, home)).map(([key]) => key)
          const name = definitionName(`${fileOf(home)}.${short}`, home)
          return fields.length === 0 ? [] : [`  ${quote(name)}: ${literal(fields)},\n`]
        }),
      )
      .join('')
  return `${header('spec/')}
type FieldsByDefinition = Readonly<Record<string, readonly string[]>>

/**
 * By the name of a definition, as in its schema: the fields that are structs held by value in Go, which are never absent in
 * what a server sends.
 */
export const valueStructs: FieldsByDefinition = {
${linesOf((_key, schema, _definition, home) => model.isValueStruct(schema, home))}}

/** The fields that Go writes as null where they have no value: required lists, maps and pointers. */
export const requiredNulls: FieldsByDefinition = {
${linesOf((key, schema, definition, home) => {
  if (!definition.required?.includes(key) || model.isValueStruct(schema, home)) return false
  return schema.nullable === true || (schema.ref !== undefined && schema.default === undefined)
})}}
`
}
