// The last of a fake's reactors: it has the tracker do what an action asks for.

import type { Clock } from '../clock/index.js'
import type { Status } from '../gen/api/meta/v1.js'
import { type DeleteOptions, formatTime, goQuote, type Unstructured } from '../meta/index.js'
import type { Action, CreateAction, DeleteAction, GetAction, PatchAction, UpdateAction, WatchAction } from './action.js'
import { newConflict, newMethodNotSupported, newUnknownPath } from './api-errors.js'
import { applyPatchType } from './apply-patch.js'
import { returnsDeleted } from './kind-rules.js'
import type { ObjectTracker } from './object-tracker.js'
import type { Reaction, WatchReaction } from './reaction-chains.js'
import type { ResourceInfo, ResourceRegistry } from './resources.js'
import type { TrackerApplyOptions } from './tracked.js'

/** What {@link objectReaction} is made with. */
export interface ObjectReactionOptions {
  readonly tracker: ObjectTracker
  readonly resources: ResourceRegistry
  readonly clock: Clock
}

const fakeLogs = 'fake logs'
const fakeToken = 'fake-token'
const defaultTokenSeconds = 3600

/** Answers what is asked of resources that are known; others it leaves. */
export function objectReaction({ tracker, resources, clock }: ObjectReactionOptions): Reaction {
  return (action) => {
    const info = resources.find(action.resource)
    if (!info) return undefined
    check(info, action)
    const { namespace, subresource } = action
    switch (action.verb) {
      case 'get':
        return getFrom(tracker, info, action)
      case 'list':
        return tracker.list(info, namespace, action.options)
      case 'create':
        return createIn(tracker, info, action, clock)
      case 'update':
        return tracker.update(info, named(action), namespace, writeOptions(action))
      case 'patch': {
        const { name, patchType, body, options } = action
        const patch = { contentType: patchType, body: body as object }
        return tracker.patch(info, namespace, name, patch, { ...writeOptions(action), force: options.force })
      }
      case 'delete':
        if (subresource !== '') throw newMethodNotSupported(info, 'delete')
        return deleteFrom(tracker, info, action)
      case 'delete-collection':
        return tracker.deleteCollection(info, namespace, action.options, action.listOptions)
      default:
        return undefined
    }
  }
}

/** As {@link objectReaction}, of watches. The events carry the tracker's own objects, which are only to be read. */
export function objectWatchReaction({ tracker, resources }: ObjectReactionOptions): WatchReaction {
  return ({ resource, namespace, options }: WatchAction) =>
    resources.find(resource) && tracker.watchShared(resource, namespace, options)
}

/** @throws ApiError for what the API does not have */
function check(info: ResourceInfo, { verb, subresource }: Action): void {
  if (subresource !== '') {
    if (Object.hasOwn(info.subresources, subresource) || info.anySubresource) return
    throw newUnknownPath()
  }
  if (!info.verbs.includes(verb.replace('-', ''))) throw newMethodNotSupported(info, verb)
}

function writeOptions(action: CreateAction | UpdateAction | PatchAction): TrackerApplyOptions {
  const { subresource, options, userAgent } = action
  const { dryRun } = options
  const isApply = action.verb === 'patch' && action.patchType === applyPatchType
  // As the server has it: of an apply, who does it has to be said.
  const fieldManager = options.fieldManager || (isApply ? '' : userAgent.split('/')[0])
  return { subresource, dryRun, fieldManager }
}

/** The object of an update, which the path names if it does not do so itself. */
function named({ object, name }: UpdateAction): Unstructured {
  return { ...object, metadata: { ...object.metadata, name: object.metadata?.name || name } } as Unstructured
}

function getFrom(
  tracker: ObjectTracker,
  info: ResourceInfo,
  { namespace, name, subresource }: GetAction,
): object | string | undefined {
  const object = tracker.get(info, namespace, name)
  if (subresource === 'scale') return tracker.getScale(info, namespace, name)
  if (subresource === 'log') return fakeLogs
  const isOfItsKind = subresource === '' || info.anySubresource || info.subresources[subresource]?.kind === undefined
  return isOfItsKind ? object : undefined
}

function createIn(tracker: ObjectTracker, info: ResourceInfo, action: CreateAction, clock: Clock): object | undefined {
  const { object, namespace, name, subresource } = action
  // Reviews are answered, not kept.
  if (subresource === '' && !info.verbs.includes('get'))
    return { apiVersion: info.apiVersion, kind: info.kind, status: {}, ...object }
  switch (subresource) {
    case '':
      return tracker.create(info, object, namespace, writeOptions(action))
    case 'eviction': {
      const { deleteOptions = {} } = object as { deleteOptions?: DeleteOptions }
      tracker.delete(info, namespace, name, { ...deleteOptions, dryRun: action.options.dryRun })
      return success()
    }
    case 'binding':
      return bind(tracker, info, action, clock)
    case 'token': {
      tracker.get(info, namespace, name)
      const { spec = {} } = object as { spec?: { expirationSeconds?: number } }
      const expires = clock.now() + (spec.expirationSeconds ?? defaultTokenSeconds) * 1000
      return { ...object, status: { token: fakeToken, expirationTimestamp: formatTime(expires) } }
    }
    default:
      return undefined
  }
}

/** What a scheduler's binding does to a Pod. */
function bind(
  tracker: ObjectTracker,
  info: ResourceInfo,
  { object, namespace, name, options }: CreateAction,
  clock: Clock,
): Status {
  const pod = tracker.get<Unstructured & { spec?: { nodeName?: string }; status?: { conditions?: object[] } }>(
    info,
    namespace,
    name,
  )
  if (pod.spec?.nodeName) {
    const reason = `pod ${name} is already assigned to node ${goQuote(pod.spec.nodeName)}`
    throw newConflict({ group: '', resource: 'pods/binding' }, name, reason)
  }
  const { target } = object as { target?: { name?: string } }
  const condition = {
    type: 'PodScheduled',
    status: 'True',
    lastProbeTime: null,
    lastTransitionTime: formatTime(clock.now()),
  }
  const conditions = [...(pod.status?.conditions ?? []), condition]
  const bound = { ...pod, spec: { ...pod.spec, nodeName: target?.name ?? '' }, status: { ...pod.status, conditions } }
  tracker.update(info, bound, namespace, { dryRun: options.dryRun })
  return success()
}

function deleteFrom(tracker: ObjectTracker, info: ResourceInfo, { namespace, name, options }: DeleteAction): object {
  const last = tracker.delete(info, namespace, name, options)
  if (returnsDeleted(info) || last.metadata.deletionTimestamp !== undefined) return last
  const { group, resource } = info
  return success({ name, ...(group && { group }), kind: resource, uid: last.metadata.uid })
}

function success(details?: Status['details']): Status {
  return { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success', ...(details && { details }) }
}
