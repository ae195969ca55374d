// What the helpers for metadata and status take: objects as they are read, from caches too, and as they are written.
import { expectTypeOf, test } from 'vitest'
import type { CustomResourceDefinition } from '../gen/api/apiextensions/v1.js'
import { Deployment, type DeploymentInput } from '../gen/api/apps/v1.js'
import type { ConfigMapInput, Pod, Secret } from '../gen/api/core/v1.js'
import type { Condition, OwnerReference } from '../gen/api/meta/v1.js'
import {
  addFinalizer,
  containsFinalizer,
  type DeepReadonly,
  equalSemantic,
  findStatusCondition,
  getControllerOf,
  hasLabel,
  isControlledBy,
  isStatusConditionTrue,
  newControllerRef,
  removeFinalizer,
  removeOwnerReference,
  removeStatusCondition,
  secretData,
  setControllerReference,
  setMetaDataLabel,
  setStatusCondition,
} from './index.js'

declare const cached: DeepReadonly<Deployment>
declare const read: Deployment
declare const definition: CustomResourceDefinition
declare const written: ConfigMapInput
declare const pod: DeepReadonly<Pod>
declare const secret: DeepReadonly<Secret>

test('owners are read, owned objects are written', () => {
  expectTypeOf(newControllerRef(cached, Deployment)).toEqualTypeOf<OwnerReference>()
  expectTypeOf(getControllerOf(pod)).toEqualTypeOf<OwnerReference | undefined>()
  setControllerReference(cached, written, Deployment, { blockOwnerDeletion: false })
  setControllerReference(cached, read, { group: 'apps', version: 'v1', kind: 'Deployment' })
  removeOwnerReference(cached, written, Deployment)
  isControlledBy(pod, cached)
  // @ts-expect-error an object of a cache is not to be changed
  setControllerReference(cached, pod, Deployment)
  // @ts-expect-error what was never created has no uid
  setControllerReference({ metadata: { name: 'web' } } satisfies DeploymentInput, written, Deployment)
})

test('conditions are those of any kind', () => {
  expectTypeOf(isStatusConditionTrue(cached.status.conditions, 'Available')).toEqualTypeOf<boolean>()
  expectTypeOf(findStatusCondition(read.status.conditions, 'Available')?.status).toEqualTypeOf<string | undefined>()
  const conditions: Condition[] = []
  setStatusCondition(conditions, { type: 'Ready', status: 'True', reason: 'Running', message: '' })
  removeStatusCondition(read.status.conditions, 'Available')
  // null where there are none
  removeStatusCondition(definition.status.conditions, 'Established')
  expectTypeOf(findStatusCondition(definition.status.conditions, 'Established')?.status).toEqualTypeOf<
    string | undefined
  >()
  expectTypeOf(isStatusConditionTrue(definition.status.conditions, 'Established')).toEqualTypeOf<boolean>()
  // @ts-expect-error a reason is asked for by the server
  setStatusCondition(conditions, { type: 'Ready', status: 'True', message: '' })
  // @ts-expect-error conditions of a cache are not to be changed
  removeStatusCondition(cached.status.conditions, 'Available')
})

test('metadata', () => {
  addFinalizer(read, 'a')
  addFinalizer(written, 'a')
  addFinalizer({ metadata: { generateName: 'a-' } }, 'a')
  const named = { metadata: { name: 'a' } }
  addFinalizer(named, 'a')
  containsFinalizer(named, 'a')
  hasLabel(named.metadata, 'a')
  setMetaDataLabel(named.metadata, 'a', 'b')
  const generated = { metadata: { generateName: 'a-' } }
  setControllerReference(cached, generated, Deployment)
  removeFinalizer(read, 'a')
  containsFinalizer(cached, 'a')
  hasLabel(cached.metadata, 'a')
  setMetaDataLabel(read.metadata, 'a', 'b')
  // @ts-expect-error an object of a cache is not to be changed
  addFinalizer(cached, 'a')
  equalSemantic(cached.spec, read.spec)
  expectTypeOf(secretData(secret)).toEqualTypeOf<Record<string, Uint8Array>>()
})
