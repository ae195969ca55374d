// The cases of client-go's tests of csaupgrade: from client-side to server-side apply.

import { describe, expect, it } from 'vitest'
import type { ManagedFieldsEntry } from '../gen/api/meta/v1.js'
import { type JsonPatchOperation, jsonPatch } from '../meta/index.js'
import { applyJsonPatch } from '../patch/index.js'
import { FieldSet, findFieldsOwners, makePath, upgradeManagedFields, upgradeManagedFieldsPatch } from './index.js'

type Fields = NonNullable<ManagedFieldsEntry['fieldsV1']>

const lastApplied = 'kubectl.kubernetes.io/last-applied-configuration'
const annotations = (...names: string[]) => ({
  'f:metadata': { 'f:annotations': Object.fromEntries(names.map((name) => [name === '.' ? name : `f:${name}`, {}])) },
})
const annotation = annotations('.', lastApplied)
const data = (...keys: string[]) => ({
  'f:data': { '.': {}, ...Object.fromEntries(keys.map((key) => [`f:${key}`, {}])) },
})
const one = (manager: string, operation: 'Apply' | 'Update', fieldsV1: Fields, apiVersion = 'v1') => ({
  apiVersion,
  fieldsType: 'FieldsV1' as const,
  fieldsV1,
  manager,
  operation,
  time: operation === 'Apply' ? '2022-08-23T23:08:23Z' : '2022-08-22T23:08:23Z',
})
const csa = 'kubectl-client-side-apply'

describe('the owners of fields', () => {
  const ofAnnotation = makePath('metadata', 'annotations', lastApplied)
  const both = { ...data('key', 'legacy'), ...annotation }
  type Case = [
    what: string,
    entries: ManagedFieldsEntry[],
    operation: 'Apply' | 'Update',
    fields: FieldSet,
    owners: string[],
  ]

  it.each<Case>([
    ['own a field at the root', [one(csa, 'Update', both)], 'Update', FieldSet.of(makePath('data')), [csa]],
    ['own a field below others', [one(csa, 'Update', both)], 'Update', FieldSet.of(ofAnnotation), [csa]],
    ['are not those of another operation', [one('kubectl', 'Apply', both)], 'Update', FieldSet.of(ofAnnotation), []],
    ['own by an apply', [one('kubectl', 'Apply', both)], 'Apply', FieldSet.of(ofAnnotation), ['kubectl']],
    [
      'are one of several managers',
      [one(csa, 'Update', annotation), one('kubectl', 'Apply', data('key', 'legacy'))],
      'Update',
      FieldSet.of(ofAnnotation),
      [csa],
    ],
    [
      'are many of several managers',
      [one(csa, 'Update', annotation), one('kubectl', 'Apply', both), one(`${csa}2`, 'Update', annotation)],
      'Update',
      FieldSet.of(ofAnnotation),
      [csa, `${csa}2`],
    ],
    [
      'own all of them',
      [one(csa, 'Update', both)],
      'Update',
      FieldSet.of(makePath('data', 'key'), ofAnnotation),
      [csa],
    ],
    [
      'are not those that lack one',
      [one(csa, 'Update', { ...data('legacy'), ...annotation })],
      'Update',
      FieldSet.of(makePath('data', 'key'), ofAnnotation),
      [],
    ],
  ])('%s', (_, entries, operation, fields, owners) => {
    expect(findFieldsOwners(entries, operation, fields).map(({ manager }) => manager)).toEqual(owners)
  })
})

describe('an upgrade', () => {
  const both = { ...data('key', 'legacy'), ...annotation }
  const pause = 'k:{"name":"kubernetes-pause"}'
  const status: Fields = {
    'f:status': {
      'f:conditions': { '.': {}, 'k:{"type":"PodScheduled"}': { '.': {}, 'f:message': {}, 'f:status': {} } },
    },
  }
  const applied: Fields = {
    'f:metadata': { 'f:labels': { 'f:name': {} } },
    'f:spec': { 'f:containers': { [pause]: { '.': {}, 'f:image': {}, 'f:name': {} } } },
  }
  const updated: Fields = {
    'f:metadata': { 'f:annotations': { '.': {}, [`f:${lastApplied}`]: {} }, 'f:labels': { '.': {}, 'f:name': {} } },
    'f:spec': {
      'f:containers': { [pause]: { '.': {}, 'f:image': {}, 'f:imagePullPolicy': {}, 'f:name': {} } },
      'f:dnsPolicy': {},
    },
  }
  const older = (version: number, as = `v${version}`) =>
    one(csa, 'Update', { 'f:data': { [`f:key${version}`]: {} }, ...annotations(`hello${version}`) }, as)
  const claims = one('kube-controller-manager', 'Update', { 'f:spec': { 'f:volumeName': {} } })
  const phase = { 'f:status': { 'f:phase': {} } }

  interface Case {
    what: string
    from: ManagedFieldsEntry[]
    to: ManagedFieldsEntry[]
    managers?: string[]
    into?: string
    subresource?: string
  }
  it.each<Case>([
    {
      what: 'renames the entry of updates where nothing was applied',
      from: [one(csa, 'Update', both)],
      to: [{ ...one(csa, 'Update', both), manager: 'kubectl', operation: 'Apply' }],
    },
    {
      what: 'joins the entry of updates with an equal one',
      from: [one('kubectl', 'Apply', both), one(csa, 'Update', both)],
      to: [one('kubectl', 'Apply', both)],
    },
    {
      what: 'owns again what is no longer applied',
      from: [one('kubectl', 'Apply', { ...data('key'), ...annotation }), one(csa, 'Update', both)],
      to: [one('kubectl', 'Apply', both)],
    },
    {
      what: 'forgets the entries of other versions',
      from: [one('kubectl', 'Apply', both, 'v5'), older(2, 'v1'), older(3, 'v2'), older(4, 'v3'), older(5, 'v4')],
      to: [one('kubectl', 'Apply', both, 'v5')],
    },
    {
      what: 'joins the entry of its version, and forgets the others',
      from: [one('kubectl', 'Apply', both, 'v5'), older(2, 'v5'), older(3, 'v2'), older(4, 'v3'), older(5, 'v4')],
      to: [
        one('kubectl', 'Apply', { ...data('key', 'key2', 'legacy'), ...annotations('.', 'hello2', lastApplied) }, 'v5'),
      ],
    },
    {
      what: 'does nothing where there is nothing to do',
      from: [one('kubectl', 'Apply', both, 'v5')],
      to: [one('kubectl', 'Apply', both, 'v5')],
      into: 'not-already-in-object',
    },
    {
      what: 'joins several managers with what was applied',
      from: [one('kubectl', 'Apply', applied), one('kube-scheduler', 'Update', status), one(csa, 'Update', updated)],
      to: [one('kubectl', 'Apply', { ...updated, ...status })],
      managers: ['kube-scheduler', csa],
    },
    {
      what: 'joins several managers as a new one',
      from: [one('kubectl', 'Apply', applied), one('kube-scheduler', 'Update', status), one(csa, 'Update', updated)],
      to: [
        one('kubectl', 'Apply', applied),
        { ...one(csa, 'Update', { ...updated, ...status }), manager: 'newly-inserted-manager', operation: 'Apply' },
      ],
      managers: [csa, 'kube-scheduler'],
      into: 'newly-inserted-manager',
    },
    {
      what: 'is of one subresource',
      from: [claims, { ...one('kube-controller-manager', 'Update', phase), subresource: 'status' }],
      to: [claims, { ...one('kube-controller-manager', 'Update', phase), subresource: 'status', operation: 'Apply' }],
      managers: ['kube-controller-manager'],
      into: 'kube-controller-manager',
      subresource: 'status',
    },
  ])('$what', ({ from, to, managers = [csa], into = 'kubectl', subresource = '' }) => {
    const object = (managedFields: ManagedFieldsEntry[]) => ({
      apiVersion: 'v1',
      kind: 'ConfigMap',
      metadata: { name: 'test', namespace: 'default', resourceVersion: '1', managedFields },
    })
    const before = object(from)
    const upgraded = upgradeManagedFields(before, managers, into, { subresource })
    expect(upgraded).toEqual(object(to))

    const patch = upgradeManagedFieldsPatch(before, managers, into, { subresource }) ?? jsonPatch([])
    expect(applyJsonPatch(before, patch.body as JsonPatchOperation[])).toEqual(object(to))
  })
})
