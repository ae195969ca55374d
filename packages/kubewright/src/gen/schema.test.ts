import { expect, it } from 'vitest'
import { DeploymentSchema } from './schema/apps/v1.js'
import { ContainerSchema, PersistentVolumeSpecSchema, PodSpecSchema } from './schema/core/v1.js'
import { schemaForKind } from './schema/index.js'
import { ObjectMetaSchema } from './schema/meta/v1.js'

it('a schema leads to those of its parts, in other modules too', () => {
  expect(DeploymentSchema.fields['metadata']?.schema).toBe(ObjectMetaSchema)
  expect(PodSpecSchema.fields['containers']).toMatchObject({
    patchStrategy: ['merge'],
    patchMergeKey: 'name',
    schema: { listType: 'map', keys: ['name'] },
  })
  expect(ContainerSchema.fields['ports']?.schema).toMatchObject({
    keys: ['containerPort', 'protocol'],
    keyDefaults: { protocol: 'TCP' },
  })
})

it('what is atomic elsewhere merges where the API says so', () => {
  expect(PersistentVolumeSpecSchema.fields['claimRef']?.schema).not.toHaveProperty('atomic')
  expect(ObjectMetaSchema.fields['ownerReferences']?.schema).toMatchObject({ items: { atomic: true } })
})

it('is found by kind', () => {
  expect(schemaForKind({ group: 'apps', version: 'v1', kind: 'Deployment' })).toBe(DeploymentSchema)
  expect(schemaForKind({ group: '', version: 'v1', kind: 'Status' })?.name).toMatch(/meta\.v1\.Status$/)
  expect(schemaForKind({ group: 'apps', version: 'v1', kind: 'DeploymentSpec' })).toBeUndefined()
  expect(schemaForKind({ group: 'apps', version: 'v9', kind: 'Deployment' })).toBeUndefined()
  expect(schemaForKind({ group: 'example.com', version: 'v1', kind: 'constructor' })).toBeUndefined()
})
