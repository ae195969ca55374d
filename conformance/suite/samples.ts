// A valid object of each of the kinds that are used most, with fields that are easily lost or changed: amounts, ports by
// name, times, lists of one text, nested labels with dots, empty objects that mean something.

import type {
  MutatingWebhookConfigurationInput,
  ValidatingWebhookConfigurationInput,
} from 'kubewright/api/admissionregistration/v1'
import { MutatingWebhookConfiguration, ValidatingWebhookConfiguration } from 'kubewright/api/admissionregistration/v1'
import { CustomResourceDefinition } from 'kubewright/api/apiextensions/v1'
import { ControllerRevision, DaemonSet, Deployment, ReplicaSet, StatefulSet } from 'kubewright/api/apps/v1'
import { HorizontalPodAutoscaler } from 'kubewright/api/autoscaling/v2'
import { CronJob, Job } from 'kubewright/api/batch/v1'
import { Lease } from 'kubewright/api/coordination/v1'
import {
  ConfigMap,
  Endpoints,
  Event,
  LimitRange,
  Namespace,
  Node,
  PersistentVolume,
  PersistentVolumeClaim,
  Pod,
  type PodSpecInput,
  PodTemplate,
  type PodTemplateSpecInput,
  ReplicationController,
  ResourceQuota,
  Secret,
  Service,
  ServiceAccount,
} from 'kubewright/api/core/v1'
import { EndpointSlice } from 'kubewright/api/discovery/v1'
import { Ingress, IngressClass, NetworkPolicy } from 'kubewright/api/networking/v1'
import { RuntimeClass } from 'kubewright/api/node/v1'
import { PodDisruptionBudget } from 'kubewright/api/policy/v1'
import { ClusterRole, ClusterRoleBinding, Role, RoleBinding } from 'kubewright/api/rbac/v1'
import { PriorityClass } from 'kubewright/api/scheduling/v1'
import { CSIDriver, StorageClass } from 'kubewright/api/storage/v1'
import type { Kind, KubernetesObject } from 'kubewright/meta'
import { definitionOf } from './definition.js'

/** A kind, and what is written of one of its objects; its name is given by the test. */
export interface Sample {
  readonly kind: Kind
  readonly object: (namespace: string) => KubernetesObject
}

/** Checks the object against the kind's written type. */
function sample<T extends KubernetesObject, W extends KubernetesObject>(
  kind: Kind<T, W>,
  object: W | ((namespace: string) => W),
): Sample {
  return { kind, object: typeof object === 'function' ? object : () => object }
}

const app = { matchLabels: { 'app.kubernetes.io/name': 'sample' } }

const podSpec: PodSpecInput = {
  containers: [
    {
      name: 'main',
      image: 'registry.example.com/main:1',
      args: ['-c', ''],
      env: [
        { name: 'PLAIN', value: '1e3' },
        { name: 'NODE', valueFrom: { fieldRef: { fieldPath: 'spec.nodeName' } } },
      ],
      ports: [{ name: 'http', containerPort: 8080 }],
      readinessProbe: { httpGet: { path: '/ready', port: 'http' }, periodSeconds: 5 },
      livenessProbe: { tcpSocket: { port: 8080 } },
      resources: { requests: { cpu: '1500m', memory: '128Mi' }, limits: { memory: '0.5Gi' } },
      securityContext: { capabilities: { drop: ['ALL'] }, runAsNonRoot: true },
    },
  ],
  volumes: [
    { name: 'empty', emptyDir: {} },
    { name: 'memory', emptyDir: { medium: 'Memory', sizeLimit: '1Mi' } },
  ],
  tolerations: [{ operator: 'Exists', tolerationSeconds: 30, effect: 'NoExecute' }],
  terminationGracePeriodSeconds: 0,
  // Nobody starts it.
  schedulerName: 'nobody',
  automountServiceAccountToken: false,
}

const template: PodTemplateSpecInput = {
  metadata: { labels: app.matchLabels, annotations: { 'example.com/note': 'größe "b" \\ <c>' } },
  spec: podSpec,
}

const rules = [{ apiGroups: ['', 'apps'], resources: ['*'], resourceNames: ['a'], verbs: ['get'] }]
const webhook = {
  name: 'hook.example.com',
  // Asked of nothing.
  rules: [{ apiGroups: ['example.com'], apiVersions: ['v9'], operations: ['CREATE'], resources: ['nothings'] }],
  clientConfig: { url: 'https://hook.example.com/validate' },
  sideEffects: 'None',
  admissionReviewVersions: ['v1'],
  timeoutSeconds: 1,
}

/** Of objects in a namespace. */
export const namespacedSamples: Sample[] = [
  sample(ConfigMap, { data: { 'a.yaml': 'x: 1\n', empty: '' }, binaryData: { bytes: '/w==' }, immutable: false }),
  sample(ControllerRevision, { data: { any: ['thing', null, 1.5, { a: {} }] }, revision: 7 }),
  sample(CronJob, {
    spec: {
      schedule: '*/5 * * * *',
      suspend: true,
      startingDeadlineSeconds: 0,
      jobTemplate: { spec: { template: { spec: { ...podSpec, restartPolicy: 'Never' } } } },
    },
  }),
  sample(DaemonSet, {
    spec: { selector: app, template, updateStrategy: { rollingUpdate: { maxUnavailable: '10%' } } },
  }),
  sample(Deployment, {
    spec: {
      replicas: 0,
      paused: true,
      selector: app,
      template,
      strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: '25%' } },
    },
  }),
  sample(Endpoints, { subsets: [{ addresses: [{ ip: '192.0.2.1' }], ports: [{ name: 'http', port: 80 }] }] }),
  sample(EndpointSlice, {
    addressType: 'IPv4',
    endpoints: [{ addresses: ['192.0.2.1'], conditions: { ready: false } }],
    ports: [{ name: '', port: 80 }],
  }),
  sample(Event, (namespace) => ({
    metadata: {},
    involvedObject: { kind: 'Pod', namespace, name: 'x' },
    reason: 'Sampled',
    message: 'a message',
    firstTimestamp: '2026-01-02T03:04:05Z',
    eventTime: '2026-01-02T03:04:05.000006Z',
    reportingComponent: 'sample',
    reportingInstance: 'sample-0',
    action: 'Sampling',
    type: 'Normal',
  })),
  sample(HorizontalPodAutoscaler, {
    spec: {
      scaleTargetRef: { apiVersion: 'apps/v1', kind: 'Deployment', name: 'nothing' },
      minReplicas: 1,
      maxReplicas: 10,
      metrics: [
        { type: 'Resource', resource: { name: 'cpu', target: { type: 'Utilization', averageUtilization: 80 } } },
      ],
    },
  }),
  sample(Ingress, {
    spec: {
      ingressClassName: 'nobody',
      rules: [
        {
          host: 'example.com',
          http: {
            paths: [{ path: '/', pathType: 'Prefix', backend: { service: { name: 'a', port: { name: 'http' } } } }],
          },
        },
      ],
    },
  }),
  sample(Job, {
    spec: { suspend: true, backoffLimit: 0, template: { spec: { ...podSpec, restartPolicy: 'Never' } } },
  }),
  sample(Lease, {
    spec: {
      holderIdentity: 'me',
      leaseDurationSeconds: 15,
      renewTime: '2026-01-02T03:04:05.000000Z',
      leaseTransitions: 0,
    },
  }),
  sample(LimitRange, {
    spec: { limits: [{ type: 'Container', default: { cpu: '1', memory: '1Gi' }, min: { cpu: '1m' } }] },
  }),
  sample(NetworkPolicy, {
    spec: {
      podSelector: {},
      ingress: [{ from: [{ namespaceSelector: {} }, { ipBlock: { cidr: '10.0.0.0/8', except: ['10.1.0.0/16'] } }] }],
      egress: [{}],
      policyTypes: ['Ingress', 'Egress'],
    },
  }),
  sample(PersistentVolumeClaim, {
    spec: { accessModes: ['ReadWriteOnce'], storageClassName: '', resources: { requests: { storage: '1536Mi' } } },
  }),
  sample(Pod, template),
  sample(PodDisruptionBudget, { spec: { minAvailable: '50%', selector: {} } }),
  sample(PodTemplate, { template }),
  sample(ReplicaSet, { spec: { replicas: 0, selector: app, template } }),
  sample(ReplicationController, { spec: { replicas: 0, selector: app.matchLabels, template } }),
  sample(ResourceQuota, { spec: { hard: { 'requests.storage': '1Ti', 'count/nothings.example.com': '0' } } }),
  sample(Role, { rules }),
  sample(RoleBinding, {
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'Role', name: 'sample' },
    subjects: [{ kind: 'ServiceAccount', name: 'default', namespace: 'default' }],
  }),
  sample(Secret, { type: 'example.com/sample', data: { bytes: 'AP8=', empty: '' } }),
  sample(Service, {
    spec: {
      selector: app.matchLabels,
      ports: [
        { name: 'http', port: 80, targetPort: 'http' },
        { name: 'n', port: 81, targetPort: 8081 },
      ],
    },
  }),
  sample(ServiceAccount, { automountServiceAccountToken: false, imagePullSecrets: [{ name: 'a' }] }),
  sample(StatefulSet, {
    spec: {
      replicas: 0,
      serviceName: 'sample',
      selector: app,
      template,
      volumeClaimTemplates: [
        {
          metadata: { name: 'data' },
          spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
        },
      ],
    },
  }),
]

/** Of objects of the whole cluster. */
export const clusterSamples: Sample[] = [
  sample(ClusterRole, { rules: [...rules, { nonResourceURLs: ['/healthz/*'], verbs: ['*'] }] }),
  sample(ClusterRoleBinding, {
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: 'nothing' },
    subjects: [{ kind: 'Group', apiGroup: 'rbac.authorization.k8s.io', name: 'nobody:at:all' }],
  }),
  sample(CSIDriver, { spec: { attachRequired: false, podInfoOnMount: true } }),
  sample(IngressClass, { spec: { controller: 'example.com/nobody' } }),
  sample<KubernetesObject, MutatingWebhookConfigurationInput>(MutatingWebhookConfiguration, {
    webhooks: [{ ...webhook, reinvocationPolicy: 'IfNeeded' }],
  }),
  sample(Namespace, { metadata: { labels: { 'example.com/sample': 'true' } } }),
  sample(Node, { spec: { unschedulable: true, podCIDR: '10.1.0.0/24', podCIDRs: ['10.1.0.0/24'] } }),
  sample(PersistentVolume, {
    spec: {
      capacity: { storage: '5Gi' },
      accessModes: ['ReadWriteMany'],
      hostPath: { path: '/nowhere' },
      persistentVolumeReclaimPolicy: 'Retain',
    },
  }),
  sample(PriorityClass, { value: -1000, description: 'last' }),
  sample(RuntimeClass, { handler: 'nobody', overhead: { podFixed: { cpu: '250m' } } }),
  sample(StorageClass, {
    provisioner: 'example.com/nobody',
    parameters: { a: 'b' },
    volumeBindingMode: 'WaitForFirstConsumer',
  }),
  sample<KubernetesObject, ValidatingWebhookConfigurationInput>(ValidatingWebhookConfiguration, {
    webhooks: [webhook],
  }),
]

/** A custom resource definition, whose name follows from what it defines. */
export const definition = (group: string): Sample =>
  sample(
    CustomResourceDefinition,
    definitionOf(group, 'Sample', {
      shortNames: ['smp'],
      subresources: { status: {} },
      properties: {
        spec: {
          type: 'object',
          'x-kubernetes-preserve-unknown-fields': true,
          properties: {
            size: { type: 'integer', minimum: 0, default: 1 },
            names: { type: 'array', items: { type: 'string' } },
          },
        },
      },
    }),
  )
