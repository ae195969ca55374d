import fc from 'fast-check'
import {
  compareResourceVersion,
  dns1035LabelProblems,
  dns1123LabelProblems,
  dns1123SubdomainProblems,
  formatGroupVersion,
  getScaledValueFromIntOrPercent,
  labelKeyProblems,
  labelValueProblems,
  parseGroupVersion,
  parseIntOrString,
  parseKindArg,
  parseResourceArg,
  pathSegmentNameProblems,
} from 'kubewright/meta'
import { expect, it } from 'vitest'
import { mostlyValid, runs, textOf } from './arbitraries.js'
import { answerOf, describeWithOracle } from './describe-with-oracle.js'

const checks: Record<string, (name: string) => string[]> = {
  dns1123Label: dns1123LabelProblems,
  dns1123Subdomain: dns1123SubdomainProblems,
  dns1035Label: dns1035LabelProblems,
  qualifiedName: labelKeyProblems,
  labelValue: labelValueProblems,
  pathSegment: pathSegmentNameProblems,
}

const names = [
  ...[
    '',
    'a',
    'A',
    '1',
    '-',
    '.',
    '..',
    '...',
    'a-',
    '-a',
    'a.b',
    'a..b',
    'a.',
    '.a',
    'a_b',
    '_a',
    'a/b',
    '/a',
    'a/',
    'a/b/c',
  ],
  ...['a%b', 'a/%b', 'é', 'a\n', 'a b', '1a', 'a1', 'aB', 'A.b/c', 'x.y/Z_1', 'a'.repeat(63), 'a'.repeat(64)],
  ...['é'.repeat(32), 'a'.repeat(253), 'a'.repeat(254), `${'a.'.repeat(126)}a/b`, `${'a.'.repeat(127)}a/b`],
]

describeWithOracle('names', (oracle) => {
  for (const [check, problems] of Object.entries(checks)) {
    const expectSame = async (value: string): Promise<void> => {
      expect({ result: problems(value) }).toEqual(await oracle.ask('names.check', { check, value }))
    }

    it.each(names)(`${check}: %j`, (name) => expectSame(name))

    it(`${check}: any text`, async () => {
      const word = fc.string({ unit: fc.constantFrom(...'abcz019-'), minLength: 1, maxLength: 12 })
      const valid = fc
        .tuple(fc.array(word, { maxLength: 4 }), fc.constantFrom('.', '-', '/', '_'))
        .map(([w, s]) => w.join(s))
      await fc.assert(fc.asyncProperty(mostlyValid(valid, 'abAB01-._/%'), expectSame), runs(1000))
    })
  }
})

describeWithOracle('groups, versions, kinds and resources', (oracle) => {
  const text = textOf('aB./v1')

  it('reads group and version as Go does', async () => {
    const table = ['', '/', 'v1', 'apps/v1', '/v1', 'apps/', 'a/b/c', '//', 'a.b.c/v1beta1'].map((t) => [t] as [string])
    await fc.assert(
      fc.asyncProperty(text, async (text) => {
        const ours = answerOf(() => {
          const gv = parseGroupVersion(text)
          return { ...gv, string: formatGroupVersion(gv) }
        })
        expect(ours).toEqual(await oracle.ask('schema.groupVersion', { text }))
      }),
      { ...runs(500), examples: table },
    )
  })

  it('reads kinds and resources as users write them as Go does', async () => {
    const table = [
      '',
      'pods',
      'deployments.apps',
      'deployments.v1.apps',
      'Event.v1.events.k8s.io',
      '.',
      '..',
      'a..b',
      'a.b.',
    ]
    await fc.assert(
      fc.asyncProperty(text, async (text) => {
        const kind = parseKindArg(text)
        const gvk = kind.groupVersionKind
        expect({
          gvk: gvk ? { group: gvk.group, version: gvk.version, name: gvk.kind } : null,
          gk: { group: kind.groupKind.group, name: kind.groupKind.kind },
        }).toEqual(((await oracle.ask<object>('schema.kindArg', { text })) as { result: object }).result)
        const resource = parseResourceArg(text)
        const gvr = resource.groupVersionResource
        expect({
          result: {
            gvr: gvr ? { group: gvr.group, version: gvr.version, name: gvr.resource } : null,
            gr: { group: resource.groupResource.group, name: resource.groupResource.resource },
          },
        }).toEqual(await oracle.ask('schema.resourceArg', { text }))
      }),
      { ...runs(500), examples: table.map((t) => [t] as [string]) },
    )
  })

  it('compares resource versions as Go does', async () => {
    const version = fc.oneof(
      fc.bigInt({ min: 0n, max: 2n ** 80n }).map(String),
      fc.nat(20).map(String),
      textOf('0123x-', 4),
    )
    await fc.assert(
      fc.asyncProperty(version, version, async (a, b) => {
        expect(answerOf(() => compareResourceVersion(a, b))).toEqual(
          await oracle.ask('resourceVersion.compare', { a, b }),
        )
      }),
      {
        ...runs(1500),
        examples: [
          ['10', '9'],
          ['9', '10'],
          ['0', '1'],
          ['01', '1'],
          ['', '1'],
          ['1', '1'],
          ['1\n', '1'],
        ],
      },
    )
  })
})

describeWithOracle('intstr', (oracle) => {
  const number = fc.oneof(
    fc.bigInt({ min: -(2n ** 33n), max: 2n ** 33n }).map(String),
    fc.bigInt({ min: -(2n ** 65n), max: 2n ** 65n }).map(String),
    fc.nat(200).map(String),
  )
  const text = mostlyValid(number, '0123456789+-_%x')

  it('reads a number or a text as Go does', async () => {
    await fc.assert(
      fc.asyncProperty(text, async (text) => {
        expect({ result: parseIntOrString(text) }).toEqual(await oracle.ask('intstr.parse', { text }))
      }),
      { ...runs(1500), examples: [['2147483647'], ['2147483648'], ['-2147483649'], ['+5'], ['0x1'], ['1_0'], ['']] },
    )
  })

  it('scales as Go does', async () => {
    // What Go makes of more than 64 bits is up to the processor.
    const percent = mostlyValid(
      fc.integer({ min: -1000, max: 1000 }).map((n) => `${n}%`),
      '0123456789+-%x',
    )
    const given = fc.oneof(percent, fc.integer({ min: -(2 ** 31), max: 2 ** 31 - 1 }), text)
    const value = fc.option(
      given.filter((v) => !/^[+-]?\d{10,}%$/.test(String(v))),
      { nil: undefined, freq: 20 },
    )
    await fc.assert(
      fc.asyncProperty(
        value,
        fc.integer({ min: -100_000, max: 100_000 }),
        fc.boolean(),
        async (value, total, roundUp) => {
          const ours = answerOf(() => getScaledValueFromIntOrPercent(value, total, { roundUp }))
          expect(ours).toEqual(await oracle.ask('intstr.scaled', { value, total, roundUp }))
        },
      ),
      {
        ...runs(3000),
        examples: [
          ['25%', 10, false],
          ['25%', 10, true],
          ['%', 1, true],
          ['99999999999999999999%', 1, true],
        ],
      },
    )
  })
})
