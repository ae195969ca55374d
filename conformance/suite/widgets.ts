// A custom resource of the suites' own: its definition, its kind, and how it comes to be served.

import { type Clientset, DynamicClient, defineResource, isNotFound } from 'kubewright'
import type { CustomResourceDefinitionInput } from 'kubewright/api/apiextensions/v1'
import type { NamespacedObjectMeta } from 'kubewright/api/meta/v1'
import { afterAll, beforeAll } from 'vitest'
import { definitionOf } from './definition.js'
import { eventually } from './eventually.js'
import { clientsetFor } from './helpers.js'

export interface Widget {
  apiVersion: string
  kind: 'Widget'
  metadata: NamespacedObjectMeta
  spec: { size: number; colour?: string; selector?: string }
  status?: { size: number; phase?: string }
}

/** Of a group of its own, so that suites that run at once do not share it. */
function widgetKind(group: string) {
  return defineResource<Widget>({
    group,
    version: 'v1',
    kind: 'Widget',
    plural: 'widgets',
    scope: 'Namespaced',
    shortNames: ['wd'],
    subresources: { status: {}, scale: {} },
  })
}

/** The definition of {@link widgetKind}'s kind. */
function widgetDefinition(group: string): CustomResourceDefinitionInput {
  const integer = { type: 'integer', format: 'int64' } as const
  const string = { type: 'string' } as const
  return definitionOf(group, 'Widget', {
    shortNames: ['wd'],
    properties: {
      spec: { type: 'object', required: ['size'], properties: { size: integer, colour: string, selector: string } },
      status: { type: 'object', properties: { size: integer, phase: string } },
    },
    subresources: { status: {}, scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' } },
    additionalPrinterColumns: [{ name: 'Size', type: 'integer', jsonPath: '.spec.size' }],
  })
}

/** Called in a suite's body: the definition is there, and served, from the first test to the last. */
export function suiteWidgets(group: string): { kind: ReturnType<typeof widgetKind>; client: () => DynamicClient } {
  const kind = widgetKind(group)
  let clientset: Clientset
  let client: DynamicClient
  beforeAll(async () => {
    clientset = await clientsetFor()
    client = new DynamicClient(clientset.config)
    await clientset.apiextensionsV1().customResourceDefinitions().create(widgetDefinition(group))
    await eventually(async () => {
      const answer = await client
        .resource(kind)
        .list()
        .catch((err: unknown) => err)
      if (answer instanceof Error && !isNotFound(answer)) throw answer
      return !(answer instanceof Error)
    })
  })
  afterAll(async () => {
    await clientset.apiextensionsV1().customResourceDefinitions().delete(`widgets.${group}`)
    await clientset.close()
  })
  return { kind, client: () => client }
}
