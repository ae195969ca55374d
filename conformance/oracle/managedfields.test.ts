import fc from 'fast-check'
import type { ManagedFieldsEntry } from 'kubewright/api/meta/v1'
import { FakeClock } from 'kubewright/clock'
import {
  alreadyApplied,
  anyElement,
  excludeFields,
  extract,
  FieldManager,
  FieldSet,
  findFieldsOwners,
  formatPath,
  includeFields,
  makePath,
  type PathElement,
  parseElement,
  reconcileFieldSetWithSchema,
  ScaleHandler,
  SchemaError,
  TypedValue,
  upgradeManagedFields,
  upgradeManagedFieldsPatch,
} from 'kubewright/managedfields'
import { ApiError, deepCopy, parseGroupVersion, type Schema } from 'kubewright/meta'
import { schemaForKind } from 'kubewright/schema'
import { expect, it } from 'vitest'
import { runs } from './arbitraries.js'
import { describeWithOracle } from './describe-with-oracle.js'
import { Choices, randomSchema, spoiled, Values } from './typed-values.js'

interface GoSet {
  fields: string
  text: string
  size: number
  empty: boolean
}

const describeSet = (set: FieldSet): GoSet => ({
  fields: JSON.stringify(set.toFieldsV1()),
  text: String(set),
  size: set.size,
  empty: set.empty,
})

/** Go's text, with the escapes that are JavaScript's. */
const normal = (set: GoSet): GoSet => ({ ...set, fields: JSON.stringify(JSON.parse(set.fields)) })

const schemaFor = (apiVersion: string, kind: string): Schema => {
  const schema = schemaForKind({ ...parseGroupVersion(apiVersion), kind })
  if (!schema) throw new Error(`there is no schema of ${apiVersion} ${kind}`)
  return schema
}

const seed = fc.integer({ min: 0, max: 2 ** 31 })

const elementTexts = [
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

function randomFields(choices: Choices, depth = 0): object {
  const fields: Record<string, unknown> = {}
  if (choices.often(0.4)) fields['.'] = {}
  for (let left = choices.below(5); left > 0; left--)
    fields[choices.of(elementTexts)] = depth > 3 || choices.often(0.3) ? {} : randomFields(choices, depth + 1)
  return fields
}

describeWithOracle('fieldpath.Set', (oracle) => {
  it('operates on sets, and writes them, as Go does', async () => {
    await fc.assert(
      fc.asyncProperty(seed, async (from) => {
        const choices = new Choices(from)
        const [inA, inB] = [randomFields(choices), randomFields(choices)]
        const go = await oracle.ask<Record<string, unknown>>('managedfields.sets', { a: inA, b: inB })
        if ('error' in go) throw new Error(go.error)
        const a = FieldSet.fromFieldsV1(inA as never)
        const b = FieldSet.fromFieldsV1(inB as never)
        const children = a.elements.filter((each) => each.children)
        const ours = {
          a: describeSet(a),
          b: describeSet(b),
          union: describeSet(a.union(b)),
          intersection: describeSet(a.intersection(b)),
          difference: describeSet(a.difference(b)),
          recursiveDifference: describeSet(a.recursiveDifference(b)),
          leaves: describeSet(a.leaves()),
          equal: a.equals(b),
          has: Array.from(b, (path) => a.has(path)),
          withPrefix: children.map(({ element }) => describeSet(b.withPrefix(element))),
        }
        const theirs = Object.fromEntries(
          Object.entries(go.result).map(([key, value]) => {
            if (Array.isArray(value))
              return [key, value.map((each) => (typeof each === 'object' ? normal(each) : each))]
            return [key, typeof value === 'object' ? normal(value as GoSet) : value]
          }),
        )
        expect(ours).toEqual(theirs)
        const rebuilt = FieldSet.of(...a)
        expect(rebuilt.equals(a)).toBe(true)
      }),
      runs(1000),
    )
  })

  it('filters sets as Go does', async () => {
    await fc.assert(
      fc.asyncProperty(seed, async (from) => {
        const choices = new Choices(from)
        const set = FieldSet.fromFieldsV1(randomFields(choices) as never)
        const exclude = FieldSet.fromFieldsV1(randomFields(choices) as never)
        // One pattern for each first element: see the differences.
        const firsts = elementTexts.filter((text) => parseElement(text) && text !== 'v:1.0' && choices.often(0.15))
        const include = firsts.map((first) => [
          first,
          ...Array.from({ length: choices.below(3) }, () => choices.of(['*', '*', 'f:a', 'k:{"name":"a"}'])),
        ])
        const go = await oracle.ask<{ include: GoSet; exclude: GoSet }>('managedfields.filters', {
          set: set.toFieldsV1(),
          exclude: exclude.toFieldsV1(),
          include: include.length > 0 ? include : [['f:nothing']],
        })
        if ('error' in go) throw new Error(go.error)
        const patterns = include.map((texts) =>
          texts.map((text) => (text === '*' ? anyElement : (parseElement(text) as PathElement))),
        )
        expect({
          include: describeSet(includeFields(...patterns)(set)),
          exclude: describeSet(excludeFields(exclude)(set)),
        }).toEqual({ include: normal(go.result.include), exclude: normal(go.result.exclude) })
      }),
      runs(1000),
    )
  })

  it.each(['abc', 'f', 'k:', 'k:5', 'v:', 'i:x', 'k:{"a"}'])('refuses the element %j', async (text) => {
    const go = await oracle.ask('managedfields.sets', { a: { [text]: {} } })
    expect('error' in go).toBe(true)
    expect(() => FieldSet.fromFieldsV1({ [text]: {} })).toThrow('parsing key as path element')
  })
})

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

const kinds = [
  ['apps/v1', 'Deployment'],
  ['v1', 'Pod'],
  ['v1', 'Service'],
  ['v1', 'Node'],
  ['v1', 'ConfigMap'],
  ['networking.k8s.io/v1', 'Ingress'],
] as const

/** A part of what a value has, and a little of what it has not. */
function someFields(choices: Choices, ...values: FieldSet[]): object {
  const set = FieldSet.of(makePath('other'))
  for (const value of values)
    for (const path of value) if (choices.often(0.4)) set.insert(choices.often(0.2) ? path.slice(0, -1) : path)
  return set.toFieldsV1()
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
      if (problems.length === 1 && !go.error.startsWith('errors:')) expect(message).toBe(go.error)
      return
    }
    const { fields, named, compared, reconciled, ...rest } = go.result
    const sets =
      compared.value && Object.fromEntries(Object.entries(compared.value).map(([key, value]) => [key, normal(value)]))
    expect(ourTyped(schema, lhs, rhs, set, allowDuplicates === true)).toEqual({
      ...rest,
      fields: normal(fields),
      named: normal(named),
      compared: { ...compared, value: sets },
      reconciled: { ...reconciled, value: reconciled.value && normal(reconciled.value) },
    })
  }

  it('validates, merges, compares and selects values of built-in kinds as Go does', async () => {
    await fc.assert(
      fc.asyncProperty(seed, async (from) => {
        const choices = new Choices(from)
        const [apiVersion, kind] = choices.of(kinds)
        const schema = schemaFor(apiVersion, kind)
        const allowDuplicates = choices.often(0.4)
        const values = new Values(choices, { duplicates: allowDuplicates, nulls: choices.often(0.3) ? 0.05 : 0 })
        const lhs = values.make(schema) ?? {}
        let rhs: unknown = values.make(schema) ?? {}
        const fields = [lhs, rhs].map(
          (value) =>
            outcome(() => TypedValue.of(value, schema, { allowDuplicates: true }).toFieldSet()) as { value?: FieldSet },
        )
        const set = someFields(choices, ...fields.flatMap(({ value }) => (value ? [value] : [])))
        if (choices.often(0.3)) rhs = spoiled(choices, rhs)
        await agree({ apiVersion, kind, lhs, rhs, set, allowDuplicates }, schema)
      }),
      runs(800),
    )
  })

  it('does so with any schema', async () => {
    await fc.assert(
      fc.asyncProperty(seed, async (from) => {
        const choices = new Choices(from)
        const { schema, yaml } = randomSchema(choices)
        const allowDuplicates = choices.often(0.4)
        const values = new Values(choices, {
          duplicates: allowDuplicates,
          nulls: choices.often(0.3) ? 0.1 : 0,
          fieldsOfStruct: 6,
        })
        const lhs = values.make(schema) ?? {}
        let rhs: unknown = values.make(schema) ?? {}
        const fields = [lhs, rhs].map(
          (value) =>
            outcome(() => TypedValue.of(value, schema, { allowDuplicates: true }).toFieldSet()) as { value?: FieldSet },
        )
        const set = someFields(choices, ...fields.flatMap(({ value }) => (value ? [value] : [])))
        if (choices.often(0.3)) rhs = spoiled(choices, rhs)
        await agree({ schema: yaml, lhs, rhs, set, allowDuplicates }, schema)
      }),
      runs(1500),
    )
  })

  it('does so with values of which nothing is known', async () => {
    const schema: Schema = { type: 'untyped' }
    await fc.assert(
      fc.asyncProperty(seed, async (from) => {
        const choices = new Choices(from)
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

const metadataWithout = [
  'managedFields',
  'name',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
]
const metadataName = 'io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta'
const managers = ['kubectl', 'operator', 'autoscaler', 'kubectl-client-side-apply', '<"x">']

interface Step {
  verb: 'apply' | 'update'
  object: Record<string, unknown>
  manager: string
  force: boolean
}

interface StepResult {
  object?: Record<string, unknown>
  error?: string
  code?: number
  causes?: string[]
}

/** An object with a few changes. */
function edited(
  choices: Choices,
  live: Record<string, unknown>,
  other: Record<string, unknown>,
): Record<string, unknown> {
  const copy = deepCopy<Record<string, unknown>>(live)
  const edit = (target: Record<string, unknown>, source: Record<string, unknown>, depth: number): void => {
    for (const key of new Set([...Object.keys(target), ...Object.keys(source)])) {
      if (key === '__proto__' || ['apiVersion', 'kind', 'managedFields', 'name'].includes(key)) continue
      const [mine, its] = [target, source].map((each) => (Object.hasOwn(each, key) ? each[key] : undefined))
      if (isObject(mine) && isObject(its) && choices.often(0.8)) edit(mine, its, depth + 1)
      else if (its !== undefined && choices.often(0.5)) target[key] = its
      else if (depth > 0 && choices.often(0.15)) delete target[key]
    }
  }
  edit(copy, other, 0)
  return copy
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const start = Date.UTC(2001, 0, 1)

describeWithOracle('managedfields.FieldManager', (oracle) => {
  /** How often an apply was known to change nothing. */
  let certain = 0

  interface Case {
    apiVersion: string
    kind: string
    versions: readonly string[]
    subresource?: string
    reset?: object
    empty?: object
    deduced?: boolean
  }

  function managerOf(test: Case, schema: Schema, clock: FakeClock): FieldManager {
    const { apiVersion, kind, versions, subresource, reset, empty } = test
    return new FieldManager({
      apiVersion,
      kind,
      schema,
      clock,
      ...(subresource && { subresource }),
      ...(empty && { emptyObject: empty }),
      ...(reset && { resetFields: { [apiVersion]: excludeFields(FieldSet.fromFieldsV1(reset as never)) } }),
      converter: (object, to) =>
        versions.includes(to)
          ? { object: { ...object, apiVersion: to }, schema: test.deduced ? schema : schemaFor(to, kind) }
          : undefined,
    })
  }

  async function agree(from: number, length: number, deduced: boolean): Promise<number> {
    const choices = new Choices(from)
    const [apiVersion, kind] = choices.of(kinds)
    const schema: Schema = deduced ? { type: 'untyped' } : schemaFor(apiVersion, kind)
    const test: Case = {
      apiVersion,
      kind,
      deduced,
      versions:
        apiVersion === 'apps/v1' && choices.often(0.5) ? ['apps/v1', 'apps/v1beta2', 'apps/v1beta1'] : [apiVersion],
      ...(choices.often(0.2) && { subresource: 'status' }),
      ...(choices.often(0.3) && { reset: { 'f:status': {} } }),
      ...(choices.often(0.3) && { empty: { metadata: {}, spec: {} } }),
    }
    const values = new Values(choices, {
      fieldsOfStruct: 3,
      maxDepth: 8,
      without: { [metadataName]: metadataWithout },
      always: {
        [metadataName]: ['labels', 'annotations'],
        'io.k8s.api.apps.v1.DeploymentSpec': ['replicas', 'template'],
        'io.k8s.api.core.v1.PodTemplateSpec': ['spec'],
        'io.k8s.api.core.v1.PodSpec': ['containers'],
        'io.k8s.api.core.v1.Container': ['name', 'ports', 'env'],
      },
    })
    const make = (): Record<string, unknown> => {
      const known = schemaFor(apiVersion, kind)
      const made = (values.make(known) ?? {}) as Record<string, unknown>
      const metadata = { ...(made.metadata as object | undefined), name: 'x' }
      return { ...made, apiVersion, kind, metadata }
    }
    const clock = new FakeClock(start)
    const ours = managerOf(test, schema, clock)
    const steps: Step[] = []
    const results: StepResult[] = []
    let live: Record<string, unknown> | undefined
    const first = choices.often(0.2) ? make() : undefined
    if (first) {
      // Stored before anybody's fields were managed.
      ;(first.metadata as Record<string, unknown>).uid = '1'
      if (choices.often(0.5))
        (first.metadata as Record<string, unknown>).annotations = { [annotation]: JSON.stringify(make()) }
      live = first
    }
    for (let i = 0; i < length; i++) {
      const step: Step = {
        verb: choices.often(0.6) ? 'apply' : 'update',
        object: make(),
        manager: choices.of(length > 12 ? [...managers, ...Array.from({ length: 15 }, (_, n) => `m${n}`)] : managers),
        force: choices.often(0.3),
      }
      const annotations = (step.object.metadata as Record<string, unknown>).annotations as
        | Record<string, unknown>
        | undefined
      if (step.manager === 'kubectl-client-side-apply' && annotations && choices.often(0.6))
        annotations[annotation] = JSON.stringify({ ...step.object, metadata: { name: 'x' } })
      if (step.verb === 'update' && live && choices.often(0.8)) step.object = edited(choices, live, step.object)
      if (step.verb === 'update') editEntries(choices, step.object)
      if (step.verb === 'apply' && choices.often(0.05))
        step.object = spoiled(choices, step.object) as Record<string, unknown>
      // Said again, what is applied changes nothing.
      const last = steps.at(-1)
      if (step.verb === 'apply' && last?.verb === 'apply' && choices.often(0.3))
        Object.assign(step, structuredClone(last))
      steps.push(structuredClone(step))
      const { subresource = '' } = test
      const already =
        step.verb === 'apply' &&
        live !== undefined &&
        alreadyApplied(live, step.object, step.manager, schema, { subresource })
      if (already) certain++
      const [before, given] = [JSON.stringify(live), JSON.stringify(step.object)]
      const result = run(ours, live, step)
      expect(JSON.stringify(live)).toBe(before)
      expect(JSON.stringify(step.object)).toBe(given)
      if (already) expect(result.object).toEqual(live)
      if (result.object) live = result.object
      results.push(result)
      await clock.advance(1000)
    }
    const go = await oracle.ask<StepResult[]>('managedfields.sequence', { ...test, live: first, steps })
    if ('error' in go) throw new Error(go.error)
    for (const [i, result] of results.entries()) {
      const theirs = go.result[i] ?? {}
      const what = `step ${i} of seed ${from}: ${JSON.stringify(steps[i])}`
      if (theirs.error?.includes('errors:') || result.error?.includes('errors:')) {
        expect(Boolean(result.error), `${what}: ${theirs.error}`).toBe(Boolean(theirs.error))
      } else expect(result, what).toEqual(theirs)
    }
    if (live && !deduced) await agreeOnExtracts(live, schema)
    return results.filter(({ object }) => object).length
  }

  const annotation = 'kubectl.kubernetes.io/last-applied-configuration'

  function editEntries(choices: Choices, object: Record<string, unknown>): void {
    const metadata = object.metadata as { managedFields?: Record<string, unknown>[] }
    const what = choices.below(12)
    if (what === 0) delete metadata.managedFields
    else if (what === 1) metadata.managedFields = [{}]
    else if (what === 2 && metadata.managedFields?.[0]) delete metadata.managedFields[0].fieldsType
    else if (what === 3 && metadata.managedFields?.[0])
      metadata.managedFields[0].apiVersion = choices.of(['apps/v1beta2', 'old/v1'])
  }

  function run(ours: FieldManager, live: Record<string, unknown> | undefined, step: Step): StepResult {
    try {
      if (step.verb === 'update') return { object: ours.update(live, step.object, step.manager) }
      return { object: ours.apply(live, step.object, step.manager, { force: step.force }) }
    } catch (err) {
      if (!(err instanceof ApiError)) return { error: (err as Error).message }
      const { code, message = '', details } = err.status
      const causes = details?.causes?.map(({ reason, message: text, field }) => `${reason} ${text} ${field}`).sort()
      return { error: message, ...(code && { code }), ...(causes && { causes }) }
    }
  }

  async function agreeOnExtracts(live: Record<string, unknown>, schema: Schema): Promise<void> {
    for (const manager of [...managers, 'nobody'])
      for (const subresource of ['', 'status']) {
        const go = await oracle.ask('managedfields.extract', { object: live, manager, subresource })
        let ours: unknown
        try {
          ours = { result: extract(live as { metadata?: object }, manager, schema, { subresource }) }
        } catch (err) {
          ours = { error: (err as Error).message }
        }
        if ('error' in go && go.error.includes('errors:')) expect(ours).toHaveProperty('error')
        else expect(ours, JSON.stringify({ live, manager })).toEqual(go)
      }
  }

  it('maintains managed fields through updates and applies as Go does', async () => {
    let changes = 0
    const settings = runs(500)
    await fc.assert(
      fc.asyncProperty(seed, async (from) => {
        changes += await agree(from, 6, false)
      }),
      settings,
    )
    // Most of what is asked is answered by more than an error.
    expect(changes).toBeGreaterThan(settings.numRuns)
    expect(certain).toBeGreaterThanOrEqual(Math.floor(settings.numRuns / 50))
  })

  it('remembers the latest ten managers of updates as Go does', async () => {
    const { numRuns, seed: first } = runs(300)
    await fc.assert(
      fc.asyncProperty(seed, async (from) => {
        await agree(from, 40, false)
      }),
      // As many steps as the others have, or so.
      { numRuns: Math.ceil(numRuns / 10), seed: first },
    )
  })

  it('does so for kinds of which nothing is known', async () => {
    await fc.assert(
      fc.asyncProperty(seed, async (from) => {
        await agree(from, 6, true)
      }),
      runs(200),
    )
  })
})

describeWithOracle('managedfields.ScaleHandler', (oracle) => {
  it('translates entries between an object and its scale as Go does', async () => {
    await fc.assert(
      fc.asyncProperty(seed, async (from) => {
        const choices = new Choices(from)
        const versions = ['apps/v1', 'apps/v1beta1', 'old/v1']
        const entry = (apiVersion: string, fields: (readonly string[])[]): ManagedFieldsEntry => ({
          manager: choices.of(['a', 'b', 'c']),
          operation: choices.of(['Apply', 'Update']),
          apiVersion,
          time: `2026-01-0${1 + choices.below(3)}T00:00:00Z`,
          fieldsType: 'FieldsV1',
          fieldsV1: FieldSet.of(
            ...fields.filter(() => choices.often(0.6)).map((path) => makePath(...path)),
          ).toFieldsV1(),
          ...(choices.often(0.3) && { subresource: 'scale' }),
        })
        const replicas = ['spec', 'replicas']
        const many = <T>(make: () => T): T[] => Array.from({ length: choices.below(5) }, make)
        const parent = many(() => entry(choices.of(versions), [replicas, ['spec', 'paused'], ['spec', 'instances']]))
        const scale = many(() => entry('autoscaling/v1', [replicas, ['metadata', 'labels', 'a']]))
        const paths = {
          'apps/v1': replicas,
          ...(choices.often(0.7) && { 'apps/v1beta1': choices.often(0.5) ? null : ['spec', 'instances'] }),
        }
        const go = await oracle.ask('managedfields.scale', { parent, scale, apiVersion: 'apps/v1', paths })
        if ('error' in go) throw new Error(go.error)
        const ofPaths = Object.fromEntries(
          Object.entries(paths).map(([version, path]) => [version, path && makePath(...path)]),
        )
        const handler = new ScaleHandler(parent, 'apps/v1', ofPaths)
        expect({ subresource: handler.toSubresource() ?? null, parent: handler.toParent(scale) ?? null }).toEqual(
          go.result,
        )
      }),
      runs(800),
    )
  })
})

describeWithOracle('csaupgrade', (oracle) => {
  it('upgrades managed fields as Go does', async () => {
    await fc.assert(
      fc.asyncProperty(seed, async (from) => {
        const choices = new Choices(from)
        const names = ['kubectl', 'kubectl-client-side-apply', 'before-first-apply', 'other']
        const entries: ManagedFieldsEntry[] = Array.from({ length: choices.below(6) }, () => ({
          manager: choices.of(names),
          operation: choices.of(['Apply', 'Update', 'Update']),
          apiVersion: choices.of(['apps/v1', 'apps/v1', 'apps/v1beta1']),
          fieldsType: 'FieldsV1',
          fieldsV1: sortedFields(randomFields(choices)) as NonNullable<ManagedFieldsEntry['fieldsV1']>,
          ...(choices.often(0.2) && { subresource: 'status' }),
        }))
        const object = {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          metadata: { name: 'x', resourceVersion: '7', ...(entries.length > 0 && { managedFields: entries }) },
        }
        // One at a time: Go takes them in any order.
        const csa = choices.of(names)
        const ssa = choices.of(names)
        const subresource = choices.often(0.2) ? 'status' : ''
        const go = await oracle.ask<Record<string, unknown>>('managedfields.csaupgrade', {
          object,
          csa: [csa],
          ssa,
          subresource,
        })
        if ('error' in go) throw new Error(go.error)
        const upgraded = upgradeManagedFields(object, [csa], ssa, { subresource })
        const set = FieldSet.of(makePath('metadata', 'labels', 'a'))
        expect({
          object: upgraded,
          patch: upgradeManagedFieldsPatch(object, [csa], ssa, { subresource })?.body ?? null,
          owners: findFieldsOwners(entries, 'Update', set).map(({ manager }) => manager),
        }).toEqual({ object: go.result.object, patch: go.result.patch, owners: go.result.owners })
      }),
      runs(800),
    )
  })

  /** As the server writes them: without what nobody knows, in order. */
  const sortedFields = (fields: object): object => FieldSet.fromFieldsV1(fields as never).toFieldsV1()
})

describeWithOracle('paths', (oracle) => {
  it.each(elementTexts)('prints %s as Go does', async (text) => {
    const element = parseElement(text)
    if (!element) return
    const go = await oracle.ask<{ a: GoSet }>('managedfields.sets', { a: { [text]: {} } })
    expect('result' in go && go.result.a.text).toBe(formatPath([element]))
  })
})
