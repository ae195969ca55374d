// Values with a schema: validated, merged, compared, and parts of them taken out.

import fc from 'fast-check'
import { FieldSet, makePath, reconcileFieldSetWithSchema, SchemaError, TypedValue } from 'kubewright/managedfields'
import type { Schema } from 'kubewright/meta'
import { expect, it } from 'vitest'
import { Random } from '../faults/random.js'
import { runs } from './arbitraries.js'
import { describeWithOracle } from './describe-with-oracle.js'
import { describeSet, type GoSet, normal, seed } from './field-sets.js'
import { kinds, randomSchema, schemaFor, spoiled, Values, withoutData } from './typed-values.js'

interface GoTyped {
  fields: GoSet
  named: GoSet
  removed: unknown
  extract: unknown
  keys: unknown
  merged: { value: unknown; error?: string }
  compared: { value: Record<string, GoSet>; error?: string }
  reconciled: { value: GoSet; error?: string }
}

const outcome = (work: () => unknown): unknown => {
  try {
    return { value: work() ?? null }
  } catch (err) {
    return { value: null, error: (err as Error).message }
  }
}

function ourTyped(schema: Schema, left: unknown, right: unknown, fields: unknown, allowDuplicates: boolean): unknown {
  const lhs = TypedValue.of(left, schema, { allowDuplicates })
  const rhs = TypedValue.of(right, schema, { allowDuplicates })
  const set = FieldSet.fromFieldsV1(fields as never)
  const mine = lhs.toFieldSet()
  return {
    fields: describeSet(mine),
    named: describeSet(mine.ensureNamedFieldsAreMembers(schema)),
    removed: lhs.removeItems(set).value,
    extract: lhs.extractItems(set).value,
    keys: lhs.extractItems(set, { appendKeyFields: true }).value,
    merged: outcome(() => lhs.merge(rhs).value),
    compared: outcome(() => {
      const { added, removed, modified } = lhs.compare(rhs)
      return { added: describeSet(added), removed: describeSet(removed), modified: describeSet(modified) }
    }),
    reconciled: outcome(() => describeSet(reconcileFieldSetWithSchema(set, schema))),
  }
}

/** A part of what a value has, and a little of what it has not. */
function someFields(choices: Random, ...values: FieldSet[]): object {
  const set = FieldSet.of(makePath('other'))
  for (const value of values)
    for (const path of value) if (choices.percent(40)) set.insert(choices.percent(20) ? path.slice(0, -1) : path)
  return set.toFieldsV1()
}

/** Several problems in the order of their texts: Go's is that of its maps. */
function inOrder(outcomes: unknown): object {
  const ordered = (outcome: unknown): unknown => {
    const { error } = (outcome ?? {}) as { error?: unknown }
    return typeof error === 'string' ? { ...(outcome as object), error: error.split('\n').sort().join('\n') } : outcome
  }
  return Object.fromEntries(Object.entries(outcomes as object).map(([name, outcome]) => [name, ordered(outcome)]))
}

describeWithOracle('typed.TypedValue', (oracle) => {
  async function agree(question: Record<string, unknown>, schema: Schema): Promise<void> {
    const { lhs, rhs, set, allowDuplicates } = question
    const go = await oracle.ask<GoTyped>('managedfields.typed', question)
    if ('error' in go) {
      expect(go.panic, go.error).toBeUndefined()
      let ours: unknown
      try {
        ourTyped(schema, lhs, rhs, set, allowDuplicates === true)
      } catch (err) {
        ours = err
      }
      expect(ours, go.error).toBeInstanceOf(SchemaError)
      // The first of many depends on the order of Go's maps, and so does what comes after it.
      const { message, problems } = ours as SchemaError
      if (problems.length === 1 && !go.error.startsWith('errors:')) expect(message).toBe(withoutData(go.error))
      return
    }
    const { fields, named, compared, reconciled, ...rest } = go.result
    const sets =
      compared.value && Object.fromEntries(Object.entries(compared.value).map(([key, value]) => [key, normal(value)]))
    expect(inOrder(ourTyped(schema, lhs, rhs, set, allowDuplicates === true))).toEqual(
      inOrder({
        ...rest,
        fields: normal(fields),
        named: normal(named),
        compared: { ...compared, value: sets },
        reconciled: { ...reconciled, value: reconciled.value && normal(reconciled.value) },
      }),
    )
  }

  it('validates, merges, compares and selects values of built-in kinds as Go does', async () => {
    await fc.assert(
      fc.asyncProperty(seed, async (from) => {
        const choices = new Random(from)
        const [apiVersion, kind] = choices.pick(kinds)
        const schema = schemaFor(apiVersion, kind)
        const allowDuplicates = choices.percent(40)
        const values = new Values(choices, { duplicates: allowDuplicates, nulls: choices.percent(30) ? 5 : 0 })
        const lhs = values.make(schema) ?? {}
        let rhs: unknown = values.make(schema) ?? {}
        const fields = [lhs, rhs].map(
          (value) =>
            outcome(() => TypedValue.of(value, schema, { allowDuplicates: true }).toFieldSet()) as { value?: FieldSet },
        )
        const set = someFields(choices, ...fields.flatMap(({ value }) => (value ? [value] : [])))
        if (choices.percent(30)) rhs = spoiled(choices, rhs)
        await agree({ apiVersion, kind, lhs, rhs, set, allowDuplicates }, schema)
      }),
      runs(800),
    )
  })

  it('does so with any schema', async () => {
    await fc.assert(
      fc.asyncProperty(seed, async (from) => {
        const choices = new Random(from)
        const { schema, yaml } = randomSchema(choices)
        const allowDuplicates = choices.percent(40)
        const values = new Values(choices, {
          duplicates: allowDuplicates,
          nulls: choices.percent(30) ? 10 : 0,
          fieldsOfStruct: 6,
        })
        const lhs = values.make(schema) ?? {}
        let rhs: unknown = values.make(schema) ?? {}
        const fields = [lhs, rhs].map(
          (value) =>
            outcome(() => TypedValue.of(value, schema, { allowDuplicates: true }).toFieldSet()) as { value?: FieldSet },
        )
        const set = someFields(choices, ...fields.flatMap(({ value }) => (value ? [value] : [])))
        if (choices.percent(30)) rhs = spoiled(choices, rhs)
        await agree({ schema: yaml, lhs, rhs, set, allowDuplicates }, schema)
      }),
      runs(1500),
    )
  })

  it('does so with values of which nothing is known', async () => {
    const schema: Schema = { type: 'untyped' }
    await fc.assert(
      fc.asyncProperty(seed, async (from) => {
        const choices = new Random(from)
        const values = new Values(choices)
        const [lhs, rhs] = [values.make(schema), values.make(schema)]
        const set = someFields(
          choices,
          TypedValue.of(lhs, schema).toFieldSet(),
          TypedValue.of(rhs, schema).toFieldSet(),
        )
        await agree({ lhs, rhs, set, allowDuplicates: false }, schema)
      }),
      runs(800),
    )
  })
})
