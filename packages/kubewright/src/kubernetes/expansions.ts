// What particular resources can do beyond the verbs: the hand-written interfaces of client-go's typed clients.

import type { TokenRequest, TokenRequestInput } from '../gen/api/authentication/v1.js'
import type {
  BindingInput,
  Event,
  EventInput,
  EventList,
  Namespace,
  NamespaceInput,
  Node,
  Pod,
  PodInput,
  PodLogOptionsInput,
} from '../gen/api/core/v1.js'
import type { DeploymentRollbackInput } from '../gen/api/extensions/v1beta1.js'
import type { Status } from '../gen/api/meta/v1.js'
import type { EvictionInput } from '../gen/api/policy/v1.js'
import type {
  CallOptions,
  CreateOptions,
  DeepReadonly,
  KubernetesObject,
  ListOptions,
  PatchOptions,
  UpdateOptions,
} from '../meta/index.js'

/** Which of a container's log lines to read; the server's options under their wire names, and how to call. */
export interface PodLogOptions extends Readonly<Omit<PodLogOptionsInput, 'apiVersion' | 'kind'>>, CallOptions {}

/** Where a request through the apiserver's proxy goes. */
export interface ProxyGetOptions extends CallOptions {
  /** `http` or `https`, between apiserver and target. @defaultValue `http` */
  readonly scheme?: string | undefined
  /** Number or name of the port. Absent: the first one. */
  readonly port?: string | number | undefined
  /** Path at the target, without query. @defaultValue `/` */
  readonly path?: string | undefined
  /** Query parameters. */
  readonly params?: Readonly<Record<string, string>> | undefined
}

/** HTTP requests through the apiserver to what an object stands for. */
export interface ProxiesGet {
  /**
   * Sends a GET through the apiserver's proxy and returns the body of the answer.
   *
   * @throws ApiError with the target's HTTP status where that is none of success
   */
  proxyGet(name: string, opts?: ProxyGetOptions): Promise<Uint8Array>
}

/** Logs, eviction, binding and subresources of Pods. */
export interface PodExpansion extends ProxiesGet {
  /**
   * Reads a container's log, all of what `opts` selects, as text. `opts.container` is needed where the pod has several.
   *
   * **Caveats**: held in memory whole; with `opts.follow` it resolves only when the container has ended. Use
   * `streamLogs` for both.
   *
   * @throws ApiError: {@link isNotFound}; {@link isBadRequest} while the container has not started
   */
  getLogs(name: string, opts?: PodLogOptions): Promise<string>

  /**
   * Reads a container's log line by line; with `opts.follow`, as the lines are written.
   *
   * **Guarantees**: lines come without their line ends; `break` and the signal release the connection; the iteration
   * ends when the log does.
   *
   * @throws ApiError, from the iteration, as `getLogs` does
   * @example
   * ```ts
   * for await (const line of pods.streamLogs('web-0', { follow: true, tailLines: 10 })) console.log(line)
   * ```
   */
  streamLogs(name: string, opts?: PodLogOptions): AsyncIterable<string>

  /**
   * Evicts the pod that the eviction names: deletes it unless a PodDisruptionBudget is against it.
   *
   * @throws ApiError: {@link isTooManyRequests} when a budget refuses now (`suggestsClientDelay` says when to ask
   *   again), {@link isNotFound}
   */
  evict(eviction: DeepReadonly<EvictionInput>, opts?: CreateOptions): Promise<Status>

  /**
   * Assigns the pod that the binding names to a node: what a scheduler does.
   *
   * @throws ApiError: {@link isConflict} when the pod is assigned already
   */
  bind(binding: DeepReadonly<BindingInput>, opts?: CreateOptions): Promise<Status>

  /**
   * Replaces the pod's list of ephemeral containers, through the subresource of that name. Containers can be added and
   * neither changed nor removed.
   *
   * @throws ApiError: {@link isConflict}, {@link isInvalid}, …
   */
  updateEphemeralContainers(name: string, pod: DeepReadonly<PodInput>, opts?: UpdateOptions): Promise<Pod>

  /**
   * Changes CPU and memory of running containers, through the `resize` subresource.
   *
   * @throws ApiError: {@link isConflict}, {@link isInvalid}, …
   */
  updateResize(name: string, pod: DeepReadonly<PodInput>, opts?: UpdateOptions): Promise<Pod>
}

/** Requests to the Pods behind a Service. */
export interface ServiceExpansion extends ProxiesGet {}

/** Ending the deletion of Namespaces. */
export interface NamespaceExpansion {
  /**
   * Replaces the namespace's `spec.finalizers`, through the `finalize` subresource.
   *
   * @throws ApiError: {@link isConflict}, {@link isNotFound}
   */
  finalize(namespace: DeepReadonly<NamespaceInput>, opts?: UpdateOptions): Promise<Namespace>
}

/** What kubelets and cloud providers do to Nodes. */
export interface NodeExpansion {
  /**
   * Patches a node's status with a strategic merge patch, given as its body.
   *
   * @throws ApiError: {@link isNotFound}, {@link isInvalid}
   */
  patchStatus(name: string, body: object, opts?: Omit<PatchOptions, 'subresource' | 'force'>): Promise<Node>
}

/** Tokens of ServiceAccounts. */
export interface ServiceAccountExpansion {
  /**
   * Issues a token for a service account. The answer's `status.token` is a secret.
   *
   * ```ts
   * const { status } = await clientset.coreV1().serviceAccounts('default').createToken('robot', { spec: { expirationSeconds: 600 } })
   * ```
   *
   * `spec.audiences` absent: the API server itself; `spec.expirationSeconds` absent: an hour, and never less than ten minutes.
   *
   * @throws ApiError: {@link isNotFound}, {@link isInvalid}
   */
  createToken(name: string, request: DeepReadonly<TokenRequestInput>, opts?: CreateOptions): Promise<TokenRequest>
}

/** Approving CertificateSigningRequests. */
export interface CertificateSigningRequestExpansion<T extends object, W extends object = T> {
  /**
   * Writes the request's conditions, through the `approval` subresource: approves or denies it.
   *
   * @throws ApiError: {@link isConflict}, {@link isForbidden}
   */
  updateApproval(name: string, request: DeepReadonly<W>, opts?: UpdateOptions): Promise<T>
}

/** Writing events into the namespaces they name. The client must be one for all namespaces, or for that one. */
export interface EventExpansion<T extends object, W extends object = T> {
  /**
   * Creates an event in the namespace that it names.
   *
   * @throws TypeError when the client is for another namespace
   */
  createWithEventNamespace(event: DeepReadonly<W>, opts?: CreateOptions): Promise<T>
  /**
   * Replaces an event in the namespace that it names.
   *
   * @throws TypeError when the client is for another namespace
   */
  updateWithEventNamespace(event: DeepReadonly<W>, opts?: UpdateOptions): Promise<T>
  /**
   * Patches an event in the namespace that it names, with a strategic merge patch, given as its body.
   *
   * @throws TypeError when the client is for another namespace
   */
  patchWithEventNamespace(event: DeepReadonly<W>, body: object, opts?: PatchOptions): Promise<T>
}

/** The object that events are about; what is absent is not asked for. */
export interface InvolvedObject {
  readonly name?: string | undefined
  readonly namespace?: string | undefined
  readonly kind?: string | undefined
  readonly uid?: string | undefined
}

/** Events of the core group, and finding those about an object. */
export interface CoreEventExpansion extends EventExpansion<Event, EventInput> {
  /**
   * Lists the events about an object.
   *
   * @throws TypeError when the client is for another namespace than the object's
   */
  search(obj: DeepReadonly<KubernetesObject>, opts?: ListOptions): Promise<EventList>
  /** The field selector for events about an object, for `list` and `watch`. */
  getFieldSelector(involved: InvolvedObject): string
}

/** Evictions as a resource of their own: of policy/v1 and v1beta1. */
export interface EvictionExpansion<W extends object> {
  /**
   * Evicts the pod that the eviction names, in the namespace that it names: deletes it unless a PodDisruptionBudget is
   * against it.
   *
   * @throws ApiError: {@link isTooManyRequests} when a budget refuses now, {@link isNotFound}
   */
  evict(eviction: DeepReadonly<W>, opts?: CreateOptions): Promise<Status>
}

/** Rollbacks of Deployments: of extensions/v1beta1. */
export interface DeploymentExpansion {
  /** Rolls the deployment that the argument names back to an earlier revision. */
  rollback(rollback: DeepReadonly<DeploymentRollbackInput>, opts?: CreateOptions): Promise<Status>
}
