// What the tests of the fake clientset share: a custom kind and objects.

import type { NamespacedObjectMeta } from '../gen/api/meta/v1.js'
import { defineResource } from '../meta/index.js'

export interface Widget {
  apiVersion: 'example.com/v1'
  kind: 'Widget'
  metadata: NamespacedObjectMeta
  spec: { size: number }
  status?: { ready: boolean }
}
export const Widget = defineResource<Widget>({
  group: 'example.com',
  version: 'v1',
  kind: 'Widget',
  plural: 'widgets',
  scope: 'Namespaced',
  subresources: { status: {}, scale: {} },
})

export const deployment = (name: string, replicas = 1) => ({
  apiVersion: 'apps/v1' as const,
  kind: 'Deployment' as const,
  metadata: { name, namespace: 'ns' },
  spec: { replicas, selector: { matchLabels: { app: name } }, template: { metadata: { labels: { app: name } } } },
})
export const pod = (name: string, more: object = {}) => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'ns' },
  ...more,
})
