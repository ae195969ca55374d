// The annotation of kubectl's client-side apply: kept up to date, and believed where it says who owns what.

import { isObject, ownMember, parseLossless, type Schema } from '../meta/index.js'
import type { FieldSet } from './field-set.js'
import { jsonValue } from './go-json.js'
import { TypedValue } from './typed-value.js'
import { type JsonObject, keysOf } from './values.js'

const annotation = 'kubectl.kubernetes.io/last-applied-configuration'

/** The most that an object's annotations can hold together, in bytes. */
const annotationsLimit = 256 * 1024

/** What kubectl applied last on the client's side; undefined for nothing. */
export function lastApplied(object: JsonObject): string | undefined {
  const value = annotationsOf(object)?.[annotation]
  return typeof value === 'string' && value !== '' ? value : undefined
}

/** The annotations, where they are what annotations are: texts, and null for an empty one. */
function annotationsOf(object: JsonObject): JsonObject | undefined {
  const metadata = ownMember(object, 'metadata')
  const annotations = isObject(metadata) ? ownMember(metadata, 'annotations') : undefined
  if (!isObject(annotations)) return undefined
  const texts = keysOf(annotations).map((key) => [key, annotations[key] ?? ''] as const)
  return texts.every(([, text]) => typeof text === 'string') ? Object.fromEntries(texts) : undefined
}

/** Without any for undefined. */
const withAnnotations = (object: JsonObject, annotations: JsonObject | undefined): JsonObject => ({
  ...object,
  metadata: { ...(ownMember(object, 'metadata') as JsonObject | undefined), annotations },
})

/** The object with `config` as what was applied last; without the annotation where it would be too much. */
export function withLastApplied(object: JsonObject, config: JsonObject): JsonObject {
  const others = annotationsOf(config)
  const { [annotation]: _, ...rest } = others ?? {}
  const text = `${jsonValue(isObject(ownMember(config, 'metadata')) ? withAnnotations(config, others && rest) : config)}\n`
  const { [annotation]: __, ...kept } = annotationsOf(object) ?? {}
  const annotations = { ...kept, [annotation]: text }
  return withAnnotations(object, byteLength(annotations) > annotationsLimit ? kept : annotations)
}

const encoder = new TextEncoder()

function byteLength(annotations: JsonObject): number {
  let bytes = 0
  for (const [key, value] of Object.entries(annotations)) bytes += encoder.encode(`${key}${value as string}`).length
  return bytes
}

/**
 * What kubectl owns by its annotation: the fields it applied last that are still as it applied them. Undefined where
 * the annotation says nothing, or nothing of this kind and version.
 */
export function ownedByLastApplied(
  live: JsonObject,
  schema: Schema,
  apiVersion: string,
  kind: string,
): FieldSet | undefined {
  const text = lastApplied(live)
  if (text === undefined) return undefined
  try {
    const config = parseLossless(text)
    if (!isObject(config) || ownMember(config, 'apiVersion') !== apiVersion || ownMember(config, 'kind') !== kind)
      return undefined
    const applied = TypedValue.of(config, schema)
    const { modified, added, removed } = applied.compare(TypedValue.of(live, schema))
    return applied.toFieldSet().difference(modified).difference(added).difference(removed)
  } catch {
    return undefined
  }
}
