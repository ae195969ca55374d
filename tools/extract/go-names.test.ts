import { expect, it } from 'vitest'
import type { GroupVersionFacts } from '../spec/format.js'
import { formatNames, parseNames } from '../spec/go-names.js'
import { withoutGenerated } from './generated-names.js'

const facts: GroupVersionFacts = {
  group: 'apps',
  version: 'v1',
  folder: 'apps',
  served: true,
  accessor: 'AppsV1',
  resources: {
    widgets: {
      kind: 'Widget',
      namespaced: true,
      client: { accessor: 'Widgets', methods: ['Get', 'List', 'Watch'] },
    },
    reviews: { kind: 'Review', namespaced: false, client: { accessor: 'Reviews', methods: ['Create'] } },
  },
  definitions: { Widget: {}, WidgetSpec: {}, Review: {} },
}

/** What is left of the names of one package. */
function left(path: string, ...lines: string[]): string[] {
  const packages = parseNames(`k8s.io/client-go/${path}\n${lines.map((line) => `  ${line}\n`).join('')}`)
  const { packages: kept } = withoutGenerated(packages, [facts])
  return formatNames('h', kept)
    .trim()
    .split('\n')
    .slice(2)
    .map((line) => line.trim())
}

it('names are kept as text', () => {
  const text = '# a\n# b\nk8s.io/x\n  func New\n  type Config .Wrap QPS\nk8s.io/y\n  const A\n'
  const packages = parseNames(text)
  expect(packages.get('k8s.io/x')).toEqual([
    { kind: 'func', name: 'New', members: [] },
    { kind: 'type', name: 'Config', members: ['.Wrap', 'QPS'] },
  ])
  expect(formatNames('a\nb', packages)).toBe(text)
  expect(() => parseNames('  func New')).toThrow('is no name of a package')
})

it.each([
  ['kubernetes', ['func New', 'type Clientset .AppsV1 .Discovery'], ['func New', 'type Clientset .Discovery']],
  [
    'kubernetes/typed/apps/v1',
    [
      'func NewForConfig',
      'type AppsV1Client .RESTClient .Widgets',
      'type AppsV1Interface .RESTClient',
      'type WidgetExpansion .Spin',
      'type WidgetInterface .Get .List .Turn .Watch',
      'type WidgetsGetter .Widgets',
      'type ReviewExpansion',
    ],
    ['type WidgetExpansion .Spin', 'type WidgetInterface .Turn'],
  ],
  ['kubernetes/typed/apps/v1/fake', ['type FakeAppsV1 .RESTClient .Widgets Fake', 'type Odd'], ['type Odd']],
  ['kubernetes/typed/apps/v2', ['func New'], ['func New']],
  ['informers', ['type SharedInformerFactory .Apps .Start'], ['type SharedInformerFactory .Start']],
  ['informers/apps', ['func New', 'type Interface .V1 .V2'], ['type Interface .V2']],
  [
    'informers/apps/v1',
    ['func New', 'func NewFilteredWidgetInformer', 'func NewReviewInformer', 'type WidgetInformer .Informer .Lister'],
    ['func NewReviewInformer'],
  ],
  [
    'listers/apps/v1',
    ['func NewWidgetLister', 'type WidgetLister .List .Widgets', 'type WidgetListerExpansion .GetPods'],
    ['type WidgetListerExpansion .GetPods'],
  ],
  [
    'applyconfigurations/apps/v1',
    [
      'func ExtractWidget',
      'func ExtractWidgetStatus',
      'func ExtractGadget',
      'func Widget',
      'type WidgetApplyConfiguration .WithName Name',
      'type GadgetApplyConfiguration .WithName',
    ],
    ['func ExtractGadget', 'type GadgetApplyConfiguration .WithName'],
  ],
  ['rest', ['func New'], ['func New']],
])('of %s, what does not follow from the resources is left', (path, lines, expected) => {
  expect(left(path, ...lines)).toEqual(expected)
})

it('what follows is counted, names and members', () => {
  const packages = parseNames('k8s.io/client-go/kubernetes\n  type Clientset .AppsV1 .Discovery\n')
  expect(withoutGenerated(packages, [facts]).left).toBe(1)
})
