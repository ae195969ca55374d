// What the API server does for single built-in kinds, as far as clients see it without anything being validated.

import type { Fields, KubernetesObject, Unstructured } from '../meta/index.js'

/** `resource.group` of built-in resources that count generations. Custom resources all do. */
const withGeneration = new Set([
  'pods.',
  'podtemplates.',
  'replicationcontrollers.',
  'daemonsets.apps',
  'deployments.apps',
  'replicasets.apps',
  'statefulsets.apps',
  'jobs.batch',
  'cronjobs.batch',
  'endpointslices.discovery.k8s.io',
  'poddisruptionbudgets.policy',
  'ingresses.networking.k8s.io',
  'ingressclasses.networking.k8s.io',
  'networkpolicies.networking.k8s.io',
  'priorityclasses.scheduling.k8s.io',
  'deviceclasses.resource.k8s.io',
  'devicetaintrules.resource.k8s.io',
  'resourceslices.resource.k8s.io',
  'flowschemas.flowcontrol.apiserver.k8s.io',
  'prioritylevelconfigurations.flowcontrol.apiserver.k8s.io',
  'validatingadmissionpolicies.admissionregistration.k8s.io',
  'validatingadmissionpolicybindings.admissionregistration.k8s.io',
  'mutatingadmissionpolicies.admissionregistration.k8s.io',
  'mutatingadmissionpolicybindings.admissionregistration.k8s.io',
  'validatingwebhookconfigurations.admissionregistration.k8s.io',
  'mutatingwebhookconfigurations.admissionregistration.k8s.io',
  'customresourcedefinitions.apiextensions.k8s.io',
])

/** Whose deletion answers the object, in the core group, resource.k8s.io and storage.k8s.io; others' a Status. */
const returningDeleted = new Set([
  'pods',
  'services',
  'namespaces',
  'podtemplates',
  'persistentvolumes',
  'persistentvolumeclaims',
  'resourcequotas',
  'serviceaccounts',
])

/** Phases of what is new. */
const initialPhases: Readonly<Record<string, string>> = {
  'pods.': 'Pending',
  'persistentvolumes.': 'Pending',
  'persistentvolumeclaims.': 'Pending',
  'namespaces.': 'Active',
}

type Resource = { readonly group: string; readonly resource: string }

const nameOf = ({ group, resource }: Resource): string => `${resource}.${group}`

/** Whether a built-in resource's objects count their generations. */
export const hasGeneration = (resource: Resource): boolean => withGeneration.has(nameOf(resource))

/** Whether a deletion answers with the object. */
export function returnsDeleted({ group, resource }: Resource): boolean {
  if (group === 'resource.k8s.io' || group === 'storage.k8s.io') return true
  return group === '' && returningDeleted.has(resource)
}

/** The phase of a new object, or undefined for kinds without one. */
export function initialPhase(resource: Resource): string | undefined {
  const name = nameOf(resource)
  return Object.hasOwn(initialPhases, name) ? initialPhases[name] : undefined
}

/** Seconds that a deleted object has to end in, unless the deletion says something else; 0: it is gone at once. */
export function gracePeriodOf(resource: Resource, object: Unstructured, asked: number | undefined): number {
  if (nameOf(resource) !== 'pods.') return 0
  const { spec, status } = object as {
    spec?: { nodeName?: string; terminationGracePeriodSeconds?: number }
    status?: { phase?: string }
  }
  // Nobody but a kubelet could end what no node runs, or what has ended.
  if (!spec?.nodeName || status?.phase === 'Failed' || status?.phase === 'Succeeded') return 0
  return asked ?? spec.terminationGracePeriodSeconds ?? 30
}

const eventFields = ['kind', 'namespace', 'name', 'uid', 'apiVersion', 'resourceVersion', 'fieldPath']

/** Fields that selectors may name beside those of metadata, by resource. */
const selectable: Readonly<Record<string, readonly string[]>> = {
  'pods.': [
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'spec.hostNetwork',
    'status.phase',
    'status.podIP',
    'status.podIPs',
    'status.nominatedNodeName',
  ],
  'nodes.': ['spec.unschedulable'],
  'namespaces.': ['status.phase'],
  'secrets.': ['type'],
  'services.': ['spec.clusterIP', 'spec.type'],
  'replicationcontrollers.': ['status.replicas'],
  'replicasets.apps': ['status.replicas'],
  'jobs.batch': ['status.successful'],
  'certificatesigningrequests.certificates.k8s.io': ['spec.signerName'],
  'clustertrustbundles.certificates.k8s.io': ['spec.signerName'],
  'podcertificaterequests.certificates.k8s.io': ['spec.signerName', 'spec.podName', 'spec.nodeName'],
  'resourceslices.resource.k8s.io': ['spec.nodeName', 'spec.driver'],
  'events.': [
    ...eventFields.map((field) => `involvedObject.${field}`),
    'reason',
    'reportingComponent',
    'source',
    'type',
  ],
  'events.events.k8s.io': [
    ...eventFields.map((field) => `regarding.${field}`),
    'reason',
    'reportingController',
    'type',
  ],
}

/** The fields by which objects of a resource can be selected; `more` are those of a CustomResourceDefinition. */
export function selectableFields(
  resource: Resource,
  namespaced: boolean | undefined,
  more: readonly string[],
): string[] {
  const name = nameOf(resource)
  const own = Object.hasOwn(selectable, name) ? (selectable[name] ?? []) : []
  return ['metadata.name', ...(namespaced === false ? [] : ['metadata.namespace']), ...own, ...more]
}

/** What is said of a field that selectors may not name. */
export function unknownField(info: Resource & { readonly builtIn: boolean }, field: string): string {
  if (!info.builtIn || Object.hasOwn(selectable, nameOf(info))) return `field label not supported: ${field}`
  return `"${field}" is not a known field selector: only "metadata.name", "metadata.namespace"`
}

/** Fields that are not where their name says. */
const elsewhere: Readonly<Record<string, string>> = {
  'jobs.batch/status.successful': 'status.succeeded',
  'events./source': 'source.component',
}

/** The values of these fields. */
export function fieldsOf(resource: Resource, object: KubernetesObject, names: readonly string[]): Fields {
  const values = names.map((name): [string, string] => {
    const path = elsewhere[`${nameOf(resource)}/${name}`] ?? name
    let value: unknown = object
    for (const part of path.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[part]
    if (name === 'source' && value === undefined)
      value = (object as { reportingComponent?: unknown }).reportingComponent
    return [name, textOf(value, name)]
  })
  return Object.fromEntries(values)
}

function textOf(value: unknown, name: string): string {
  if (Array.isArray(value)) return value.map((item: { ip?: string }) => item.ip ?? '').join(',')
  if (['string', 'number', 'bigint', 'boolean'].includes(typeof value)) return String(value)
  // What Go has no absence of.
  if (/replicas$|successful$/.test(name)) return '0'
  return /hostNetwork$|unschedulable$/.test(name) ? 'false' : ''
}
