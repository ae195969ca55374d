// Managed fields of client-side apply, made those of server-side apply.

import fc from 'fast-check'
import type { ManagedFieldsEntry } from 'kubewright/api/meta/v1'
import {
  FieldSet,
  findFieldsOwners,
  makePath,
  upgradeManagedFields,
  upgradeManagedFieldsPatch,
} from 'kubewright/managedfields'
import { expect, it } from 'vitest'
import { Random } from '../faults/random.js'
import { runs } from './arbitraries.js'
import { describeWithOracle } from './describe-with-oracle.js'
import { randomFields, seed } from './field-sets.js'

describeWithOracle('csaupgrade', (oracle) => {
  it('upgrades managed fields as Go does', async () => {
    await fc.assert(
      fc.asyncProperty(seed, async (from) => {
        const choices = new Random(from)
        const names = ['kubectl', 'kubectl-client-side-apply', 'before-first-apply', 'other']
        const entries: ManagedFieldsEntry[] = Array.from({ length: choices.int(0, 5) }, () => ({
          manager: choices.pick(names),
          operation: choices.pick(['Apply', 'Update', 'Update']),
          apiVersion: choices.pick(['apps/v1', 'apps/v1', 'apps/v1beta1']),
          fieldsType: 'FieldsV1',
          fieldsV1: sortedFields(randomFields(choices)) as NonNullable<ManagedFieldsEntry['fieldsV1']>,
          ...(choices.percent(20) && { subresource: 'status' }),
        }))
        const object = {
          apiVersion: 'apps/v1',
          kind: 'Deployment',
          metadata: { name: 'x', resourceVersion: '7', ...(entries.length > 0 && { managedFields: entries }) },
        }
        // One at a time: Go takes them in any order.
        const csa = choices.pick(names)
        const ssa = choices.pick(names)
        const subresource = choices.percent(20) ? 'status' : ''
        const go = await oracle.ask<Record<string, unknown>>('managedfields.csaupgrade', {
          object,
          csa: [csa],
          ssa,
          subresource,
        })
        if ('error' in go) throw new Error(go.error)
        const upgraded = upgradeManagedFields(object, [csa], ssa, { subresource })
        const set = FieldSet.of(makePath('metadata', 'labels', 'a'))
        expect({
          object: upgraded,
          patch: upgradeManagedFieldsPatch(object, [csa], ssa, { subresource })?.body ?? null,
          owners: findFieldsOwners(entries, 'Update', set).map(({ manager }) => manager),
        }).toEqual({ object: go.result.object, patch: go.result.patch, owners: go.result.owners })
      }),
      runs(800),
    )
  })

  /** As the server writes them: without what nobody knows, in order. */
  const sortedFields = (fields: object): object => FieldSet.fromFieldsV1(fields as never).toFieldsV1()
})
