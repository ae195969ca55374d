// What programs may and may not write with the generated types. Checked by the compiler; nothing here runs.

import { describe, expectTypeOf, it } from 'vitest'
import type { ApplyConfiguration, Patches, StatusResourceClient } from '../kubernetes/verbs.js'
import type { Kind } from '../meta/kind.js'
import { jsonPatch, mergePatch } from '../meta/patch.js'
import type { DeepReadonly, KubernetesList, KubernetesObject } from '../meta/object.js'
import { Deployment, type DeploymentInput, type DeploymentList, type DeploymentListInput, type StatefulSet } from './api/apps/v1.js'
import type { Scale } from './api/autoscaling/v1.js'
import type { JSONSchemaProps } from './api/apiextensions/v1.js'
import type { Event, Namespace, Node, Pod, PodInput, PodTemplateSpec } from './api/core/v1.js'
import type { ListMeta, NamespacedObjectMeta, ObjectMeta, StoredObjectMeta } from './api/meta/v1.js'
import type { Role } from './api/rbac/v1.js'
import type { ClientsetInterface } from './clientset.js'
import type { InformersByGroupVersion } from './informers.js'

declare const clientset: ClientsetInterface
declare const informers: InformersByGroupVersion
declare const cached: DeepReadonly<Deployment>

const deployments = () => clientset.appsV1().deployments('default')

describe('what is written', () => {
  it('a manifest as people write them', () => {
    const manifest: DeploymentInput = {
      apiVersion: 'apps/v1',
      kind: 'Deployment',
      metadata: { name: 'nginx-demo', labels: { 'demo/min-replicas': 'true' } },
      spec: {
        replicas: 1,
        selector: { matchLabels: { app: 'nginx-demo' } },
        template: {
          metadata: { labels: { app: 'nginx-demo' } },
          spec: {
            containers: [
              {
                name: 'nginx',
                image: 'nginx:1.27',
                ports: [{ containerPort: 80 }],
                resources: { requests: { cpu: '100m', memory: '64Mi' } },
                readinessProbe: { httpGet: { path: '/', port: 'http' } },
              },
            ],
          },
        },
      },
    }
    expectTypeOf(deployments().create(manifest)).resolves.toEqualTypeOf<Deployment>()
    deployments().create({ metadata: { generateName: 'nginx-' } })
  })

  it('no field that does not exist, no value of another type', () => {
    // @ts-expect-error replica is no field
    deployments().create({ spec: { replica: 1, selector: {}, template: {} } })
    // @ts-expect-error replicas is a number
    deployments().create({ spec: { replicas: '1', selector: {}, template: {} } })
    // @ts-expect-error selector is required
    deployments().create({ spec: { template: {} } })
    // @ts-expect-error another kind
    deployments().create({ kind: 'StatefulSet' })
    // @ts-expect-error another version
    deployments().create({ apiVersion: 'apps/v1beta1' })
    // @ts-expect-error a status is written by updateStatus, and lost here
    deployments().create({ metadata: { name: 'x' }, status: { replicas: 1 } })
    // @ts-expect-error a patch is made by the function that says which kind of patch it is
    deployments().patch('x', { spec: { replicas: 2 } })
    const patch = mergePatch({ spec: { replicas: 2 } })
    expectTypeOf(deployments().patch('x', patch, { subresource: 'scale' })).resolves.toEqualTypeOf<Scale>()
    expectTypeOf(deployments().patch('x', patch, { subresource: 'status' })).resolves.toEqualTypeOf<Deployment>()
    expectTypeOf(deployments().patch('x', patch)).resolves.toEqualTypeOf<Deployment>()
    expectTypeOf(deployments()).toExtend<Patches<Deployment>>()
    expectTypeOf(deployments()).toExtend<StatusResourceClient<Deployment, DeploymentInput>>()
    // @ts-expect-error a JSON patch is a list of steps
    deployments().patch('x', jsonPatch({ spec: { replicas: 2 } }))
    // @ts-expect-error an apply needs the name in its configuration
    deployments().apply({ metadata: { generateName: 'x-' } }, { fieldManager: 'me' })
    // @ts-expect-error an apply of another kind
    deployments().apply({ kind: 'DaemonSet', metadata: { name: 'x' } }, { fieldManager: 'me' })
  })

  it('what was read, changed, or from a cache', async () => {
    const live = await deployments().get('nginx-demo')
    live.spec.replicas = 2
    deployments().update(live)
    deployments().updateStatus(cached)
    deployments().create(cached)
    // @ts-expect-error what a cache gives out is readonly
    cached.spec.replicas = 2
    expectTypeOf<Deployment>().toExtend<DeploymentInput>()
    expectTypeOf<Pod>().toExtend<PodInput>()
  })

  it('values that are not known yet, where a set of values is open', () => {
    const policy: NonNullable<PodInput['spec']>['restartPolicy'] = 'SomethingNew'
    expectTypeOf(policy).toExtend<string>()
  })

  it('apply: any part, and the name', () => {
    deployments().apply({ metadata: { name: 'x' }, spec: { replicas: 2 } }, { fieldManager: 'me' })
    deployments().apply({ metadata: { name: 'x' }, spec: { template: { spec: { containers: [{ name: 'a' }] } } } }, { fieldManager: 'me' })
    // @ts-expect-error without a name
    deployments().apply({ metadata: {}, spec: { replicas: 2 } }, { fieldManager: 'me' })
    // @ts-expect-error without metadata
    deployments().apply({ spec: { replicas: 2 } }, { fieldManager: 'me' })
    // @ts-expect-error without a field manager
    deployments().apply({ metadata: { name: 'x' } }, {})
    // @ts-expect-error replica is no field
    deployments().apply({ metadata: { name: 'x' }, spec: { replica: 2 } }, { fieldManager: 'me' })
    expectTypeOf<ApplyConfiguration<DeploymentInput>['metadata']['name']>().toEqualTypeOf<string>()
  })
})

describe('what is read', () => {
  it('needs no ?. for what the server always sends', () => {
    expectTypeOf<Deployment['spec']['replicas']>().toEqualTypeOf<number | undefined>()
    expectTypeOf<Deployment['status']['readyReplicas']>().toEqualTypeOf<number | undefined>()
    expectTypeOf<Deployment['metadata']['name']>().toEqualTypeOf<string>()
    expectTypeOf<Deployment['kind']>().toEqualTypeOf<'Deployment'>()
    expectTypeOf<Pod['spec']['containers'][number]['resources']>().not.toExtend<undefined>()
  })

  it('has a namespace where the kind has', () => {
    expectTypeOf<Pod['metadata']>().toEqualTypeOf<NamespacedObjectMeta>()
    expectTypeOf<Node['metadata']>().toEqualTypeOf<StoredObjectMeta>()
    expectTypeOf<PodTemplateSpec['metadata']>().toEqualTypeOf<ObjectMeta>()
    expectTypeOf<Scale['metadata']>().toEqualTypeOf<ObjectMeta>()
  })

  it('says where null is sent', () => {
    expectTypeOf<Event['eventTime']>().toEqualTypeOf<string | null | undefined>()
    expectTypeOf<null>().toExtend<Role['rules']>()
    expectTypeOf<null>().not.toExtend<Pod['spec']['containers']>()
  })

  it('templates inside objects are no stored objects', () => {
    type Template = NonNullable<StatefulSet['spec']['volumeClaimTemplates']>[number]
    expectTypeOf<undefined>().toExtend<Template['metadata']>()
  })

  it('lists are lists of their kind', async () => {
    expectTypeOf(deployments().list()).resolves.toEqualTypeOf<DeploymentList>()
    expectTypeOf<DeploymentList>().toExtend<KubernetesList<Deployment>>()
    expectTypeOf<DeploymentList['metadata']['resourceVersion']>().toEqualTypeOf<string>()
    expectTypeOf<DeploymentListInput['metadata']>().toEqualTypeOf<ListMeta | undefined>()
    for await (const event of await deployments().watch()) {
      if (event.type === 'ADDED') expectTypeOf(event.object).toEqualTypeOf<Deployment>()
    }
  })

  it('is a KubernetesObject, recursive schemas included', () => {
    expectTypeOf<Deployment>().toExtend<KubernetesObject>()
    expectTypeOf<DeploymentInput>().toExtend<KubernetesObject>()
    expectTypeOf<JSONSchemaProps>().toExtend<DeepReadonly<JSONSchemaProps>>()
  })
})

describe('kinds, clients and informers', () => {
  it('a kind is a value and a type of one name', () => {
    expectTypeOf(Deployment).toEqualTypeOf<Kind<Deployment, DeploymentInput, 'scale' | 'status'>>()
    expectTypeOf(Deployment).toExtend<Kind<Deployment, DeploymentInput>>()
    expectTypeOf(Deployment).toExtend<Kind>()
  })

  it('clients have the verbs of their resource and no others', () => {
    expectTypeOf(deployments().getScale('x')).resolves.toEqualTypeOf<Scale>()
    expectTypeOf(clientset.coreV1().namespaces().get('x')).resolves.toEqualTypeOf<Namespace>()
    clientset.coreV1().pods().list()
    clientset.storageV1().csiDrivers().list()
    clientset.networkingV1().ipAddresses().list()
    clientset.coreV1().pods('a').evict({ metadata: { name: 'x' } })
    // @ts-expect-error cluster-scoped: no namespace
    clientset.coreV1().nodes('default')
    // @ts-expect-error the server has no deletecollection of services
    clientset.coreV1().services('default').deleteCollection()
    // @ts-expect-error nobody applies the scale of a replication controller
    clientset.coreV1().replicationControllers('default').applyScale
    // @ts-expect-error reviews are only created
    clientset.authorizationV1().subjectAccessReviews().get('x')
  })

  it('informers give out readonly objects of their kind', () => {
    const { lister } = informers.appsV1().deployments()
    expectTypeOf(lister.deployments('default').get('x')).toExtend<DeepReadonly<Deployment> | undefined>()
    // @ts-expect-error reviews cannot be listed
    informers.authorizationV1()
  })
})
