// Sets of fields: random ones, as FieldsV1 writes them, and how ours and Go's are compared.

import fc from 'fast-check'
import type { FieldSet } from 'kubewright/managedfields'
import type { Random } from '../faults/random.js'

/** What {@link Random} are made from. */
export const seed: fc.Arbitrary<number> = fc.integer({ min: 0, max: 2 ** 31 })

/** What the oracle says of a set. */
export interface GoSet {
  fields: string
  text: string
  size: number
  empty: boolean
}

/** The same of a set of ours. */
export const describeSet = (set: FieldSet): GoSet => ({
  fields: JSON.stringify(set.toFieldsV1()),
  text: String(set),
  size: set.size,
  empty: set.empty,
})

/** Go's text, with the escapes that are JavaScript's. */
export const normal = (set: GoSet): GoSet => ({ ...set, fields: JSON.stringify(JSON.parse(set.fields)) })

/** Elements of paths: good ones, odd ones and one of a kind that nobody knows. */
export const elementTexts: readonly string[] = [
  'f:a',
  'f:b',
  'f:.',
  'f:',
  'f:app.kubernetes.io/name',
  'f:__proto__',
  'f:é',
  'f:\u{1f600}',
  'f:\uffee',
  'f:"quoted"',
  'k:{"name":"a"}',
  'k:{"name":"b"}',
  'k:{"name":"<&>"}',
  'k:{"containerPort":80,"protocol":"TCP"}',
  'k:{"protocol":"TCP","containerPort":8080}',
  'k:{"a":null}',
  'k:{"a":true,"b":1.5}',
  'v:"a"',
  'v:"x\\ny\\u2028"',
  'v:1',
  'v:1.0',
  'v:2e21',
  'v:0.00001',
  'v:true',
  'v:null',
  'i:0',
  'i:7',
  'x:future',
]

/** A set of these. */
export function randomFields(choices: Random, depth = 0): object {
  const fields: Record<string, unknown> = {}
  if (choices.percent(40)) fields['.'] = {}
  for (let left = choices.int(0, 4); left > 0; left--)
    fields[choices.pick(elementTexts)] = depth > 3 || choices.percent(30) ? {} : randomFields(choices, depth + 1)
  return fields
}
