import { describe, expect, it } from 'vitest'
import { isNotFound, isUnsupportedMediaType, mergePatch, strategicMergePatch } from '../meta/index.js'
import { ObjectTracker } from './object-tracker.js'
import { ResourceRegistry } from './resources.js'
import { asAPI, namesOf, widgets } from './tracker.test-support.js'

describe('custom resources', () => {
  const definition = {
    apiVersion: 'apiextensions.k8s.io/v1',
    kind: 'CustomResourceDefinition',
    metadata: { name: 'widgets.example.com' },
    spec: {
      group: 'example.com',
      names: { kind: 'Widget', plural: 'widgets' },
      scope: 'Namespaced',
      versions: [
        {
          name: 'v1',
          served: true,
          storage: true,
          subresources: {
            status: {},
            scale: {
              specReplicasPath: '.spec.size',
              statusReplicasPath: '.status.size',
              labelSelectorPath: '.status.selector',
            },
          },
          selectableFields: [{ jsonPath: '.spec.colour' }],
          schema: {
            openAPIV3Schema: {
              type: 'object',
              properties: {
                spec: {
                  type: 'object',
                  properties: {
                    parts: {
                      type: 'array',
                      'x-kubernetes-list-type': 'map',
                      'x-kubernetes-list-map-keys': ['name'],
                      items: { type: 'object', properties: { name: { type: 'string' }, n: { type: 'integer' } } },
                    },
                  },
                },
              },
            },
          },
        },
        { name: 'v0', served: false, storage: false },
      ],
    },
  }
  const widget = (name: string, spec: object = {}, status?: object) => ({
    apiVersion: 'example.com/v1',
    kind: 'Widget',
    metadata: { name, namespace: 'ns' },
    spec,
    ...(status && { status }),
  })

  it('are served as soon as their definition is there', () => {
    const tracker = new ObjectTracker()
    tracker.add(definition, widget('w', { colour: 'red' }))
    expect(namesOf(tracker.list(widgets, '', { fieldSelector: 'spec.colour=red' }))).toEqual(['ns/w'])
    expect(() => tracker.list({ ...widgets, version: 'v0' }, '')).toThrow(expect.toSatisfy(isNotFound))
  })

  it('are updated at a version, and take no strategic merge patches', () => {
    const tracker = new ObjectTracker()
    tracker.add(definition, widget('w'))
    expect(() => tracker.update(widgets, widget('w', { size: 2 }), 'ns', asAPI)).toThrow(
      'widgets.example.com "w" is invalid: metadata.resourceVersion: Invalid value: 0: must be specified for an update',
    )
    const patch = strategicMergePatch({ spec: { size: 1 } })
    expect(() => tracker.patch(widgets, 'ns', 'w', patch, asAPI)).toThrow(expect.toSatisfy(isUnsupportedMediaType))
    const live = tracker.get(widgets, 'ns', 'w')
    const updated = tracker.update(widgets, { ...live, spec: { size: 2 }, status: { size: 2 } }, 'ns', asAPI)
    expect(updated).toMatchObject({ spec: { size: 2 }, metadata: { generation: 2 } })
    expect(updated).not.toHaveProperty('status')
  })

  it('merge as their schema says', () => {
    const tracker = new ObjectTracker()
    tracker.add(definition)
    const part = (name: string, n: number) => widget('w', { parts: [{ name, n }] })
    tracker.apply(widgets, part('a', 1), 'ns', { ...asAPI, fieldManager: 'one' })
    const both = tracker.apply(widgets, part('b', 2), 'ns', { ...asAPI, fieldManager: 'two' })
    expect(both['spec']).toEqual({
      parts: [
        { name: 'a', n: 1 },
        { name: 'b', n: 2 },
      ],
    })
  })

  it('are scaled where their definition says', () => {
    const tracker = new ObjectTracker()
    tracker.add(definition, widget('w', { size: 2 }, { size: 1, selector: 'a=b' }))
    expect(tracker.getScale(widgets, 'ns', 'w')).toMatchObject({
      apiVersion: 'autoscaling/v1',
      kind: 'Scale',
      spec: { replicas: 2 },
      status: { replicas: 1, selector: 'a=b' },
    })
    tracker.patch(widgets, 'ns', 'w', mergePatch({ spec: { replicas: 5 } }), { subresource: 'scale' })
    expect(tracker.get(widgets, 'ns', 'w')).toMatchObject({ spec: { size: 5 }, metadata: { generation: 2 } })
  })

  it('may be known by the kind of their lists alone', () => {
    const resources = new ResourceRegistry({ listKinds: [{ ...widgets, listKind: 'WidgetList' }] })
    const tracker = new ObjectTracker({ resources })
    tracker.add(widget('w', {}, { ready: true }))
    expect(tracker.list(widgets, 'ns')).toMatchObject({ kind: 'WidgetList', items: [{ status: { ready: true } }] })
    expect(tracker.update(widgets, widget('w', {}, { ready: false }), 'ns', asAPI)['status']).toEqual({ ready: false })
    const nameless = () => new ResourceRegistry({ listKinds: [{ ...widgets, listKind: 'Widgets' }] })
    expect(nameless).toThrow('the list kind of widgets is "Widgets", which does not end in "List"')
  })
})
