// Discovery, rest mappers and scales on a real server: what it says in either form, what kubectl keeps of it, and what
// becomes of it when an aggregated server is missing.

import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Config, getConfig, isForbidden, isNotFound } from 'kubewright'
import {
  type APIResourceList,
  CachedDiscoveryClient,
  computeDiscoverCacheDir,
  DiscoveryClient,
  isResourceEnabled,
  MemCacheClient,
  OpenAPIRoot,
  serverSupportsVersion,
  throwIfFailed,
} from 'kubewright/discovery'
import { mergePatch } from 'kubewright/meta'
import { copyConfig } from 'kubewright/rest'
import {
  DeferredDiscoveryRESTMapper,
  DiscoveryCategoryExpander,
  getAPIGroupResources,
  NoKindMatchError,
  newDiscoveryRESTMapper,
  ShortcutExpander,
} from 'kubewright/restmapper'
import { ScaleClient } from 'kubewright/scale'
import { afterEach, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest'
import { resourceTable } from '../../packages/kubewright/src/gen/table.js'
import { controlPlane, describeWithControlPlane, kubectl, testNamespace } from '../control-plane/fixture.js'
import { definitionOf } from './definition.js'
import { eventually } from './eventually.js'
import { clientsetFor, deployment } from './helpers.js'

const crds = '/apis/apiextensions.k8s.io/v1/customresourcedefinitions'
const apiServices = '/apis/apiregistration.k8s.io/v1/apiservices'

let counter = 0

/** A CustomResourceDefinition with a scale, of a group of its own; gone after the test. */
async function customResource(): Promise<{ group: string; resource: string; kind: string }> {
  const group = `disc${process.pid}x${++counter}.example.com`
  const kind = 'Fleet'
  const integer = { type: 'integer' }
  const state = { type: 'object', properties: { replicas: integer, selector: { type: 'string' } } }
  const definition = definitionOf(group, kind, {
    shortNames: ['flt'],
    categories: ['ships'],
    properties: { spec: state, status: state },
    subresources: {
      status: {},
      scale: {
        specReplicasPath: '.spec.replicas',
        statusReplicasPath: '.status.replicas',
        labelSelectorPath: '.status.selector',
      },
    },
  })
  const body = { apiVersion: 'apiextensions.k8s.io/v1', kind: 'CustomResourceDefinition', ...definition }
  const { status, text } = await controlPlane().request('POST', crds, { body })
  if (status !== 201) throw new Error(text)
  onTestFinished(async () => {
    await controlPlane().request('DELETE', `${crds}/fleets.${group}`)
  })
  return { group, resource: 'fleets', kind }
}

/** By group-version and name, what both forms of discovery say of a resource. */
function factsOf(lists: readonly APIResourceList[]): Map<string, object> {
  const entries = lists.flatMap(({ groupVersion, resources }) =>
    resources.map(({ name, kind, namespaced, verbs, shortNames = [], categories = [] }): [string, object] => [
      `${groupVersion} ${name}`,
      {
        kind,
        namespaced,
        verbs: [...verbs].sort(),
        shortNames: [...shortNames].sort(),
        categories: [...categories].sort(),
      },
    ]),
  )
  return new Map(entries)
}

/** A Config whose requests are counted. */
function counting(config: Config): { counted: Config; requests: () => number } {
  let requests = 0
  const counted = copyConfig(config, {
    wrapTransport: (inner) => ({
      close: () => inner.close(),
      roundTrip(request) {
        requests++
        return inner.roundTrip(request)
      },
    }),
  })
  return { counted, requests: () => requests }
}

describeWithControlPlane('discovery', () => {
  let config: Config
  let directory: string
  beforeAll(async () => {
    config = copyConfig(await getConfig({ kubeconfig: controlPlane().kubeconfigPath }), { qps: -1 })
  })
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'discovery-'))
  })
  afterEach(() => rm(directory, { recursive: true }))

  it('says the same in both forms', async () => {
    // Others make resources meanwhile.
    await eventually(async () => {
      const aggregated = throwIfFailed(await new DiscoveryClient(config).serverGroupsAndResources())
      const legacy = throwIfFailed(await new DiscoveryClient(config).withLegacy().serverGroupsAndResources())
      expect(factsOf(legacy.resources)).toEqual(factsOf(aggregated.resources))
      expect(legacy.groups.map(({ name }) => name)).toEqual(aggregated.groups.map(({ name }) => name))
      const versions = (groups: typeof legacy.groups) => groups.map((group) => [group.preferredVersion, group.versions])
      expect(versions(legacy.groups)).toEqual(versions(aggregated.groups))
      return true
    })
  })

  it('knows versions and resources', async () => {
    const client = new DiscoveryClient(config)
    expect((await client.serverVersion()).gitVersion).toMatch(/^v1\./)
    await serverSupportsVersion(client, { group: 'apps', version: 'v1' })
    const scale = { group: 'apps', version: 'v1', resource: 'deployments/scale' }
    expect(await isResourceEnabled(client, scale)).toBe(true)
    expect(await isResourceEnabled(client, { ...scale, group: 'none' })).toBe(false)
    const { resources } = await client.serverPreferredNamespacedResources()
    expect(resources.flatMap((list) => list.resources).every(({ namespaced }) => namespaced)).toBe(true)
    await expect(client.serverResourcesForGroupVersion('none/v1')).rejects.toSatisfy(isNotFound)
  })

  it('maps every resource of the typed clients that the server has', async () => {
    const client = new MemCacheClient(new DiscoveryClient(config))
    const mapper = new DeferredDiscoveryRESTMapper(client)
    const { groups } = await client.serverGroups()
    const served = new Set(groups.flatMap(({ versions }) => versions.map(({ groupVersion }) => groupVersion)))
    let mapped = 0
    for (const { group, version, resources } of Object.values(resourceTable)) {
      if (!served.has(group === '' ? version : `${group}/${version}`)) continue
      const list = await client.serverResourcesForGroupVersion(group === '' ? version : `${group}/${version}`)
      for (const { plural: resource, kind, namespaced } of Object.values(resources)) {
        if (!list.resources.some(({ name }) => name === resource)) continue
        const gvk = { group, version, kind }
        expect(await mapper.kindFor({ group, version, resource })).toEqual(gvk)
        expect(await mapper.restMapping({ group, kind }, [version])).toEqual({
          resource: { group, version, resource },
          groupVersionKind: gvk,
          scope: namespaced ? 'namespace' : 'root',
        })
        mapped++
      }
    }
    expect(mapped).toBeGreaterThan(60)
  })

  it('expands kubectl’s short names and categories', async () => {
    const client = new MemCacheClient(new DiscoveryClient(config))
    const mapper = new ShortcutExpander(new DeferredDiscoveryRESTMapper(client), client)
    expect(await mapper.resourceFor({ resource: 'deploy' })).toEqual({
      group: 'apps',
      version: 'v1',
      resource: 'deployments',
    })
    expect(await mapper.kindFor({ resource: 'no' })).toMatchObject({ kind: 'Node' })
    const all = await new DiscoveryCategoryExpander(client).expand('all')
    expect(all).toContainEqual({ group: 'apps', resource: 'deployments' })
  })

  it('finds a kind that is made later: when reset, of an age, or filled from files', async () => {
    const remembering = () => new MemCacheClient(new DiscoveryClient(config))
    const forgetful = new DeferredDiscoveryRESTMapper(remembering())
    const curious = new DeferredDiscoveryRESTMapper(remembering(), { maxAge: 1 })
    const fromFiles = () => CachedDiscoveryClient.forConfig(config, { discoveryCacheDir: directory })
    const pods = { group: '', kind: 'Pod' }
    await Promise.all([forgetful.restMapping(pods), curious.restMapping(pods), fromFiles().serverGroupsAndResources()])
    const { group, kind } = await customResource()
    const wanted = { resource: { resource: 'fleets' }, scope: 'namespace' }
    expect(await eventually(() => curious.restMapping({ group, kind }))).toMatchObject(wanted)
    await expect(forgetful.restMapping({ group, kind })).rejects.toThrow(NoKindMatchError)
    forgetful.reset()
    expect(await forgetful.restMapping({ group, kind })).toMatchObject(wanted)
    const old = new DeferredDiscoveryRESTMapper(fromFiles())
    expect(await old.restMapping({ group, kind })).toMatchObject(wanted)
    const short = new ShortcutExpander(new DeferredDiscoveryRESTMapper(fromFiles()), fromFiles())
    expect(await short.resourceFor({ resource: 'flt', group })).toMatchObject({ group, resource: 'fleets' })
  })

  it('gives what there is when an aggregated server is missing', async () => {
    const group = `gone${process.pid}.example.com`
    const name = `v1.${group}`
    const spec = {
      group,
      version: 'v1',
      service: { namespace: 'default', name: 'nobody' },
      groupPriorityMinimum: 100,
      versionPriority: 100,
      insecureSkipTLSVerify: true,
    }
    const body = { apiVersion: 'apiregistration.k8s.io/v1', kind: 'APIService', metadata: { name }, spec }
    expect((await controlPlane().request('POST', apiServices, { body })).status).toBe(201)
    onTestFinished(async () => {
      await controlPlane().request('DELETE', `${apiServices}/${name}`)
    })
    const client = new DiscoveryClient(config)
    const { failed, resources, groups } = await eventually(async () => {
      const answer = await client.serverGroupsAndResources()
      return answer.failed?.groups.has(`${group}/v1`) ? answer : undefined
    })
    expect(failed?.message).toContain(`${group}/v1: stale GroupVersion discovery: ${group}/v1`)
    expect(groups.map((found) => found.name)).toContain(group)
    expect(resources.map(({ groupVersion }) => groupVersion)).toContain('apps/v1')
    const legacy = await client.withLegacy().serverPreferredResources()
    expect(legacy.failed?.groups.get(`${group}/v1`)).toMatchObject({ code: 503 })
    expect(legacy.resources.map(({ groupVersion }) => groupVersion)).toContain('apps/v1')
    const mapper = newDiscoveryRESTMapper(await getAPIGroupResources(client))
    expect(await mapper.kindFor({ resource: 'pods' })).toMatchObject({ kind: 'Pod' })
  })

  it('is forbidden for who has no right to it', async () => {
    const impersonate = { userName: 'system:anonymous', groups: ['system:unauthenticated'] }
    const client = new DiscoveryClient(copyConfig(config, { impersonate }))
    expect((await client.serverVersion()).major).toBe('1')
    await expect(client.serverGroupsAndResources()).rejects.toSatisfy(isForbidden)
    await expect(client.serverResourcesForGroupVersion('apps/v1')).rejects.toSatisfy(isForbidden)
    await expect(new MemCacheClient(client).serverGroups()).rejects.toSatisfy(isForbidden)
  })

  it('keeps files that kubectl reads, and reads those that kubectl keeps', async () => {
    const cacheDirectory = computeDiscoverCacheDir(join(directory, 'discovery'), config.host)
    const kept = () => CachedDiscoveryClient.forConfig(config, { discoveryCacheDir: cacheDirectory })
    await kept().serverGroupsAndResources()
    // A resource that only the files have, so that who knows it has read them.
    const file = join(cacheDirectory, 'apps/v1/serverresources.json')
    const changed = JSON.parse(await readFile(file, 'utf8'))
    changed.resources.push({
      name: 'inventions',
      singularName: 'invention',
      namespaced: true,
      kind: 'Invention',
      verbs: ['list', 'get'],
    })
    await writeFile(file, JSON.stringify(changed))
    const listed = await kubectl([
      `--cache-dir=${directory}`,
      'api-resources',
      '--cached',
      '--api-group=apps',
      '--no-headers',
    ])
    expect(listed.stdout).toContain('inventions')
    expect(listed.stdout).toContain('deployments')
    // The other way round: files of kubectl alone. Again, should others make or remove resources meanwhile.
    await eventually(async () => {
      await rm(cacheDirectory, { recursive: true, force: true })
      await kubectl([`--cache-dir=${directory}`, 'api-resources'])
      expect(await readdir(cacheDirectory)).toContain('servergroups.json')
      const { counted, requests } = counting(config)
      const client = CachedDiscoveryClient.forConfig(counted, { discoveryCacheDir: cacheDirectory })
      const found = throwIfFailed(await client.serverGroupsAndResources())
      expect(requests()).toBe(0)
      expect(client.fresh()).toBe(false)
      const live = await new DiscoveryClient(config).serverResourcesForGroupVersion('apps/v1')
      const isApps = ({ groupVersion }: APIResourceList) => groupVersion === 'apps/v1'
      expect(factsOf(found.resources.filter(isApps))).toEqual(factsOf([live]))
      return true
    })
  })

  it('keeps OpenAPI documents as kubectl does', async () => {
    const httpCacheDir = join(directory, 'http')
    const explain = async (): Promise<string> => {
      const { stdout, stderr } = await kubectl([`--cache-dir=${directory}`, 'explain', 'deployments.apps'])
      return stdout + stderr
    }
    const read = async () => {
      const { counted, requests } = counting(config)
      const client = CachedDiscoveryClient.forConfig(counted, {
        discoveryCacheDir: join(directory, 'ours'),
        httpCacheDir,
      })
      const { components } = await new OpenAPIRoot(client.openAPIV3()).gvSpec({ group: 'apps', version: 'v1' })
      const { description } = components?.schemas?.['io.k8s.api.apps.v1.Deployment'] as { description: string }
      return { description, requests: requests() }
    }
    expect((await read()).description).toContain('declarative updates')
    // The list of documents is asked for each time, the document is good for a year.
    expect((await read()).requests).toBe(1)
    // A text that only the file has, so that who shows it has read it.
    for (const name of await readdir(httpCacheDir)) {
      const file = join(httpCacheDir, name)
      const text = (await readFile(file))
        .subarray(32)
        .toString('latin1')
        .replaceAll('declarative updates', 'marvelously updates')
      const response = Buffer.from(text, 'latin1')
      await writeFile(file, Buffer.concat([createHash('sha256').update(response).digest(), response]))
    }
    expect(await explain()).toContain('marvelously updates')
    // The other way round.
    await rm(httpCacheDir, { recursive: true })
    expect(await explain()).toContain('declarative updates')
    expect(await read()).toMatchObject({ requests: 1, description: expect.stringContaining('declarative updates') })
  })

  it('has OpenAPI documents of built-in and custom resources', async () => {
    const { group } = await customResource()
    const client = new MemCacheClient(new DiscoveryClient(config))
    const root = new OpenAPIRoot(client.openAPIV3())
    const apps = await root.gvSpec({ group: 'apps', version: 'v1' })
    expect(apps.components?.schemas).toHaveProperty(['io.k8s.api.apps.v1.Deployment'])
    const document = (await client.openAPIV3().paths()).get('apis/apps/v1')
    expect(document?.serverRelativeURL()).toMatch(/^\/openapi\/v3\/apis\/apps\/v1\?hash=[0-9A-F]+$/)
    const fleets = await eventually(() => {
      client.invalidate()
      return new OpenAPIRoot(client.openAPIV3()).gvSpec({ group, version: 'v1' })
    })
    expect(Object.keys(fleets.components?.schemas ?? {}).join()).toContain('Fleet')
    expect((await client.openAPISchema({ timeout: 60_000 })).definitions).toHaveProperty(['io.k8s.api.core.v1.Pod'])
  })

  it('scales whatever can be scaled', async () => {
    const namespace = await testNamespace()
    const clientset = await clientsetFor()
    const made = deployment('web')
    await clientset.appsV1().deployments(namespace).create(made)
    const metadata = { name: 'web' }
    const { replicas = 1, selector, template } = made.spec ?? {}
    if (!selector || !template) throw new Error('the Deployment has no template')
    await clientset.appsV1().replicaSets(namespace).create({ metadata, spec: { replicas, selector, template } })
    await clientset
      .appsV1()
      .statefulSets(namespace)
      .create({ metadata, spec: { replicas, selector, template, serviceName: 'web' } })
    const { group, resource, kind } = await customResource()
    const scales = new ScaleClient(config).scales(namespace)
    const fleets = { group, resource }
    await eventually(async () => {
      const path = `/apis/${group}/v1/namespaces/${namespace}/fleets`
      const body = { apiVersion: `${group}/v1`, kind, metadata: { name: 'web' }, spec: { replicas: 1 } }
      const { status } = await controlPlane().request('POST', path, { body })
      return status === 201
    })
    const apps = ['deployments', 'replicasets', 'statefulsets'].map((name) => ({ group: 'apps', resource: name }))
    for (const one of [...apps, fleets]) {
      const scale = await eventually(() => scales.get(one, 'web'))
      expect(scale).toMatchObject({ kind: 'Scale', apiVersion: 'autoscaling/v1', spec: { replicas: 1 } })
      if (one !== fleets) expect(scale.status.selector).toBe('app=web')
      // Controllers write too.
      const { resourceVersion: _version, ...named } = scale.metadata
      const updated = await scales.update(one, { ...scale, metadata: named, spec: { replicas: 2 } })
      expect(updated.spec.replicas).toBe(2)
      const version = 'v1'
      const patched = await scales.patch({ ...one, version }, 'web', mergePatch({ spec: { replicas: 0 } }))
      expect(patched.spec.replicas).toBe(0)
    }
    await expect(scales.get({ group: 'apps', resource: 'deployments' }, 'none')).rejects.toSatisfy(isNotFound)
    await expect(scales.update({ group: '', resource: 'pods' }, { metadata: { name: 'web' } })).rejects.toThrow(
      'could not find scale subresource for /v1, Resource=pods',
    )
    await clientset.close()
  })
})
