// What the tests of trackers share: resources, objects, and what is read of watches and lists.

import type { Watch, WatchEvent } from '../meta/index.js'

export const configMaps = { group: '', version: 'v1', resource: 'configmaps' }
export const deployments = { group: 'apps', version: 'v1', resource: 'deployments' }
export const pods = { group: '', version: 'v1', resource: 'pods' }
export const widgets = { group: 'example.com', version: 'v1', resource: 'widgets' }

export const cm = (name: string, more: object = {}) => ({ metadata: { name, namespace: 'ns' }, ...more })
export const configMap = (name: string, namespace = 'ns') => ({
  apiVersion: 'v1',
  kind: 'ConfigMap',
  metadata: { name, namespace },
})

/** As a server's endpoint of the object itself does. */
export const asAPI = { subresource: '' }

export async function taken<T>(watch: Watch<T>, count: number): Promise<WatchEvent<T>[]> {
  const events: WatchEvent<T>[] = []
  for await (const event of watch) if (events.push(event) === count) break
  return events
}

export const namesOf = (list: { items: { metadata: { name: string; namespace?: string } }[] }) =>
  list.items.map(({ metadata }) => `${metadata.namespace ?? ''}/${metadata.name}`)
