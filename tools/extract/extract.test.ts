import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { formatFacts, readSpec, writeSpec } from '../spec/format.js'
import { toResources } from './discovery.js'
import { readGoClients, readGroupName } from './go-client.js'
import { definitionPackage } from './go-modules.js'
import { assertSame, type OpenApiSchema, reachable, references, toDefinition, withDescriptions } from './openapi.js'

const widget: OpenApiSchema = {
  description: 'A widget. Deprecated: only in the middle of a paragraph.',
  type: 'object',
  required: ['spec'],
  properties: {
    status: { description: 'x\n\nDeprecated: use nothing', type: 'string', enum: ['Up'], nullable: true },
    spec: { allOf: [{ $ref: '#/components/schemas/io.k8s.api.demo.v1.Spec' }], default: {} },
    list: {
      type: 'array',
      items: { $ref: '#/components/schemas/io.k8s.api.demo.v1.Item' },
      'x-kubernetes-list-type': 'map',
      'x-kubernetes-list-map-keys': ['name'],
      'x-kubernetes-patch-strategy': 'merge',
      'x-kubernetes-patch-merge-key': 'name',
    },
    description: { type: 'object', additionalProperties: { type: 'string', default: '' } },
  },
  'x-kubernetes-group-version-kind': [{ group: 'demo', version: 'v1', kind: 'Widget' }],
}

describe('definitions', () => {
  const short = (name: string) => name.slice(name.lastIndexOf('.') + 1)

  it('keep facts, in order of names, and no text', () => {
    expect(toDefinition('io.k8s.api.demo.v1.Widget', widget, short)).toEqual({
      apiVersion: 'demo/v1',
      kind: 'Widget',
      required: ['spec'],
      properties: {
        description: { type: 'object', values: { type: 'string', default: '' } },
        list: {
          type: 'array',
          items: { ref: 'Item' },
          listType: 'map',
          listMapKeys: ['name'],
          patchStrategy: 'merge',
          patchMergeKey: 'name',
        },
        spec: { ref: 'Spec', default: {} },
        status: { type: 'string', enum: ['Up'], nullable: true, deprecated: true },
      },
    })
  })

  it('refuse what they do not know', () => {
    const odd = { properties: { x: { type: 'string', pattern: 'a' } } } as OpenApiSchema
    expect(() => toDefinition('Odd', odd, short)).toThrow('Odd.x has the unknown key pattern')
  })

  it('of a kind that every group-version has say no apiVersion', () => {
    const gvk = [
      { group: '', version: 'v1', kind: 'DeleteOptions' },
      { group: 'apps', version: 'v1', kind: 'DeleteOptions' },
    ]
    expect(toDefinition('D', { properties: {}, 'x-kubernetes-group-version-kind': gvk }, short)).toEqual({
      properties: {},
    })
  })

  it('refer to others from properties, items and maps', () => {
    expect(references(widget)).toEqual(['io.k8s.api.demo.v1.Spec', 'io.k8s.api.demo.v1.Item'])
    const schemas = {
      'io.k8s.api.demo.v1.Spec': {},
      'io.k8s.api.demo.v1.Item': {},
      other: {},
      widget,
    }
    expect([...reachable(schemas, ['widget'])].sort()).toEqual([
      'io.k8s.api.demo.v1.Item',
      'io.k8s.api.demo.v1.Spec',
      'widget',
    ])
    expect(() => reachable({ widget }, ['widget'])).toThrow('referred to and missing')
  })

  it('published and compiled are the same but for texts, enumerations, nulls and the form of references', () => {
    const compiled: OpenApiSchema = {
      ...widget,
      description: 'other',
      properties: {
        ...widget.properties,
        status: { type: 'string' },
        spec: { $ref: '#/components/schemas/io.k8s.api.demo.v1.Spec', default: {} },
      },
    }
    expect(() => assertSame('Widget', widget, compiled)).not.toThrow()
    expect(() => assertSame('Widget', widget, { ...compiled, required: [] })).toThrow('Widget differs')
    const without = { ...compiled, properties: { ...compiled.properties } }
    delete without.properties['description']
    expect(() => assertSame('Widget', widget, without)).toThrow('Widget differs')
    expect(withDescriptions(compiled, widget).properties?.['status']?.description).toMatch(/Deprecated/)
  })
})

it('discovery becomes resources with their subresources', () => {
  const verbs = ['update', 'get']
  const list = {
    groupVersion: 'demo/v1',
    resources: [
      { name: 'widgets', kind: 'Widget', namespaced: true, singularName: 'widget', shortNames: ['wd'], verbs },
      { name: 'widgets/status', kind: 'Widget', namespaced: true, singularName: '', verbs },
      {
        name: 'widgets/scale',
        kind: 'Scale',
        group: 'autoscaling',
        version: 'v1',
        namespaced: true,
        singularName: '',
        verbs,
      },
    ],
  }
  expect(toResources(list)).toEqual({
    widgets: {
      kind: 'Widget',
      namespaced: true,
      served: { singular: 'widget', shortNames: ['wd'], verbs: ['get', 'update'] },
      subresources: {
        status: { verbs: ['get', 'update'] },
        scale: { kind: { group: 'autoscaling', version: 'v1', kind: 'Scale' }, verbs: ['get', 'update'] },
      },
    },
  })
})

describe('Go sources', () => {
  const dir = mkdtempSync(join(tmpdir(), 'extract-'))
  const go = join(dir, 'demo/v1')
  mkdirSync(go, { recursive: true })
  writeFileSync(
    join(go, 'demo_client.go'),
    'type DemoV1Interface interface {\n\tRESTClient() rest.Interface\n\tWidgetsGetter\n}\n',
  )
  writeFileSync(
    join(go, 'widget.go'),
    `import (
	autoscalingv1 "k8s.io/api/autoscaling/v1"
)

type WidgetsGetter interface {
	Widgets(namespace string) WidgetInterface
}

type WidgetInterface interface {
	Get(ctx context.Context, name string, opts metav1.GetOptions) (*demov1.Widget, error)
	// A comment.
	GetScale(ctx context.Context, name string, options metav1.GetOptions) (*autoscalingv1.Scale, error)

	WidgetExpansion
}

func newWidgets(c *DemoV1Client, namespace string) *widgets {
	return &widgets{
		gentype.NewClientWithListAndApply[*demov1.Widget, *demov1.WidgetList, *x.WidgetApplyConfiguration](
			"widgets",
`,
  )
  writeFileSync(join(go, 'expansion.go'), 'type WidgetExpansion interface {\n\tSpin(ctx context.Context) error\n}\n')
  writeFileSync(join(go, 'register.go'), 'const GroupName = "demo.example.com"\n')

  it('tell a client', () => {
    expect(readGoClients(dir)).toEqual([
      {
        folder: 'demo',
        version: 'v1',
        accessor: 'DemoV1',
        resources: [
          {
            resource: 'widgets',
            kind: 'Widget',
            accessor: 'Widgets',
            namespaced: true,
            methods: ['Get', 'GetScale'],
            expansion: ['Spin'],
            scale: { pkg: 'k8s.io/api/autoscaling/v1', name: 'Scale' },
          },
        ],
      },
    ])
  })

  it('tell a group, and a package its definitions', () => {
    expect(readGroupName(go)).toBe('demo.example.com')
    expect(() => readGroupName(dir)).toThrow('no GroupName')
    expect(definitionPackage('k8s.io/api/apps/v1')).toBe('io.k8s.api.apps.v1')
    expect(definitionPackage('k8s.io/kube-aggregator/pkg/apis/apiregistration/v1')).toBe(
      'io.k8s.kube-aggregator.pkg.apis.apiregistration.v1',
    )
  })

  it('are left as facts, one a line, that read back the same', () => {
    const facts = {
      group: '',
      version: 'v1',
      folder: 'core',
      served: true,
      definitions: { A: { required: ['x'], properties: { x: { type: 'string' as const, default: '' } } } },
    }
    expect(formatFacts(facts)).toContain('        "x": { "type": "string", "default": "" }\n')
    const spec = join(dir, 'spec')
    writeSpec(spec, [{ ...facts, version: 'v0' }])
    writeSpec(spec, [facts])
    expect(readSpec(spec)).toEqual([facts])
    rmSync(dir, { recursive: true })
  })
})
