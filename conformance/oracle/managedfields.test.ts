// Who owns which fields, through updates and applies, and what of an object a manager has applied.

import fc from 'fast-check'
import type { ManagedFieldsEntry } from 'kubewright/api/meta/v1'
import { FakeClock } from 'kubewright/clock'
import {
  alreadyApplied,
  excludeFields,
  extract,
  FieldManager,
  FieldSet,
  makePath,
  ScaleHandler,
} from 'kubewright/managedfields'
import { ApiError, deepCopy, type Schema } from 'kubewright/meta'
import { expect, it } from 'vitest'
import { Random } from '../faults/random.js'
import { runs } from './arbitraries.js'
import { describeWithOracle } from './describe-with-oracle.js'
import { seed } from './field-sets.js'
import { kinds, schemaFor, spoiled, Values, withoutData } from './typed-values.js'

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
  choices: Random,
  live: Record<string, unknown>,
  other: Record<string, unknown>,
): Record<string, unknown> {
  const copy = deepCopy<Record<string, unknown>>(live)
  const edit = (target: Record<string, unknown>, source: Record<string, unknown>, depth: number): void => {
    for (const key of new Set([...Object.keys(target), ...Object.keys(source)])) {
      if (key === '__proto__' || ['apiVersion', 'kind', 'managedFields', 'name'].includes(key)) continue
      const [mine, its] = [target, source].map((each) => (Object.hasOwn(each, key) ? each[key] : undefined))
      if (isObject(mine) && isObject(its) && choices.percent(80)) edit(mine, its, depth + 1)
      else if (its !== undefined && choices.percent(50)) target[key] = its
      else if (depth > 0 && choices.percent(15)) delete target[key]
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
    const choices = new Random(from)
    const [apiVersion, kind] = choices.pick(kinds)
    const schema: Schema = deduced ? { type: 'untyped' } : schemaFor(apiVersion, kind)
    const test: Case = {
      apiVersion,
      kind,
      deduced,
      versions:
        apiVersion === 'apps/v1' && choices.percent(50) ? ['apps/v1', 'apps/v1beta2', 'apps/v1beta1'] : [apiVersion],
      ...(choices.percent(20) && { subresource: 'status' }),
      ...(choices.percent(30) && { reset: { 'f:status': {} } }),
      ...(choices.percent(30) && { empty: { metadata: {}, spec: {} } }),
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
    const first = choices.percent(20) ? make() : undefined
    if (first) {
      // Stored before anybody's fields were managed.
      ;(first.metadata as Record<string, unknown>).uid = '1'
      if (choices.percent(50))
        (first.metadata as Record<string, unknown>).annotations = { [annotation]: JSON.stringify(make()) }
      live = first
    }
    for (let i = 0; i < length; i++) {
      const step: Step = {
        verb: choices.percent(60) ? 'apply' : 'update',
        object: make(),
        manager: choices.pick(length > 12 ? [...managers, ...Array.from({ length: 15 }, (_, n) => `m${n}`)] : managers),
        force: choices.percent(30),
      }
      const annotations = (step.object.metadata as Record<string, unknown>).annotations as
        | Record<string, unknown>
        | undefined
      if (step.manager === 'kubectl-client-side-apply' && annotations && choices.percent(60))
        annotations[annotation] = JSON.stringify({ ...step.object, metadata: { name: 'x' } })
      if (step.verb === 'update' && live && choices.percent(80)) step.object = edited(choices, live, step.object)
      if (step.verb === 'update') editEntries(choices, step.object)
      if (step.verb === 'apply' && choices.percent(5))
        step.object = spoiled(choices, step.object) as Record<string, unknown>
      // Said again, what is applied changes nothing.
      const last = steps.at(-1)
      if (step.verb === 'apply' && last?.verb === 'apply' && choices.percent(30))
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
      } else expect(result, what).toEqual({ ...theirs, ...(theirs.error && { error: withoutData(theirs.error) }) })
    }
    if (live && !deduced) await agreeOnExtracts(live, schema)
    return results.filter(({ object }) => object).length
  }

  const annotation = 'kubectl.kubernetes.io/last-applied-configuration'

  function editEntries(choices: Random, object: Record<string, unknown>): void {
    if (!isObject(object.metadata)) return
    const metadata = object.metadata as { managedFields?: Record<string, unknown>[] }
    const what = choices.int(0, 11)
    if (what === 0) delete metadata.managedFields
    else if (what === 1) metadata.managedFields = [{}]
    else if (what === 2 && metadata.managedFields?.[0]) delete metadata.managedFields[0].fieldsType
    else if (what === 3 && metadata.managedFields?.[0])
      metadata.managedFields[0].apiVersion = choices.pick(['apps/v1beta2', 'old/v1'])
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
        const choices = new Random(from)
        const versions = ['apps/v1', 'apps/v1beta1', 'old/v1']
        const entry = (apiVersion: string, fields: (readonly string[])[]): ManagedFieldsEntry => ({
          manager: choices.pick(['a', 'b', 'c']),
          operation: choices.pick(['Apply', 'Update']),
          apiVersion,
          time: `2026-01-0${1 + choices.int(0, 2)}T00:00:00Z`,
          fieldsType: 'FieldsV1',
          fieldsV1: FieldSet.of(
            ...fields.filter(() => choices.percent(60)).map((path) => makePath(...path)),
          ).toFieldsV1(),
          ...(choices.percent(30) && { subresource: 'scale' }),
        })
        const replicas = ['spec', 'replicas']
        const many = <T>(make: () => T): T[] => Array.from({ length: choices.int(0, 4) }, make)
        const parent = many(() => entry(choices.pick(versions), [replicas, ['spec', 'paused'], ['spec', 'instances']]))
        const scale = many(() => entry('autoscaling/v1', [replicas, ['metadata', 'labels', 'a']]))
        const paths = {
          'apps/v1': replicas,
          ...(choices.percent(70) && { 'apps/v1beta1': choices.percent(50) ? null : ['spec', 'instances'] }),
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
