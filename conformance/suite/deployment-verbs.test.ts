// Every verb of a typed client, on Deployments.

import {
  type Clientset,
  isAlreadyExists,
  isConflict,
  isNotFound,
  jsonPatch,
  mergePatch,
  retryOnConflict,
  strategicMergePatch,
  type WatchEvent,
} from 'kubewright'
import type { Deployment } from 'kubewright/api/apps/v1'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithControlPlane, testNamespace } from '../control-plane/fixture.js'
import { clientsetFor, deployment } from './helpers.js'

describeWithControlPlane('the verbs of Deployments', () => {
  let clientset: Clientset
  beforeAll(async () => {
    clientset = await clientsetFor()
  })
  afterAll(() => clientset.close())

  const inNamespace = async () => clientset.appsV1().deployments(await testNamespace())

  it('create: returns the object as stored, with defaults', async () => {
    const deployments = await inNamespace()
    const created = await deployments.create(deployment('web'))
    expect(created.metadata.uid).toMatch(/^[0-9a-f-]{36}$/)
    expect(created.apiVersion).toBe('apps/v1')
    expect(created.kind).toBe('Deployment')
    expect(created.spec.strategy.type).toBe('RollingUpdate')
    expect(created.spec.template.spec.terminationGracePeriodSeconds).toBe(30)
    await expect(deployments.create(deployment('web'))).rejects.toSatisfy(isAlreadyExists)
  })

  it('create: dryRun stores nothing; generateName is filled by the server', async () => {
    const deployments = await inNamespace()
    await deployments.create(deployment('dry'), { dryRun: ['All'] })
    await expect(deployments.get('dry')).rejects.toSatisfy(isNotFound)
    const { metadata, ...rest } = deployment('gen')
    const created = await deployments.create({
      ...rest,
      metadata: { labels: metadata?.labels ?? {}, generateName: 'gen-' },
    })
    expect(created.metadata.name).toMatch(/^gen-\w+$/)
  })

  it('get: what it returns can be changed and given to update', async () => {
    const deployments = await inNamespace()
    await deployments.create(deployment('web'))
    const { updated, before } = await retryOnConflict(async () => {
      const live = await deployments.get('web')
      live.spec.replicas = 3
      return { updated: await deployments.update(live), before: live.metadata.resourceVersion }
    })
    expect(updated.spec.replicas).toBe(3)
    expect(updated.metadata.generation).toBe(2)
    expect(updated.metadata.resourceVersion).not.toBe(before)
  })

  it('get: a missing object is NotFound with the server’s message', async () => {
    const deployments = await inNamespace()
    const failure = await deployments.get('nowhere').catch((err: unknown) => err)
    expect(failure).toSatisfy(isNotFound)
    expect(failure).toMatchObject({ code: 404, reason: 'NotFound', method: 'GET' })
    expect(String(failure)).toContain('deployments.apps "nowhere" not found')
  })

  it('update: an old version is a conflict', async () => {
    const deployments = await inNamespace()
    const first = await deployments.create(deployment('web'))
    await deployments.patch('web', mergePatch({ metadata: { labels: { touched: 'yes' } } }))
    first.spec.replicas = 5
    await expect(deployments.update(first)).rejects.toSatisfy(isConflict)
  })

  it('updateStatus: changes the status and nothing else', async () => {
    const deployments = await inNamespace()
    await deployments.create(deployment('web'))
    // The Deployment's controller writes the status too, at its own times.
    const updated = await retryOnConflict(async () => {
      const live = await deployments.get('web')
      live.spec.replicas = 9
      live.status.conditions = [
        ...(live.status.conditions ?? []),
        { type: 'Example', status: 'True', reason: 'Test', message: 'set by a test' },
      ]
      return deployments.updateStatus(live)
    })
    expect(updated.status.conditions?.map((c) => c.type)).toContain('Example')
    expect(updated.spec.replicas).toBe(1)
  })

  it('list: by label, items carry apiVersion and kind; pages follow continue', async () => {
    const deployments = await inNamespace()
    for (const name of ['a', 'b', 'c'])
      await deployments.create(deployment(name, { labels: { tier: name === 'c' ? 'back' : 'front' } }))
    const front = await deployments.list({ labelSelector: 'tier=front' })
    expect(front.items.map((d) => d.metadata.name).sort()).toEqual(['a', 'b'])
    expect(front.items.every((d) => d.kind === 'Deployment' && d.apiVersion === 'apps/v1')).toBe(true)
    const names: string[] = []
    let token: string | undefined
    do {
      const page = await deployments.list({ limit: 2, continue: token })
      names.push(...page.items.map((d) => d.metadata.name))
      token = page.metadata.continue
    } while (token)
    expect(names).toEqual(['a', 'b', 'c'])
  })

  it('watch: events from a version on; break ends it', async () => {
    const deployments = await inNamespace()
    const created = await deployments.create(deployment('web'))
    const watch = await deployments.watch({
      resourceVersion: created.metadata.resourceVersion,
      fieldSelector: 'metadata.name=web',
    })
    await deployments.patch('web', mergePatch({ metadata: { annotations: { round: '1' } } }))
    await deployments.delete('web', { propagationPolicy: 'Background' })
    const seen: WatchEvent<Deployment>[] = []
    for await (const event of watch) {
      seen.push(event)
      if (event.type === 'DELETED') break
    }
    expect(seen[0]?.type).toBe('MODIFIED')
    expect(seen.at(-1)).toMatchObject({ type: 'DELETED', object: { kind: 'Deployment', metadata: { name: 'web' } } })
  })

  it('watch: a signal ends the iteration with its reason', async () => {
    const deployments = await inNamespace()
    const stop = new AbortController()
    const watch = await deployments.watch({ signal: stop.signal })
    const reading = (async () => {
      for await (const _event of watch);
    })()
    stop.abort(new Error('enough'))
    await expect(reading).rejects.toThrow('enough')
  })

  it('patch: the content type follows the function', async () => {
    const deployments = await inNamespace()
    await deployments.create(deployment('web'))
    const merged = await deployments.patch('web', mergePatch({ spec: { replicas: 2 } }))
    expect(merged.spec.replicas).toBe(2)
    const stepped = await deployments.patch('web', jsonPatch([{ op: 'replace', path: '/spec/replicas', value: 4 }]))
    expect(stepped.spec.replicas).toBe(4)
    const strategic = await deployments.patch(
      'web',
      strategicMergePatch({ spec: { template: { spec: { containers: [{ name: 'nginx', image: 'nginx:1.28' }] } } } }),
    )
    expect(strategic.spec.template.spec.containers).toHaveLength(1)
    expect(strategic.spec.template.spec.containers[0]?.image).toBe('nginx:1.28')
    const scaled = await deployments.patch('web', mergePatch({ spec: { replicas: 1 } }), { subresource: 'scale' })
    expect(scaled.spec).toMatchObject({ replicas: 1 })
  })

  it('apply: creates, owns its fields, conflicts with another manager unless forced', async () => {
    const deployments = await inNamespace()
    const wanted = deployment('web', { replicas: 2 })
    const config = { ...wanted, metadata: { ...wanted.metadata, name: 'web' } }
    const applied = await deployments.apply(config, { fieldManager: 'first' })
    expect(applied.metadata.managedFields?.map((m) => `${m.manager}/${m.operation}`)).toContain('first/Apply')
    const other = { metadata: { name: 'web' }, spec: { replicas: 3 } }
    const failure = await deployments.apply(other, { fieldManager: 'second' }).catch((err: unknown) => err)
    expect(failure).toSatisfy(isConflict)
    expect(String(failure)).toContain('first')
    const forced = await deployments.apply(other, { fieldManager: 'second', force: true })
    expect(forced.spec.replicas).toBe(3)
  })

  it('applyStatus: owns fields of the status', async () => {
    const deployments = await inNamespace()
    await deployments.create(deployment('web'))
    const applied = await deployments.applyStatus(
      {
        metadata: { name: 'web' },
        status: { conditions: [{ type: 'Applied', status: 'True', reason: 'Test', message: '' }] },
      },
      { fieldManager: 'status-writer' },
    )
    expect(applied.status.conditions?.map((c) => c.type)).toContain('Applied')
  })

  it('getScale, updateScale, applyScale', async () => {
    const deployments = await inNamespace()
    await deployments.create(deployment('web', { replicas: 1 }))
    expect(await deployments.getScale('web')).toMatchObject({ kind: 'Scale', spec: { replicas: 1 } })
    const updated = await retryOnConflict(async () => {
      const scale = await deployments.getScale('web')
      scale.spec.replicas = 2
      return deployments.updateScale('web', scale)
    })
    expect(updated.spec.replicas).toBe(2)
    const applied = await deployments.applyScale(
      'web',
      { spec: { replicas: 3 } },
      { fieldManager: 'scaler', force: true },
    )
    expect(applied.spec.replicas).toBe(3)
    expect((await deployments.get('web')).spec.replicas).toBe(3)
  })

  it('delete: preconditions guard it; then it is gone', async () => {
    const deployments = await inNamespace()
    const created = await deployments.create(deployment('web'))
    await expect(deployments.delete('web', { preconditions: { uid: 'another' } })).rejects.toSatisfy(isConflict)
    await deployments.delete('web', { preconditions: { uid: created.metadata.uid }, propagationPolicy: 'Background' })
    await expect(deployments.get('web')).rejects.toSatisfy(isNotFound)
  })

  it('deleteCollection: deletes what the label selects and nothing else', async () => {
    const deployments = await inNamespace()
    for (const name of ['a', 'b', 'keep'])
      await deployments.create(deployment(name, { labels: { gone: String(name !== 'keep') } }))
    await deployments.deleteCollection({ propagationPolicy: 'Background' }, { labelSelector: 'gone=true' })
    expect((await deployments.list()).items.map((d) => d.metadata.name)).toEqual(['keep'])
  })

  it('a namespaced kind without a namespace is refused before anything is sent', async () => {
    await expect(clientset.appsV1().deployments().get('web')).rejects.toThrow(/which namespace/)
  })
})
