// What informers of any resource give out. Checked by the compiler; nothing here runs.

import { expectTypeOf, it } from 'vitest'
import { Deployment } from '../gen/api/apps/v1.js'
import type { NamespacedObjectMeta, PartialObjectMetadata } from '../gen/api/meta/v1.js'
import { type DeepReadonly, defineResource, type Unstructured } from '../meta/index.js'
import type { DynamicSharedInformerFactory, MetadataSharedInformerFactory, SharedInformerFactory } from './index.js'

interface Widget {
  apiVersion: 'example.com/v1'
  kind: 'Widget'
  metadata: NamespacedObjectMeta
  spec: { size: number }
}
const names = { group: 'example.com', version: 'v1', kind: 'Widget', plural: 'widgets', scope: 'Namespaced' } as const
const Widget = defineResource<Widget>({ ...names, subresources: { status: {} } })
const gvr = { group: 'example.com', version: 'v1', resource: 'widgets' }

declare const dynamic: DynamicSharedInformerFactory
declare const metadata: MetadataSharedInformerFactory
declare const builtIn: SharedInformerFactory

it('the type of the kind, readonly', () => {
  const { informer, lister } = dynamic.forKind(Widget)
  informer.addEventHandler({ onAdd: (widget) => expectTypeOf(widget.spec.size).toEqualTypeOf<number>() })
  expectTypeOf(lister.byNamespace('a').get('w')).toEqualTypeOf<DeepReadonly<Widget> | undefined>()
  // @ts-expect-error what a cache gives out is readonly
  for (const widget of lister.list()) widget.spec.size = 2
  expectTypeOf(builtIn.forKind(Deployment).lister.list()).toEqualTypeOf<DeepReadonly<Deployment>[]>()
})

it('objects of any kind, or their metadata, by a name', () => {
  expectTypeOf(dynamic.forResource(gvr).lister.list()).toEqualTypeOf<DeepReadonly<Unstructured>[]>()
  expectTypeOf(metadata.forResource(gvr).lister.list()).toEqualTypeOf<DeepReadonly<PartialObjectMetadata>[]>()
  expectTypeOf(metadata.forKind(Widget).lister.list()).toEqualTypeOf<DeepReadonly<PartialObjectMetadata>[]>()
})
