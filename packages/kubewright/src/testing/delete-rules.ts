// What the API server makes of a deletion: whether it may be, and whether the object goes or is only marked.

import type { Clock } from '../clock/index.js'
import { type DeleteOptions, deepCopy, formatTime, type Unstructured } from '../meta/index.js'
import { newConflict } from './api-errors.js'
import { gracePeriodOf } from './kind-rules.js'
import type { ResourceInfo } from './resources.js'

/**
 * The object marked as one to be deleted: the live one itself where it is marked so already; undefined where it goes at
 * once.
 *
 * @throws ApiError isConflict when a precondition does not hold
 */
export function markedForDeletion(
  info: ResourceInfo,
  live: Unstructured,
  opts: DeleteOptions,
  clock: Clock,
): Unstructured | undefined {
  checkPreconditions(info, live, opts)
  const grace = gracePeriodOf(info, live, opts.gracePeriodSeconds)
  if (grace === 0 && !live.metadata.finalizers?.length) return undefined
  const { deletionTimestamp, deletionGracePeriodSeconds = 0 } = live.metadata
  if (deletionTimestamp !== undefined && deletionGracePeriodSeconds <= grace) return live
  const marked = deepCopy<Unstructured>(live)
  marked.metadata.deletionTimestamp = formatTime(clock.now() + grace * 1000)
  marked.metadata.deletionGracePeriodSeconds = grace
  if (deletionTimestamp === undefined && marked.metadata.generation) marked.metadata.generation++
  return marked
}

function checkPreconditions(
  info: ResourceInfo,
  { metadata }: Unstructured,
  { preconditions = {} }: DeleteOptions,
): void {
  const { uid, resourceVersion } = preconditions
  // The server names the kind here.
  const kind = { group: info.group, resource: info.kind }
  if (uid !== undefined && uid !== metadata.uid) {
    const reason = `the UID in the precondition (${uid}) does not match the UID in record (${metadata.uid}). The object might have been deleted and then recreated`
    throw newConflict(kind, metadata.name, reason)
  }
  if (resourceVersion !== undefined && resourceVersion !== metadata.resourceVersion) {
    const reason = `the ResourceVersion in the precondition (${resourceVersion}) does not match the ResourceVersion in record (${metadata.resourceVersion}). The object might have been modified`
    throw newConflict(kind, metadata.name, reason)
  }
}
