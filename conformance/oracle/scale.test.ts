// Scales of one version as another.
import fc from 'fast-check'
import { fromScale, toScale } from 'kubewright/scale'
import { expect, it } from 'vitest'
import { runs } from './arbitraries.js'
import { answerOf, describeWithOracle } from './describe-with-oracle.js'

const versions = ['autoscaling/v1', 'extensions/v1beta1', 'apps/v1beta1', 'apps/v1beta2']
const selectorText = fc.constantFrom(
  '',
  'b=1,a=2',
  'a in (x,y),b',
  '!a',
  'a!=b',
  'a notin (b)',
  'a>1',
  'a==',
  'nonsense =',
  'app=web',
)
const labels = fc.dictionary(fc.constantFrom('a', 'b', 'app', 'bad key'), fc.constantFrom('', '1', 'web'), {
  maxKeys: 2,
})

const status = (apiVersion: string) => {
  const replicas = fc.nat(5)
  return apiVersion === 'autoscaling/v1'
    ? fc.record({ replicas, selector: selectorText }, { requiredKeys: [] })
    : fc.record(
        { replicas, selector: fc.oneof(labels, fc.constant(null)), targetSelector: selectorText },
        { requiredKeys: [] },
      )
}
const scale = fc.constantFrom(...versions).chain((apiVersion) =>
  fc.record(
    {
      kind: fc.constant('Scale'),
      apiVersion: fc.constant(apiVersion),
      metadata: fc.record({ name: fc.constantFrom('web', 'db'), resourceVersion: fc.constantFrom('1', '') }),
      spec: fc.record({ replicas: fc.nat(3) }, { requiredKeys: [] }),
      status: status(apiVersion),
    },
    { requiredKeys: ['kind', 'apiVersion', 'metadata'] },
  ),
)

interface GoScale {
  kind: string
  apiVersion: string
  metadata: object
  spec?: object
  status?: { selector?: unknown }
}

/** Go leaves out numbers that are 0, and texts and labels that are empty. */
const same = ({ metadata, spec, status: { selector, ...state } = {}, ...rest }: GoScale) => ({
  ...rest,
  metadata: Object.fromEntries(Object.entries(metadata).filter(([, value]) => value !== '' && value !== null)),
  spec: { replicas: 0, ...spec },
  status: { replicas: 0, ...(selector && Object.keys(selector).length > 0 ? { selector } : {}), ...state },
})

describeWithOracle('scales', (oracle) => {
  it('are converted as client-go converts them', async () => {
    await fc.assert(
      fc.asyncProperty(scale, fc.constantFrom(...versions), async (from, to) => {
        const [group = '', version = ''] = to.split('/')
        const go = await oracle.ask<GoScale>('scale.convert', { scale: from, group, version })
        const ours = answerOf(() => fromScale(toScale(from), { group, version }) as GoScale)
        if ('error' in go || 'error' in ours) expect(ours).toEqual(go)
        else expect(same(ours.result)).toEqual(same(go.result))
      }),
      runs(2000),
    )
  })
})
