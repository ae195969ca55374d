// Managed fields: what the library foretells of them is what the server does, and what it reads out of them is so.

import { type Clientset, isConflict, retryOnConflict } from 'kubewright'
import type { Deployment } from 'kubewright/api/apps/v1'
import {
  alreadyApplied,
  conflictsOf,
  excludeFields,
  extract,
  FieldManager,
  type FieldManagerOptions,
  FieldSet,
  findFieldsOwners,
  makePath,
  managersOf,
  ownersOf,
  upgradeManagedFieldsPatch,
} from 'kubewright/managedfields'
import { DeploymentSchema } from 'kubewright/schema/apps/v1'
import { ConfigMapSchema } from 'kubewright/schema/core/v1'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithControlPlane, kubectl, testNamespace } from '../control-plane/fixture.js'
import { clientsetFor, deployment } from './helpers.js'

const deploymentKind = { apiVersion: 'apps/v1', kind: 'Deployment', schema: DeploymentSchema }

/** What the API server takes back of a Deployment that is written through its main endpoint. */
const mainEndpoint: Partial<FieldManagerOptions> = {
  resetFields: { 'apps/v1': excludeFields(FieldSet.of(makePath('status'))) },
  // What Go's JSON has of a Deployment that has nothing.
  emptyObject: {
    metadata: {},
    spec: {
      selector: null,
      template: { metadata: {}, spec: { containers: null } },
      strategy: {},
    },
    status: {},
  },
}

const withoutTimes = (object: object | undefined): unknown =>
  managersOf(object ?? {})
    .map(({ manager, operation, apiVersion, subresource, fields }) => ({
      manager,
      operation,
      apiVersion,
      subresource,
      fields: fields.toFieldsV1(),
    }))
    .sort((a, b) => JSON.stringify([a.manager, a.operation]).localeCompare(JSON.stringify([b.manager, b.operation])))

describeWithControlPlane('managed fields', () => {
  let clientset: Clientset
  beforeAll(async () => {
    clientset = await clientsetFor()
  })
  afterAll(() => clientset.close())

  const inNamespace = async () => clientset.appsV1().deployments(await testNamespace())
  type Deployments = ReturnType<ReturnType<Clientset['appsV1']>['deployments']>

  const config = (spec: object, metadata: object = {}) => ({
    apiVersion: 'apps/v1' as const,
    kind: 'Deployment' as const,
    metadata: { name: 'web', ...metadata },
    spec,
  })
  const containers = (...names: string[]) => ({
    template: { spec: { containers: names.map((name) => ({ name, image: 'nginx:1.27' })) } },
  })

  /** What we foretell and what the server answers of an apply that it does not keep, while nobody else writes. */
  async function foretold(
    deployments: Deployments,
    wanted: ReturnType<typeof config>,
    fieldManager: string,
    force = false,
  ): Promise<{ ours: unknown; theirs: unknown; spec: unknown; theirSpec: unknown }> {
    const fields = new FieldManager({ ...deploymentKind, ...mainEndpoint })
    for (;;) {
      const live = await deployments.get('web')
      const attempt = <T>(what: Promise<T>) =>
        what.then(
          (value) => ({ value }),
          (error: unknown) => ({ error }),
        )
      const ours = await attempt((async () => fields.apply(live, wanted, fieldManager, { force }))())
      const theirs = await attempt(deployments.apply(wanted, { fieldManager, force, dryRun: ['All'] }))
      const after = await deployments.get('web')
      if (after.metadata.resourceVersion !== live.metadata.resourceVersion) continue
      if ('error' in ours || 'error' in theirs) {
        const statusOf = (result: object) =>
          'error' in result ? (result.error as { status?: unknown }).status : undefined
        return { ours: statusOf(ours), theirs: statusOf(theirs), spec: undefined, theirSpec: undefined }
      }
      return {
        ours: withoutTimes(ours.value),
        theirs: withoutTimes(theirs.value),
        spec: ours.value.spec,
        theirSpec: theirs.value.spec,
      }
    }
  }

  it('a create: the creator owns what it sent and what was filled in', async () => {
    const deployments = await inNamespace()
    const created = await deployments.create(deployment('web'), { fieldManager: 'creator' })
    const { managedFields: _, ...metadata } = created.metadata
    const fields = new FieldManager({ ...deploymentKind, ...mainEndpoint })
    const ours = fields.update(undefined, { ...created, metadata }, 'creator')
    expect(withoutTimes(ours)).toEqual(withoutTimes(created))
  })

  it('an update: who changes a field owns it', async () => {
    const deployments = await inNamespace()
    await deployments.create(deployment('web'), { fieldManager: 'creator' })
    await retryOnConflict(async () => {
      const live = await deployments.get('web')
      const changed = structuredClone(live)
      changed.spec.replicas = 0
      changed.metadata.labels = { changed: 'yes' }
      changed.spec.template.spec.containers[0]?.ports?.push({ containerPort: 80 })
      const updated = await deployments.update(changed, { fieldManager: 'updater' })
      const fields = new FieldManager({ ...deploymentKind, ...mainEndpoint })
      // Before the server wrote down who did what.
      const { managedFields } = live.metadata
      const changedAlone = { ...updated, metadata: { ...updated.metadata, ...(managedFields && { managedFields }) } }
      expect(withoutTimes(fields.update<Deployment>(live, changedAlone, 'updater'))).toEqual(withoutTimes(updated))
    })
  })

  it('an apply: conflicts, force, and fields that are no longer applied', async () => {
    const deployments = await inNamespace()
    const first = { ...deployment('web').spec, replicas: 2, minReadySeconds: 5 }
    await deployments.apply(config(first, { labels: { a: '1' } }), { fieldManager: 'first' })

    const conflict = await foretold(deployments, config({ replicas: 3, minReadySeconds: 6 }), 'second')
    expect(conflict.ours).toEqual(conflict.theirs)
    expect(conflict.theirs).toMatchObject({ code: 409, reason: 'Conflict' })

    for (const [wanted, manager, force] of [
      [config({ replicas: 3 }), 'second', true],
      [config({ replicas: 2, paused: true }), 'second', false],
      [config({ ...first, replicas: undefined }, { labels: { b: '2' } }), 'first', false],
      [config(containers('nginx', 'sidecar')), 'second', false],
      [config({ template: { spec: { tolerations: [{ key: 'a', operator: 'Exists' }] } } }), 'third', false],
      [config({}), 'second', false],
    ] as const) {
      const { ours, theirs } = await foretold(deployments, wanted, manager, force)
      expect(ours, JSON.stringify(wanted)).toEqual(theirs)
      await deployments.apply(wanted, { fieldManager: manager, force }).catch((err: unknown) => {
        if (!isConflict(err)) throw err
      })
    }
    const { spec, theirSpec } = await foretold(deployments, config({ replicas: 2, paused: true }), 'second', true)
    expect(spec).toEqual(theirSpec)
  })

  it('kubectl apply on the client’s side, and then on the server’s', async () => {
    const namespace = await testNamespace()
    const deployments = clientset.appsV1().deployments(namespace)
    const manifest = JSON.stringify({ ...deployment('web'), apiVersion: 'apps/v1', kind: 'Deployment' })
    const created = await kubectl(['apply', '-n', namespace, '-f', '-'], { input: manifest })
    expect(created.code, created.stderr).toBe(0)
    const { ours, theirs } = await foretold(deployments, config({ replicas: 4 }), 'kubectl')
    expect(ours).toEqual(theirs)
    const other = await foretold(deployments, config({ replicas: 4 }), 'other')
    expect(other.ours).toEqual(other.theirs)
    expect(other.theirs).toMatchObject({
      message: 'Apply failed with 1 conflict: conflict with "kubectl-client-side-apply" using apps/v1: .spec.replicas',
    })
  })

  it('conflictsOf and ownersOf say who is in the way', async () => {
    const deployments = await inNamespace()
    const created = await deployments.create(deployment('web'), { fieldManager: 'creator' })
    expect(ownersOf(created, '.spec.replicas').map(({ manager }) => manager)).toEqual(['creator'])
    expect(ownersOf(created, '.spec.selector.matchLabels.app').map(({ manager }) => manager)).toEqual(['creator'])
    const failure = await deployments
      .apply(config({ replicas: 5 }), { fieldManager: 'second' })
      .catch((err: unknown) => err)
    expect(conflictsOf(failure)).toEqual([
      {
        manager: 'creator',
        operation: 'Update',
        apiVersion: 'apps/v1',
        field: '.spec.replicas',
        message: 'conflict with "creator" using apps/v1',
      },
    ])
  })

  it('extract, change, apply: nothing is lost, and what is left out is removed', async () => {
    const deployments = await inNamespace()
    const wanted = config({ ...deployment('web').spec, ...containersOf('web') }, { labels: { a: '1', b: '2' } })
    const applied = await deployments.apply(wanted, { fieldManager: 'operator' })
    const extracted = extract(applied, 'operator', DeploymentSchema)
    expect(extracted).toEqual({ ...wanted, metadata: { ...wanted.metadata, namespace: applied.metadata.namespace } })
    expect(alreadyApplied(applied, extracted, 'operator', DeploymentSchema)).toBe(true)
    const again = await deployments.apply(extracted, { fieldManager: 'operator', dryRun: ['All'] })
    const ofOperator = (object: Deployment) =>
      object.metadata.managedFields?.filter(({ manager }) => manager === 'operator')
    expect(ofOperator(again)).toEqual(ofOperator(applied))

    delete extracted.metadata.labels?.b
    const changed = await deployments.apply(extracted, { fieldManager: 'operator' })
    expect(changed.metadata.labels).toEqual({ a: '1' })
    expect(extract(changed, 'operator', DeploymentSchema)).toEqual(extracted)
  })

  const containersOf = (name: string) => ({
    template: {
      metadata: { labels: { app: name } },
      spec: { containers: [{ name: 'nginx', image: 'nginx:1.27', ports: [{ containerPort: 80, protocol: 'TCP' }] }] },
    },
  })

  it('the status: applied through its subresource, extracted by it', async () => {
    const deployments = await inNamespace()
    await deployments.create(deployment('web'))
    const wanted = {
      metadata: { name: 'web' },
      status: { conditions: [{ type: 'Checked', status: 'True', reason: 'Looked', message: 'well' }] },
    }
    const applied = await deployments.applyStatus(wanted, { fieldManager: 'checker' })
    expect(managersOf(applied)).toContainEqual(expect.objectContaining({ manager: 'checker', subresource: 'status' }))
    const extracted = extract(applied, 'checker', DeploymentSchema, { subresource: 'status' })
    expect(extracted.status).toEqual(wanted.status)
    expect(alreadyApplied(applied, wanted, 'checker', DeploymentSchema, { subresource: 'status' })).toBe(true)
    expect(extract(applied, 'checker', DeploymentSchema).status).toBeUndefined()
  })

  it('alreadyApplied: what it is certain of changes nothing on the server', async () => {
    const configMaps = clientset.coreV1().configMaps(await testNamespace())
    const wanted = (data: Record<string, string>, labels?: Record<string, string>) => ({
      apiVersion: 'v1' as const,
      kind: 'ConfigMap' as const,
      metadata: { name: 'c', ...(labels && { labels }) },
      data,
    })
    const versions = [
      wanted({ a: '1' }),
      wanted({ a: '1', b: '' }, { x: 'y' }),
      wanted(JSON.parse('{"__proto__":"1"}') as Record<string, string>),
      // These the server keeps in another form, so nothing is certain of them.
      wanted({ b: '' }, {}),
      wanted({}),
    ]
    let live = await configMaps.apply(wanted({ first: '' }), { fieldManager: 'm' })
    const certain: boolean[] = []
    for (const version of versions)
      for (let round = 0; round < 2; round++) {
        const already = alreadyApplied(live, version, 'm', ConfigMapSchema)
        const after = await configMaps.apply(version, { fieldManager: 'm' })
        if (already) expect(after).toEqual(live)
        certain.push(already)
        live = after
      }
    expect(certain).toEqual([false, true, false, true, false, true, false, false, false, false])
  })

  it('client-side apply becomes server-side apply as kubectl does it', async () => {
    const namespace = await testNamespace()
    const deployments = clientset.appsV1().deployments(namespace)
    const manifest = (name: string) =>
      JSON.stringify({
        ...deployment(name, { labels: { extra: 'yes' } }),
        apiVersion: 'apps/v1',
        kind: 'Deployment',
      })
    for (const name of ['ours', 'kubectls']) {
      const { code, stderr } = await kubectl(['apply', '-n', namespace, '-f', '-'], { input: manifest(name) })
      expect(code, stderr).toBe(0)
    }
    await retryOnConflict(async () => {
      const live = await deployments.get('ours')
      const annotation = 'kubectl.kubernetes.io/last-applied-configuration'
      const set = FieldSet.of(makePath('metadata', 'annotations', annotation))
      const names = findFieldsOwners(live.metadata.managedFields, 'Update', set).map(({ manager }) => manager ?? '')
      expect(names).toEqual(['kubectl-client-side-apply'])
      const patch = upgradeManagedFieldsPatch(live, names, 'kubectl')
      expect(patch).toBeDefined()
      if (patch) await deployments.patch('ours', patch)
    })
    for (const name of ['ours', 'kubectls']) {
      const without = deployment(name)
      const { code, stderr } = await kubectl(['apply', '--server-side', '-n', namespace, '-f', '-'], {
        input: JSON.stringify({ ...without, apiVersion: 'apps/v1', kind: 'Deployment' }),
      })
      expect(code, stderr).toBe(0)
    }
    const [ours, kubectls] = await Promise.all(['ours', 'kubectls'].map((name) => deployments.get(name)))
    expect(ours?.metadata.labels).toEqual({ app: 'ours' })
    const ofKubectl = (object: Deployment | undefined) =>
      managersOf(object ?? {})
        .filter(({ manager }) => manager.startsWith('kubectl') && manager !== 'kubectl-last-applied')
        .map(({ manager, operation, fields }) => [manager, operation, String(fields)])
    expect(ofKubectl(ours)).toEqual(ofKubectl(kubectls))
  })
})
