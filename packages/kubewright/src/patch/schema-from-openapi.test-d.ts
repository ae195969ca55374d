import { expectTypeOf, it } from 'vitest'
import type { CustomResourceDefinition } from '../gen/api/apiextensions/v1.js'
import type { DeepReadonly, Schema } from '../meta/index.js'
import { schemaFromOpenAPI } from './index.js'

it('takes what a CustomResourceDefinition has, as it is read and as a cache gives it', () => {
  const crd = {} as CustomResourceDefinition
  expectTypeOf(schemaFromOpenAPI(crd.spec.versions[0]?.schema?.openAPIV3Schema)).toEqualTypeOf<Schema>()
  const cached = {} as DeepReadonly<CustomResourceDefinition>
  expectTypeOf(schemaFromOpenAPI(cached.spec.versions[0]?.schema?.openAPIV3Schema)).toEqualTypeOf<Schema>()
})
