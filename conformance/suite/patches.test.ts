// Patches are applied here as the server applies them: what kubewright/patch makes of an object is the server's answer.

import type { Clientset } from 'kubewright'
import {
  isInvalid,
  isUnsupportedMediaType,
  jsonPatch,
  mergePatch,
  type Patch,
  type Schema,
  strategicMergePatch,
} from 'kubewright/meta'
import {
  applyJsonPatch,
  applyMergePatch,
  applyStrategicMergePatch,
  createJsonPatch,
  createMergePatch,
  createThreeWayStrategicMergePatch,
  createTwoWayStrategicMergePatch,
  schemaFromOpenAPI,
} from 'kubewright/patch'
import { copyConfig, type RESTClient, restClientFor, transportFor } from 'kubewright/rest'
import { CustomResourceDefinitionSchema } from 'kubewright/schema/apiextensions/v1'
import { DeploymentSchema } from 'kubewright/schema/apps/v1'
import { PodSchema, ServiceSchema } from 'kubewright/schema/core/v1'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithControlPlane, testNamespace } from '../control-plane/fixture.js'
import { definitionOf } from './definition.js'
import { eventually } from './eventually.js'
import { clientsetFor, deployment } from './helpers.js'

const group = 'patches.kubewright.example'

interface Stored {
  metadata: { labels?: Record<string, string>; finalizers?: string[]; annotations?: Record<string, string> }
  spec: object
}

interface Widget extends Stored {
  apiVersion: string
  kind: string
  metadata: Stored['metadata'] & { name: string }
  spec: { parts: string[]; size: number }
}

/** What nobody but the patch changes: controllers write annotations and status. */
function settled({ metadata: { labels, finalizers, annotations = {} }, spec }: Stored): object {
  const { 'deployment.kubernetes.io/revision': _, ...others } = annotations
  return JSON.parse(JSON.stringify({ labels, finalizers, annotations: others, spec })) as object
}

/** Sends each sort of patch, and changes nothing by it; compares with what becomes of the object here. */
async function expectServerToAgree<T extends Stored>(
  current: T,
  modified: T,
  schema: Schema,
  send: (patch: Patch) => Promise<T>,
): Promise<void> {
  const steps = createJsonPatch(current, modified)
  expect(settled(await send(jsonPatch(steps))), 'JSON patch').toEqual(settled(applyJsonPatch(current, steps)))
  const body = createMergePatch(current, modified)
  expect(settled(await send(mergePatch(body))), 'merge patch').toEqual(settled(applyMergePatch(current, body)))
  const strategic = createTwoWayStrategicMergePatch(current, modified, schema)
  const answer = settled(await send(strategicMergePatch(strategic)))
  expect(answer, 'strategic merge patch').toEqual(settled(applyStrategicMergePatch(current, strategic, schema)))
  expect(answer).toEqual(settled(modified))
}

describeWithControlPlane('patches', () => {
  let clientset: Clientset
  beforeAll(async () => {
    clientset = await clientsetFor()
  })
  afterAll(() => clientset.close())

  const crd = () =>
    clientset
      .apiextensionsV1()
      .customResourceDefinitions()
      .create(
        definitionOf(group, 'Widget', {
          shortNames: ['wd'],
          properties: {
            spec: {
              type: 'object',
              properties: { parts: { type: 'array', items: { type: 'string' } }, size: { type: 'integer' } },
            },
          },
        }),
      )

  it('of a Deployment', async () => {
    const deployments = clientset.appsV1().deployments(await testNamespace())
    const current = await deployments.create(deployment('web', { labels: { tier: 'front', gone: 'soon' } }))
    const modified = structuredClone(current)
    const [container] = modified.spec.template.spec.containers
    if (!container) throw new Error('the server has lost the container')
    container.env = [
      { name: 'B', value: '2' },
      { name: 'A', value: '1' },
    ]
    container.image = 'nginx:1.29'
    modified.spec.template.spec.containers.unshift({ ...structuredClone(container), name: 'first', env: [] })
    modified.spec.template.spec.tolerations = [{ key: 'a', operator: 'Exists' }]
    modified.spec.strategy = { type: 'Recreate' }
    modified.metadata.labels = { app: 'web', tier: 'back' }
    modified.metadata.finalizers = ['example.com/b', 'example.com/a']
    // The server leaves empty lists out.
    delete modified.spec.template.spec.containers[0]?.env
    await expectServerToAgree(current, modified, DeploymentSchema, (patch) =>
      deployments.patch('web', patch, { dryRun: ['All'] }),
    )
  })

  it('of a Deployment that somebody else has changed meanwhile', async () => {
    const deployments = clientset.appsV1().deployments(await testNamespace())
    const original = deployment('web', { replicas: 1, labels: { mine: '1' } })
    await deployments.create(original)
    const theirs = { spec: { template: { spec: { containers: [{ name: 'theirs', image: 'their:1' }] } } } }
    const current = await deployments.patch('web', strategicMergePatch(theirs))
    const modified = deployment('web', { replicas: 2 })
    const body = createThreeWayStrategicMergePatch(original, modified, current, DeploymentSchema)
    const answer = await deployments.patch('web', strategicMergePatch(body))
    expect(settled(answer)).toEqual(settled(applyStrategicMergePatch(current, body, DeploymentSchema)))
    expect(answer.metadata.labels).toEqual({ app: 'web' })
    expect(answer.spec.template.spec.containers.map(({ name }) => name).sort()).toEqual(['nginx', 'theirs'])
  })

  it('of a Service', async () => {
    const services = clientset.coreV1().services(await testNamespace())
    const port = (name: string, number: number) => ({ name, port: number, targetPort: number, protocol: 'TCP' })
    const current = await services.create({
      metadata: { name: 'web', annotations: { a: '1' } },
      spec: { selector: { app: 'web' }, ports: [port('http', 80), port('https', 443), port('metrics', 9090)] },
    })
    const modified = structuredClone(current)
    modified.spec.ports = [port('metrics', 9090), { ...port('web', 80), targetPort: 8080 }, port('new', 81)]
    modified.spec.selector = { app: 'web', tier: 'front' }
    delete modified.metadata.annotations
    await expectServerToAgree(current, modified, ServiceSchema, (patch) =>
      services.patch('web', patch, { dryRun: ['All'] }),
    )
  })

  it('of a Pod, written by hand with directives', async () => {
    const pods = clientset.coreV1().pods(await testNamespace())
    const current = await pods.create({
      metadata: { name: 'web', labels: { a: '1', b: '2' }, finalizers: ['example.com/a', 'example.com/b'] },
      spec: {
        containers: [
          { name: 'app', image: 'app:1' },
          { name: 'proxy', image: 'proxy:1' },
        ],
      },
    })
    const body = {
      metadata: {
        labels: { $patch: 'replace', c: '3' },
        '$deleteFromPrimitiveList/finalizers': ['example.com/a'],
        finalizers: ['example.com/c'],
        '$setElementOrder/finalizers': ['example.com/c', 'example.com/b'],
      },
      spec: { containers: [{ name: 'proxy', image: 'proxy:2' }], activeDeadlineSeconds: 60 },
    }
    const answer = await pods.patch('web', strategicMergePatch(body))
    expect(settled(answer)).toEqual(settled(applyStrategicMergePatch(current, body, PodSchema)))
    expect(answer.metadata.finalizers).toEqual(['example.com/c', 'example.com/b'])
    await pods.patch('web', mergePatch({ metadata: { finalizers: null } }))
  })

  it('that do not apply fail, and applied here say why', async () => {
    const pods = clientset.coreV1().pods(await testNamespace())
    const current = await pods.create({ metadata: { name: 'web' }, spec: { containers: [{ name: 'a', image: 'a' }] } })
    // The server keeps to itself which step it was.
    const steps = [{ op: 'remove' as const, path: '/spec/gone' }]
    expect(() => applyJsonPatch(current, steps)).toThrow('Unable to remove nonexistent key: gone')
    expect(isInvalid(await pods.patch('web', jsonPatch(steps)).catch((err: unknown) => err))).toBe(true)
    const body = { spec: { containers: [{ image: 'x' }] } }
    // Ours shows of an item only what it has.
    const message = (value: string) => `map: map[image:${value}] does not contain declared merge key: name`
    expect(() => applyStrategicMergePatch(current, body, PodSchema)).toThrow(message('…'))
    await expect(pods.patch('web', strategicMergePatch(body))).rejects.toThrow(message('x'))
  })

  it('of a CustomResourceDefinition and of its objects, where a strategic one is refused with what to use instead', async () => {
    const definitions = clientset.apiextensionsV1().customResourceDefinitions()
    const name = `widgets.${group}`
    const created = await crd()
    let client: RESTClient | undefined
    try {
      const current = await definitions.get(name)
      const modified = structuredClone(current)
      modified.spec.names.shortNames = ['w', 'wd']
      modified.spec.names.categories = ['all']
      modified.metadata.labels = { a: '1' }
      await expectServerToAgree(current, modified, CustomResourceDefinitionSchema, (patch) =>
        definitions.patch(name, patch, { dryRun: ['All'] }),
      )

      const namespace = await testNamespace()
      const rest = restClientFor(copyConfig(clientset.config, { qps: -1 }), { group, version: 'v1' })
      client = rest
      const widget: Widget = {
        apiVersion: `${group}/v1`,
        kind: 'Widget',
        metadata: { name: 'a' },
        spec: { parts: ['x'], size: 1 },
      }
      const stored = await eventually(async () => {
        const request = rest.post().namespace(namespace).resource('widgets').body(widget)
        return (await request.do<Widget>().catch(() => undefined))?.object
      })
      const send = async (patch: Patch) => {
        const request = rest
          .patch(patch.contentType)
          .namespace(namespace)
          .resource('widgets')
          .name('a')
          .body(patch.body)
        return (await request.do<Widget>()).object
      }
      const body = createMergePatch(stored, { ...stored, spec: { parts: ['y', 'x'] } })
      expect(settled(await send(mergePatch(body)))).toEqual(settled(applyMergePatch(stored, body)))
      const err: unknown = await send(strategicMergePatch({ spec: { size: 2 } })).catch((e: unknown) => e)
      expect(isUnsupportedMediaType(err)).toBe(true)
      expect((err as Error).message).toMatch(/use mergePatch, jsonPatch or apply for custom resources$/)
      expect(schemaFromOpenAPI(created.spec.versions[0]?.schema?.openAPIV3Schema)).toMatchObject({ type: 'struct' })
    } finally {
      if (client) await transportFor(client.config).close()
      await definitions.delete(name)
    }
  })
})
