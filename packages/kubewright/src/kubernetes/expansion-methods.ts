// The run-time part of `expansions.ts`: what single resources can do beyond the verbs, by accessor and method.

import type { EventList } from '../gen/api/core/v1.js'
import {
  type CreateOptions,
  fieldSelectorFromSet,
  type KubernetesObject,
  type ListOptions,
  type PatchOptions,
  strategicMergePatch,
  type UpdateOptions,
} from '../meta/index.js'
import { nameOf, withType } from './arguments.js'
import type { InvolvedObject, PodLogOptions, ProxyGetOptions } from './expansions.js'
import { podLogLines } from './pod-logs.js'
import type { ResourceClientImpl } from './resource-client.js'

type Client = ResourceClientImpl<KubernetesObject>
type Methods = Record<string, (...args: never[]) => unknown>
type Expansion = (client: Client) => Methods

const proxies: Expansion = (client) => ({
  async proxyGet(name: string, opts: ProxyGetOptions = {}): Promise<Uint8Array> {
    const { scheme = '', port = '', path = '', params = {}, signal, timeout } = opts
    // Such a path would lead out of the proxied program, to the API server's own resources.
    if (path.split('/').includes('..')) throw new TypeError(`proxyGet: the path ${JSON.stringify(path)} contains '..'`)
    // `name`, `name:port` or `scheme:name:port`, as the apiserver's proxy reads it.
    const target = scheme === '' && port === '' ? name : `${scheme}:${name}:${port}`.replace(/^:/, '')
    const request = client.named(client.rest.get(), 'proxyGet', target).subResource('proxy').suffix(path)
    for (const [key, value] of Object.entries(params)) request.param(key, value)
    return request.doRaw({ signal, timeout })
  },
})

const pods: Expansion = (client) => {
  const log = (name: string, { signal, timeout, ...params }: PodLogOptions) => {
    const request = client.named(client.rest.get(), 'getLogs', name).subResource('log').versionedParams(params)
    return request.stream({ signal, timeout })
  }
  return {
    ...proxies(client),
    async getLogs(name: string, opts: PodLogOptions = {}): Promise<string> {
      const stream = await log(name, opts)
      const decoder = new TextDecoder()
      let text = ''
      for await (const chunk of stream) text += decoder.decode(chunk, { stream: true })
      return text + decoder.decode()
    },
    streamLogs: (name: string, opts: PodLogOptions = {}): AsyncIterable<string> => podLogLines(() => log(name, opts)),
    async evict(eviction: KubernetesObject, opts: CreateOptions = {}) {
      const request = client.named(client.rest.post(), 'evict', nameOf(eviction, 'evict')).subResource('eviction')
      return client.send(request, { apiVersion: 'policy/v1', kind: 'Eviction', ...eviction }, opts)
    },
    async bind(binding: KubernetesObject, opts: CreateOptions = {}) {
      const request = client.named(client.rest.post(), 'bind', nameOf(binding, 'bind')).subResource('binding')
      return client.send(request, { apiVersion: 'v1', kind: 'Binding', ...binding }, opts)
    },
    async updateEphemeralContainers(name: string, pod: object, opts: UpdateOptions = {}) {
      const request = client.named(client.rest.put(), 'updateEphemeralContainers', name)
      return client.write(request.subResource('ephemeralcontainers'), pod, opts)
    },
    async updateResize(name: string, pod: object, opts: UpdateOptions = {}) {
      return client.write(client.named(client.rest.put(), 'updateResize', name).subResource('resize'), pod, opts)
    },
  }
}

const namespaces: Expansion = (client) => ({
  async finalize(namespace: object, opts: UpdateOptions = {}) {
    const request = client.named(client.rest.put(), 'finalize', nameOf(namespace, 'finalize'))
    return client.write(request.subResource('finalize'), namespace, opts)
  },
})

const nodes: Expansion = (client) => ({
  patchStatus: (name: string, body: object, opts: PatchOptions = {}) =>
    client.patch(name, strategicMergePatch(body), { ...opts, subresource: 'status' }),
})

const tokenRequestType = { apiVersion: 'authentication.k8s.io/v1', kind: 'TokenRequest' }

const serviceAccounts: Expansion = (client) => ({
  async createToken(name: string, tokenRequest: object, opts: CreateOptions = {}) {
    const request = client.named(client.rest.post(), 'createToken', name).subResource('token')
    return client.send(request, withType(tokenRequestType, tokenRequest, 'createToken'), opts)
  },
})

const approvals: Expansion = (client) => ({
  async updateApproval(name: string, request: object, opts: UpdateOptions = {}) {
    const put = client.named(client.rest.put(), 'updateApproval', name).subResource('approval')
    return client.write(put, request, opts)
  },
})

/** The same client in the namespace that the object names. */
function inNamespaceOf(client: Client, obj: KubernetesObject, doing: string): Client {
  const namespace = obj.metadata?.namespace ?? ''
  if (client.inNamespace !== undefined && client.inNamespace !== namespace) {
    throw new TypeError(
      `${doing}: can't ${doing.startsWith('create') ? 'create' : 'write'} an event with namespace '${namespace}' in namespace '${client.inNamespace}'`,
    )
  }
  return client.namespace(namespace)
}

const events: Expansion = (client) => ({
  createWithEventNamespace: async (event: KubernetesObject, opts: CreateOptions = {}) =>
    inNamespaceOf(client, event, 'createWithEventNamespace').create(event, opts),
  updateWithEventNamespace: async (event: KubernetesObject, opts: UpdateOptions = {}) =>
    inNamespaceOf(client, event, 'updateWithEventNamespace').update(event, opts),
  patchWithEventNamespace: async (event: KubernetesObject, body: object, opts: PatchOptions = {}) => {
    const name = nameOf(event, 'patchWithEventNamespace')
    return inNamespaceOf(client, event, 'patchWithEventNamespace').patch(name, strategicMergePatch(body), opts)
  },
})

function involvedObjectSelector({ name, namespace, kind, uid }: InvolvedObject): string {
  return fieldSelectorFromSet({
    'involvedObject.name': name,
    'involvedObject.namespace': namespace,
    'involvedObject.kind': kind,
    'involvedObject.uid': uid,
  }).toString()
}

const coreEvents: Expansion = (client) => ({
  ...events(client),
  getFieldSelector: involvedObjectSelector,
  async search(obj: KubernetesObject, opts: ListOptions = {}): Promise<EventList> {
    const { name, namespace, uid } = obj.metadata ?? {}
    if (client.inNamespace !== undefined && client.inNamespace !== (namespace ?? '')) {
      throw new TypeError(
        `search: can't find object with namespace '${namespace ?? ''}' in namespace '${client.inNamespace}'`,
      )
    }
    const fieldSelector = involvedObjectSelector({ name, namespace, kind: obj.kind, uid })
    return (await client.list({ ...opts, fieldSelector })) as EventList
  },
})

/** Evictions go to the core group's Pods, whichever version of policy they are of. */
const evictions =
  (apiVersion: string): Expansion =>
  (client) => ({
    async evict(eviction: KubernetesObject, opts: CreateOptions = {}) {
      const name = nameOf(eviction, 'evict')
      const namespace = eviction.metadata?.namespace ?? client.inNamespace ?? ''
      const request = client.rest
        .post()
        .absPath('/api/v1')
        .namespace(namespace)
        .resource('pods')
        .name(name)
        .subResource('eviction')
      return client.send(request, { apiVersion, kind: 'Eviction', ...eviction }, opts)
    },
  })

const rollbacks: Expansion = (client) => ({
  async rollback(rollback: { name?: string }, opts: CreateOptions = {}) {
    const request = client.named(client.rest.post(), 'rollback', rollback.name ?? '').subResource('rollback')
    return client.send(request, { apiVersion: 'extensions/v1beta1', kind: 'DeploymentRollback', ...rollback }, opts)
  },
})

/** Expansions by `<accessor>.<method>`. */
export const expansions: Readonly<Record<string, Expansion>> = {
  'coreV1.pods': pods,
  'coreV1.services': proxies,
  'coreV1.namespaces': namespaces,
  'coreV1.nodes': nodes,
  'coreV1.serviceAccounts': serviceAccounts,
  'coreV1.events': coreEvents,
  'eventsV1.events': events,
  'eventsV1beta1.events': events,
  'certificatesV1.certificateSigningRequests': approvals,
  'certificatesV1beta1.certificateSigningRequests': approvals,
  'policyV1.evictions': evictions('policy/v1'),
  'policyV1beta1.evictions': evictions('policy/v1beta1'),
  'extensionsV1beta1.deployments': rollbacks,
}
