// The Scale of an object: made of it, and written back into it.

import type { Clock } from '../clock/index.js'
import { schemaForKind } from '../gen/schema/index.js'
import { FieldManager, makePath, ScaleHandler } from '../managedfields/index.js'
import {
  deepCopy,
  formatGroupVersion,
  labelSelectorAsSelector,
  nestedFieldNoCopy,
  selectorFromSet,
  setNestedField,
  shown,
  type Unstructured,
} from '../meta/index.js'
import { newBadRequest, newInvalid } from './api-errors.js'
import type { Patched } from './apply-patch.js'
import type { ResourceInfo } from './resources.js'

const scaleKind = { group: 'autoscaling', version: 'v1', kind: 'Scale' }

/** The kind of Scale that a resource has. */
const kindOf = (info: ResourceInfo): typeof scaleKind => info.subresources['scale']?.kind ?? scaleKind

/** What patches of a Scale are applied to. */
export function patchedScale(info: ResourceInfo): Patched {
  return { group: info.group, kind: info.kind, builtIn: true, schema: schemaForKind(kindOf(info)) }
}

/** The Scale of an object. It shares nothing with it. */
export function scaleOf(info: ResourceInfo, object: Unstructured): Unstructured {
  const { name, namespace, uid, resourceVersion, creationTimestamp } = object.metadata
  const { specReplicas, statusReplicas } = info.scalePaths
  const selector = selectorOf(info, object)
  const scale: Unstructured = {
    kind: 'Scale',
    apiVersion: formatGroupVersion(kindOf(info)),
    metadata: {
      name,
      ...(namespace && { namespace }),
      uid,
      resourceVersion,
      creationTimestamp,
    },
    spec: { replicas: numberAt(object, specReplicas) },
    status: { replicas: numberAt(object, statusReplicas), ...(selector !== '' && { selector }) },
  }
  return deepCopy<Unstructured>(scale)
}

/** How a Scale is written. */
export interface ScaleWrite {
  readonly fieldManager: string
  readonly clock: Clock
  /** The Scale is a configuration to apply. */
  readonly apply?: { readonly force: boolean } | undefined
}

/** The object with the replicas of the Scale, and its managed fields. @throws ApiError isBadRequest, isInvalid, isConflict */
export function withScale(
  info: ResourceInfo,
  object: Unstructured,
  scale: Unstructured,
  how: ScaleWrite,
): Unstructured {
  const apiVersion = formatGroupVersion(kindOf(info))
  const fields = new FieldManager({
    apiVersion,
    kind: 'Scale',
    schema: schemaForKind(kindOf(info)) ?? { type: 'untyped' },
    subresource: 'scale',
    clock: how.clock,
  })
  const live = scaleOf(info, object)
  const owners = handlerOf(info, object).toSubresource()
  if (owners) live.metadata.managedFields = owners
  const written: Unstructured = how.apply
    ? fields.apply(live, scale, how.fieldManager, { force: how.apply.force })
    : fields.updateNoErrors(live, { ...scale, apiVersion, kind: 'Scale' }, how.fieldManager)
  const { replicas = 0 } = (written['spec'] ?? {}) as { replicas?: unknown }
  if (typeof replicas !== 'number' || replicas !== (replicas | 0)) {
    throw newBadRequest(`the spec.replicas of a Scale is a whole number of 32 bits, not ${shown(replicas)}`)
  }
  if (replicas < 0) {
    const message = `Invalid value: ${replicas}: must be greater than or equal to 0`
    throw newInvalid(info, object.metadata.name, [{ field: 'spec.replicas', reason: 'FieldValueInvalid', message }])
  }
  const result = deepCopy<Unstructured>(object)
  setNestedField(result, replicas, ...info.scalePaths.specReplicas)
  const managedFields = handlerOf(info, object).toParent(written.metadata.managedFields)
  if (managedFields) result.metadata.managedFields = managedFields
  else delete result.metadata.managedFields
  return result
}

function handlerOf({ apiVersion, scalePaths }: ResourceInfo, { metadata }: Unstructured): ScaleHandler {
  return new ScaleHandler(metadata.managedFields, apiVersion, { [apiVersion]: makePath(...scalePaths.specReplicas) })
}

function numberAt(object: Unstructured, path: readonly string[]): number {
  const value = nestedFieldNoCopy(object, ...path)
  return typeof value === 'number' ? value : 0
}

/** As text: of built-in kinds from the selector that they have, of custom resources the text that is in their status. */
function selectorOf(info: ResourceInfo, object: Unstructured): string {
  const value = nestedFieldNoCopy(object, ...info.scalePaths.selector)
  if (typeof value === 'string') return value
  if (typeof value !== 'object' || value === null) return ''
  const isPlain = info.resource === 'replicationcontrollers'
  return isPlain
    ? selectorFromSet(value as Record<string, string>).toString()
    : labelSelectorAsSelector(value).toString()
}
