import { describe, expect, expectTypeOf, it } from 'vitest'
import { DeploymentSchema } from '../gen/schema/apps/v1.js'
import { ApiError } from '../meta/index.js'
import { alreadyApplied } from './already-applied.js'
import { conflictsOf } from './conflicts.js'
import { findFieldsOwners, upgradeManagedFields, upgradeManagedFieldsPatch } from './csa-upgrade.js'
import { extract } from './extract.js'
import { FieldManager } from './field-manager.js'
import { FieldSet } from './field-set.js'
import { managersOf, ownersOf, stripManagedFields } from './owners.js'
import { makePath } from './path-element.js'

const kind = { apiVersion: 'apps/v1', kind: 'Deployment' }
const fields = new FieldManager({ ...kind, schema: DeploymentSchema })

interface Spec {
  replicas?: number
  paused?: boolean
  selector?: { matchLabels?: Record<string, string> }
}

const config = (spec: Spec) => ({ ...kind, metadata: { name: 'web', namespace: 'default' }, spec })
const live = fields.apply(
  config({ replicas: 1, paused: true, selector: { matchLabels: { a: 'b' } } }),
  config({ replicas: 1 }),
  'operator',
)

describe('ownersOf', () => {
  it('finds who owns a field, or the whole that it is part of', () => {
    const names = (path: Parameters<typeof ownersOf>[1]) => ownersOf(live, path).map(({ manager }) => manager)
    expect(names('.spec.replicas')).toEqual(['operator', 'before-first-apply'])
    expect(names(['spec', 'paused'])).toEqual(['before-first-apply'])
    expect(names('.spec.selector.matchLabels.a')).toEqual(['before-first-apply'])
    expect(names('.spec.rep')).toEqual([])
    expect(managersOf({})).toEqual([])
  })
})

describe('conflictsOf', () => {
  const failed = (message: string) =>
    new ApiError(
      {
        kind: 'Status',
        apiVersion: 'v1',
        metadata: {},
        code: 409,
        reason: 'Conflict',
        details: { causes: [{ reason: 'FieldManagerConflict', message, field: '.spec.replicas' }] },
      },
      { method: 'PATCH', url: '/' },
    )

  it('reads who owns what', () => {
    expect(
      conflictsOf(
        new Error('outer', {
          cause: failed('conflict with "a\\"b\\u00e9" with subresource "scale" using apps/v1 at 2026-01-01T00:00:00Z'),
        }),
      ),
    ).toMatchObject([
      { manager: 'a"bé', subresource: 'scale', apiVersion: 'apps/v1', operation: 'Update', field: '.spec.replicas' },
    ])
    expect(conflictsOf(failed('conflict with "operator"'))).toMatchObject([{ manager: 'operator', operation: 'Apply' }])
    expect(conflictsOf(failed('in other words'))).toMatchObject([{ manager: '', message: 'in other words' }])
  })

  it('finds none in other errors', () => {
    expect(conflictsOf(new Error('x'))).toEqual([])
    expect(conflictsOf(undefined)).toEqual([])
  })
})

describe('extract', () => {
  it('gives what a manager applied, to be applied again', () => {
    const extracted = extract(live, 'operator', DeploymentSchema)
    expect(extracted).toEqual(config({ replicas: 1 }))
    expectTypeOf(extracted.metadata.name).toEqualTypeOf<string>()
    expectTypeOf(extracted.spec?.replicas).toEqualTypeOf<number | undefined>()
    expect(fields.apply(live, extracted, 'operator')).toEqual(live)
  })

  it('gives names only to who applied nothing', () => {
    const { spec: _, ...names } = config({})
    expect(extract(live, 'nobody', DeploymentSchema)).toEqual(names)
    expect(extract(live, 'before-first-apply', DeploymentSchema)).toEqual(names)
    expect(extract(live, 'operator', DeploymentSchema, { subresource: 'status' })).toEqual(names)
  })

  it('says when fields are owned that are not there', () => {
    const { spec: _, ...without } = live
    expect(() => extract(without, 'operator', DeploymentSchema)).toThrow(
      'unable to convert managed fields for operator',
    )
  })
})

describe('alreadyApplied', () => {
  const already = (spec: Spec, manager = 'operator', object: object = live) =>
    alreadyApplied(object, config(spec), manager, DeploymentSchema)

  it('is certain of what was applied just so', () => {
    expect(already({ replicas: 1 })).toBe(true)
    expect(
      alreadyApplied(live, { metadata: { name: 'web' }, spec: { replicas: 1 } }, 'operator', DeploymentSchema),
    ).toBe(true)
  })

  it('is not of anything else', () => {
    expect(already({ replicas: 2 })).toBe(false)
    expect(already({})).toBe(false)
    expect(already({ replicas: 1, paused: true })).toBe(false)
    expect(already({ replicas: 1 }, 'other')).toBe(false)
    expect(already({ replicas: 1 }, 'operator', stripManagedFields(live))).toBe(false)
    expect(already({ replicas: 'x' as never })).toBe(false)
    expect(
      alreadyApplied(live, { ...config({ replicas: 1 }), metadata: { name: 'other' } }, 'operator', DeploymentSchema),
    ).toBe(false)
    const forced = fields.apply(live, config({ replicas: 1 }), 'second')
    expect(already({ replicas: 1 }, 'operator', forced)).toBe(true)
    const taken = fields.apply(live, config({ replicas: 3 }), 'second', { force: true })
    expect(already({ replicas: 3 }, 'operator', taken)).toBe(false)
  })
})

describe('stripManagedFields', () => {
  it('takes them off and leaves the object as it is', () => {
    expect(stripManagedFields(live).metadata).toEqual({ name: 'web', namespace: 'default' })
    expect(live.metadata).toHaveProperty('managedFields')
    const none = {}
    expect(stripManagedFields(none)).toBe(none)
  })
})

describe('upgradeManagedFields', () => {
  const csa = fields.update(undefined, config({ replicas: 1, paused: true }), 'kubectl-client-side-apply')

  it('makes what was owned by updates applied', () => {
    const upgraded = upgradeManagedFields(csa, ['kubectl-client-side-apply'], 'kubectl')
    expect(managersOf(upgraded).map(({ manager, operation }) => `${manager} ${operation}`)).toEqual(['kubectl Apply'])
    expect(managersOf(csa)[0]?.operation).toBe('Update')
    expect(fields.apply(upgraded, config({ replicas: 2 }), 'kubectl').spec).toEqual({ replicas: 2 })
  })

  it('makes a patch, where there is something to do', () => {
    const stored = { ...csa, metadata: { ...csa.metadata, resourceVersion: '5' } }
    const patch = upgradeManagedFieldsPatch(stored, ['kubectl-client-side-apply', 'kubectl'], 'kubectl')
    expect(patch).toMatchObject({
      contentType: 'application/json-patch+json',
      body: [
        { op: 'replace', path: '/metadata/managedFields', value: [{ manager: 'kubectl', operation: 'Apply' }] },
        { op: 'replace', path: '/metadata/resourceVersion', value: '5' },
      ],
    })
    expect(upgradeManagedFieldsPatch(stored, ['nobody'], 'kubectl')).toBeUndefined()
    expect(upgradeManagedFields(stored, ['nobody'], 'kubectl')).toBe(stored)
  })

  it('finds the managers that own fields', () => {
    const { managedFields } = csa.metadata as { managedFields?: { manager: string }[] }
    const owners = (path: string) => findFieldsOwners(managedFields, 'Update', FieldSet.of(makePath('spec', path)))
    expect(owners('replicas').map(({ manager }) => manager)).toEqual(['kubectl-client-side-apply'])
    expect(owners('other')).toEqual([])
  })
})
