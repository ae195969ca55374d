// The type of a copy is the plain one, from whatever it was made.

import { expectTypeOf, it } from 'vitest'
import type { Deployment } from '../gen/api/apps/v1.js'
import { type DeepReadonly, deepCopy } from './index.js'

declare const cached: DeepReadonly<Deployment>
declare const found: DeepReadonly<Deployment> | undefined
declare const own: Deployment

it('of what a cache gave out, and of one’s own', () => {
  expectTypeOf(deepCopy(cached)).toEqualTypeOf<Deployment>()
  if (found) expectTypeOf(deepCopy(found)).toEqualTypeOf<Deployment>()
  expectTypeOf(deepCopy<Deployment>(own)).toEqualTypeOf<Deployment>()
  const copy = deepCopy(cached)
  copy.spec.replicas = 2
  copy.spec.template.spec.containers.push({ name: 'more', resources: {} })
  // @ts-expect-error what a cache gave out is readonly
  cached.spec.replicas = 2
  // @ts-expect-error in depth
  cached.spec.template.spec.containers.push({ name: 'more', resources: {} })
})
