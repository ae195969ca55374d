// gen/scalars.ts: the types of values that are strings, numbers or anything at all.

import { header } from './text.js'

export function scalarsFile(): string {
  return `${header('tools/generate/scalars.ts')}
/** RFC 3339 time with seconds: \`2026-01-02T03:04:05Z\`. */
export type Time = string

/** RFC 3339 time with microseconds: \`2026-01-02T03:04:05.000006Z\`. */
export type MicroTime = string

/** Go duration: \`1h30m\`, \`10s\`. */
export type Duration = string

/** Bytes in base64. */
export type Base64 = string

/** An amount with an optional suffix: \`500m\`, \`1Gi\`, \`2\`. The server sends strings. */
export type Quantity = string | number

/** A number, or a string such as a port's name or a percentage. */
export type IntOrString = number | string

/** Any object: one of another kind, or the configuration of a plugin. */
export type RawExtension = object

/** A set of fields of an object: keys \`f:<name>\`, \`k:<keys>\`, \`v:<value>\`, \`i:<index>\` and \`.\`, nested. */
export interface FieldsV1 {
  [key: string]: FieldsV1
}

/** Any JSON value. */
export type JsonValue = unknown
`
}
