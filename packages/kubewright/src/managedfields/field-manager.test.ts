import { describe, expect, it } from 'vitest'
import { FakeClock } from '../clock/index.js'
import { DeploymentSchema } from '../gen/schema/apps/v1.js'
import { isBadRequest, isConflict, type KubernetesObject } from '../meta/index.js'
import { conflictsOf } from './conflicts.js'
import { FieldManager } from './field-manager.js'
import { FieldSet } from './field-set.js'
import { excludeFields } from './filter.js'
import { managersOf, ownersOf } from './owners.js'
import { makePath } from './path-element.js'

const kind = { apiVersion: 'apps/v1', kind: 'Deployment' }

interface Deployment extends KubernetesObject {
  metadata: Record<string, unknown> & { name: string }
  spec?: Record<string, unknown>
}

const deployment = (spec: Record<string, unknown> | undefined, metadata: object = {}): Deployment => ({
  ...kind,
  metadata: { name: 'web', namespace: 'default', ...metadata },
  ...(spec && { spec }),
})

const withContainers = (...names: string[]) => ({
  template: { spec: { containers: names.map((name) => ({ name, image: 'x' })) } },
})

function setUp(options: Partial<ConstructorParameters<typeof FieldManager>[0]> = {}) {
  const clock = new FakeClock(Date.UTC(2026, 0, 2, 3, 4, 5))
  return { clock, fields: new FieldManager({ ...kind, schema: DeploymentSchema, clock, ...options }) }
}

const summary = (object: KubernetesObject) =>
  managersOf(object).map(({ manager, operation, time, fields }) => [manager, operation, time, String(fields)])

describe('update', () => {
  it('gives a manager what it changes, with the time of the clock', async () => {
    const { fields, clock } = setUp()
    const created = fields.update(undefined, deployment({ replicas: 1 }), 'kubectl-create')
    await clock.advance(60_000)
    const updated = fields.update(created, deployment({ replicas: 2, paused: true }), 'other')
    expect(summary(updated)).toEqual([
      ['kubectl-create', 'Update', '2026-01-02T03:04:05Z', '.spec'],
      ['other', 'Update', '2026-01-02T03:05:05Z', '.spec.paused\n.spec.replicas'],
    ])
    expect(summary(created)).toEqual([['kubectl-create', 'Update', '2026-01-02T03:04:05Z', '.spec\n.spec.replicas']])
  })

  it('leaves an object alone whose fields were never managed', () => {
    const { fields } = setUp()
    const old = deployment({ replicas: 1 }, { uid: '1' })
    expect(fields.update(old, deployment({ replicas: 2 }, { uid: '1' }), 'm').metadata.managedFields).toBeUndefined()
  })

  it('forgets all when asked to, and takes no garbage', () => {
    const { fields } = setUp()
    const live = fields.update(undefined, deployment({ replicas: 1 }), 'first')
    expect(
      fields.update(live, deployment({ replicas: 1 }, { managedFields: [] }), 'second').metadata.managedFields,
    ).toBeUndefined()
    const garbage = deployment({ replicas: 1 }, { managedFields: [{ operation: 'Other' }] })
    expect(summary(fields.update(live, garbage, 'second')).map(([name]) => name)).toEqual(['first'])
  })

  it('joins the oldest of more than ten managers', async () => {
    const { fields, clock } = setUp()
    let live = fields.update(undefined, deployment({}, { labels: {} }), 'm0')
    for (let i = 1; i <= 11; i++) {
      await clock.advance(1000)
      live = fields.update(
        live,
        deployment({}, { labels: { [`l${i}`]: '', ...(live.metadata.labels as object) } }),
        `m${i}`,
      )
    }
    const names = summary(live).map(([name]) => name)
    expect(names).toHaveLength(10)
    expect(names[0]).toBe('ancient-changes')
    expect(names).not.toContain('m0')
  })

  it('comes back without managers where values are not what the schema says', () => {
    const { fields } = setUp()
    const bad = deployment({ replicas: 'three' })
    expect(() => fields.update(undefined, bad, 'm')).toThrow(
      'failed to convert new object (default/web; apps/v1, Kind=Deployment) to smd typed: .spec.replicas: expected numeric (int or float), got string',
    )
    expect(fields.updateNoErrors(undefined, bad, 'm')).toEqual(bad)
  })
})

describe('apply', () => {
  it('merges, owns, and removes what is no longer applied', () => {
    const { fields } = setUp()
    const first = fields.apply<Deployment>(undefined, deployment({ replicas: 1, paused: true }), 'operator')
    const second = fields.apply(first, deployment({ replicas: 2 }), 'operator')
    expect(second.spec).toEqual({ replicas: 2 })
    expect(summary(second)).toEqual([['operator', 'Apply', '2026-01-02T03:04:05Z', '.spec.replicas']])
  })

  it('keeps what another owns too', () => {
    const { fields } = setUp()
    const a = fields.apply<Deployment>(undefined, deployment(withContainers('a', 'b')), 'one')
    const b = fields.apply(a, deployment(withContainers('b')), 'two')
    const c = fields.apply(b, deployment(undefined), 'one')
    expect(c.spec).toEqual(withContainers('b'))
  })

  it('fails for what others own, in the words of the API server', () => {
    const { fields } = setUp()
    const live = fields.update(undefined, deployment({ replicas: 1 }), 'kubectl-client-side-apply')
    const failure = (spec: Record<string, unknown>): unknown => {
      try {
        return fields.apply(live, deployment(spec), 'operator')
      } catch (err) {
        return err
      }
    }
    const one = failure({ replicas: 2 })
    expect(isConflict(one)).toBe(true)
    expect(one).toMatchObject({
      status: {
        message:
          'Apply failed with 1 conflict: conflict with "kubectl-client-side-apply" using apps/v1: .spec.replicas',
        code: 409,
      },
    })
    expect(conflictsOf(one)).toEqual([
      {
        manager: 'kubectl-client-side-apply',
        operation: 'Update',
        apiVersion: 'apps/v1',
        field: '.spec.replicas',
        message: 'conflict with "kubectl-client-side-apply" using apps/v1',
      },
    ])
    expect(fields.apply(live, deployment({ replicas: 1 }), 'operator').spec).toEqual({ replicas: 1 })
  })

  it('takes them by force', () => {
    const { fields } = setUp()
    const live = fields.apply<Deployment>(undefined, deployment({ replicas: 1, paused: true }), 'one')
    const forced = fields.apply(live, deployment({ replicas: 2 }), 'two', { force: true })
    expect(ownersOf(forced, '.spec.replicas').map(({ manager }) => manager)).toEqual(['two'])
    expect(ownersOf(forced, 'spec.paused').map(({ manager }) => manager)).toEqual(['one'])
  })

  it('keeps the time when nothing changes', async () => {
    const { fields, clock } = setUp()
    const live = fields.apply<Deployment>(undefined, deployment({ replicas: 1 }), 'one')
    await clock.advance(5000)
    expect(fields.apply(live, deployment({ replicas: 1 }), 'one')).toEqual(live)
  })

  it('lets kubectl take over what it applied on the client’s side, and keeps its annotation', () => {
    const { fields } = setUp()
    const config = deployment({ replicas: 1 })
    const name = 'kubectl.kubernetes.io/last-applied-configuration'
    const annotations = { [name]: JSON.stringify(config) }
    const live = fields.update(undefined, deployment({ replicas: 1 }, { annotations }), 'kubectl-client-side-apply')
    const applied = fields.apply(live, deployment({ replicas: 5 }), 'kubectl')
    expect(applied.spec).toEqual({ replicas: 5 })
    expect(JSON.parse((applied.metadata.annotations as Record<string, string>)[name] ?? '')).toEqual(
      deployment({ replicas: 5 }),
    )
    expect(() => fields.apply(live, deployment({ replicas: 5 }), 'other')).toThrow('Apply failed with 1 conflict')
  })

  it('refuses other kinds and managedFields', () => {
    const { fields } = setUp()
    const apply = (config: object) => () => fields.apply<Deployment>(undefined, config, 'm')
    expect(apply({ ...deployment({}), kind: 'Pod' })).toThrow('invalid object type: apps/v1, Kind=Pod')
    expect(apply(deployment({}, { managedFields: [] }))).toThrow(expect.toSatisfy(isBadRequest))
    expect(apply(deployment({ unknown: 1 }))).toThrow(
      'failed to create typed patch object (default/web; apps/v1, Kind=Deployment): .spec.unknown: field not declared in schema',
    )
  })

  it('owns nothing that the endpoint resets, and what it writes through a subresource apart', () => {
    const status = FieldSet.of(makePath('status'))
    const { fields } = setUp({ resetFields: { 'apps/v1': excludeFields(status) } })
    const object = { ...deployment({ replicas: 1 }), status: { replicas: 1 } }
    expect(summary(fields.apply<Deployment>(undefined, object, 'm')).map(([, , , text]) => text)).toEqual([
      '.spec.replicas',
    ])
    const through = setUp({ subresource: 'status' }).fields.apply<Deployment>(undefined, object, 'm')
    expect(managersOf(through)).toMatchObject([{ manager: 'm', subresource: 'status' }])
  })

  it('converts to the versions of other managers, and forgets those that do not exist', () => {
    const versions = ['apps/v1', 'apps/v1beta2']
    const converter = (object: object, apiVersion: string) =>
      versions.includes(apiVersion) ? { object: { ...object, apiVersion }, schema: DeploymentSchema } : undefined
    const { fields } = setUp({ converter })
    const entry = { operation: 'Update', fieldsType: 'FieldsV1', fieldsV1: { 'f:spec': { 'f:replicas': {} } } }
    const managedFields = [
      { manager: 'old', apiVersion: 'apps/v1beta2', ...entry },
      { manager: 'gone', apiVersion: 'apps/v0', ...entry },
    ]
    const live = deployment({ replicas: 1 }, { managedFields })
    expect(() => fields.apply(live, deployment({ replicas: 2 }), 'm')).toThrow(
      'conflict with "old" using apps/v1beta2: .spec.replicas',
    )
    expect(summary(fields.apply(live, deployment({ replicas: 1 }), 'm')).map(([name]) => name)).toEqual(['m', 'old'])
    expect(summary(setUp().fields.apply(live, deployment({ replicas: 2 }), 'm')).map(([name]) => name)).toEqual(['m'])
  })

  it('changes neither object, and shares nothing with them', () => {
    const { fields } = setUp()
    const live = fields.apply<Deployment>(undefined, deployment(withContainers('a'), { labels: { a: 'b' } }), 'one')
    const before = JSON.stringify(live)
    const config = deployment({ selector: { matchLabels: { a: 'b' } } })
    const applied = fields.apply(live, config, 'two')
    ;(applied.metadata.labels as Record<string, string>).a = 'changed'
    ;(applied.spec?.selector as { matchLabels: Record<string, string> }).matchLabels.a = 'changed'
    expect(JSON.stringify(live)).toBe(before)
    expect(config.spec).toEqual({ selector: { matchLabels: { a: 'b' } } })
  })
})
