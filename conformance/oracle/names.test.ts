import fc from 'fast-check'
import {
  annotationsProblems,
  cIdentifierProblems,
  cidrProblems,
  compareResourceVersion,
  configMapKeyProblems,
  dns1035LabelProblems,
  dns1123LabelProblems,
  dns1123SubdomainProblems,
  dns1123SubdomainWithUnderscoreProblems,
  domainPrefixedKeyProblems,
  domainPrefixedPathProblems,
  envVarNameProblems,
  finalizersProblems,
  formatGroupVersion,
  fullyQualifiedDomainNameProblems,
  fullyQualifiedNameProblems,
  generateNameProblems,
  getScaledValueFromIntOrPercent,
  groupIDProblems,
  httpHeaderNameProblems,
  interfaceAddressProblems,
  ipProblems,
  labelKeyProblems,
  labelValueProblems,
  ownerReferencesProblems,
  parseGroupVersion,
  parseIntOrString,
  parseKindArg,
  parseResourceArg,
  pathSegmentNameProblems,
  percentProblems,
  portNameProblems,
  portNumProblems,
  relaxedEnvVarNameProblems,
  safeEncodeString,
  userIDProblems,
  wildcardDNS1123SubdomainProblems,
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
  dns1123SubdomainWithUnderscore: dns1123SubdomainWithUnderscoreProblems,
  wildcardDNS1123Subdomain: wildcardDNS1123SubdomainProblems,
  cIdentifier: cIdentifierProblems,
  portName: portNameProblems,
  percent: percentProblems,
  httpHeaderName: httpHeaderNameProblems,
  envVarName: envVarNameProblems,
  relaxedEnvVarName: relaxedEnvVarNameProblems,
  configMapKey: configMapKeyProblems,
  fullyQualifiedName: fullyQualifiedNameProblems,
  fullyQualifiedDomainName: fullyQualifiedDomainNameProblems,
  domainPrefixedPath: domainPrefixedPathProblems,
  domainPrefixedKey: domainPrefixedKeyProblems,
  generateSubdomain: (name) => generateNameProblems(name, dns1123SubdomainProblems),
  generateLabel: (name) => generateNameProblems(name, dns1123LabelProblems),
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
  ...[
    '*.a',
    '*.a.b',
    '*',
    '*.',
    '*.*.a',
    'a.*.b',
    '%',
    '5%',
    '50%',
    '-5%',
    'a=b',
    'a~b',
    '~',
    '_._',
    'a.b.c',
    'a.b.c.',
  ],
  ...['a--b', '..a', '.a.', 'a.b/c?d', 'a.b/c%20d', 'a.b.c/d/e', `a.${'b'.repeat(64)}`, 'ab-', 'a'.repeat(16), 'a--'],
  ...['a%b', 'a/%b', 'é', 'a\n', 'a b', '1a', 'a1', 'aB', 'A.b/c', 'x.y/Z_1', 'a'.repeat(63), 'a'.repeat(64)],
  ...['é'.repeat(32), 'a'.repeat(253), 'a'.repeat(254), `${'a.'.repeat(126)}a/b`, `${'a.'.repeat(127)}a/b`],
]

describeWithOracle('names', (oracle) => {
  const numbers = { portNum: portNumProblems, userID: userIDProblems, groupID: groupIDProblems }
  it.each(Object.entries(numbers))('%s', async (check, problems) => {
    for (const value of [-1, 0, 1, 80, 65535, 65536, 2 ** 31 - 1, 2 ** 31, 2 ** 53 - 1]) {
      expect({ result: problems(value) }).toEqual(await oracle.ask('names.checkNumber', { check, value }))
    }
  })

  it('safeEncodeString', async () => {
    const text = fc.oneof(fc.string(), fc.string({ unit: 'grapheme' }), fc.bigInt().map(String))
    await fc.assert(
      fc.asyncProperty(text, async (text) => {
        expect({ result: safeEncodeString(text) }).toEqual(await oracle.ask('names.safeEncodeString', { text }))
      }),
      runs(500),
    )
  })

  const key = fc.oneof(
    textOf('abAB01-._/'),
    fc.constantFrom('a', 'A.b/C', 'a/b', 'orphan', 'foregroundDeletion', 'É', 'x'.repeat(64)),
  )
  const sorted = ({ result }: { result?: string[] }): string[] | undefined => result?.toSorted()

  it('annotations', async () => {
    const size = fc.constantFrom(1, 2 ** 17, 2 ** 18 - 1, 2 ** 18)
    const annotations = fc.oneof(
      fc.dictionary(key, fc.string(), { maxKeys: 4 }),
      size.map((length) => ({ a: 'x'.repeat(length) })),
      size.map((length) => ({ a: 'é'.repeat(length / 2) })),
    )
    await fc.assert(
      fc.asyncProperty(annotations, async (annotations) => {
        const go = await oracle.ask<string[]>('names.annotations', annotations)
        const ours = annotationsProblems(annotations).map((problem) => `metadata: ${problem}`)
        expect(sorted({ result: ours })).toEqual(sorted(go as { result: string[] }))
      }),
      { ...runs(300), examples: [[{ a: 'x'.repeat(2 ** 18) }], [{ a: 'x'.repeat(2 ** 18 - 1) }]] },
    )
  })

  it('finalizers', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(key, { maxLength: 4 }), async (finalizers) => {
        const ours = finalizersProblems(finalizers).map((problem) => `metadata: ${problem}`)
        expect({ result: ours }).toEqual(await oracle.ask('names.finalizers', finalizers))
      }),
      { ...runs(300), examples: [[['orphan', 'foregroundDeletion']]] },
    )
  })

  it('owner references', async () => {
    const reference = fc.record(
      {
        apiVersion: fc.constantFrom('v1', 'apps/v1', '', '/', 'a/b/c', 'apps/', '/v1'),
        kind: fc.constantFrom('Event', 'Deployment', ''),
        name: fc.constantFrom('a', 'b', ''),
        uid: fc.constantFrom('1', ''),
        controller: fc.boolean(),
      },
      { requiredKeys: ['apiVersion', 'kind', 'name', 'uid'] },
    )
    await fc.assert(
      fc.asyncProperty(fc.array(reference, { maxLength: 4 }), async (references) => {
        const go = await oracle.ask<string[]>('names.ownerReferences', references)
        const ours = ownerReferencesProblems(references).map((problem) =>
          problem.includes(': Invalid value') ? `metadata.${problem}` : problem,
        )
        expect(sorted({ result: ours })).toEqual(sorted(go as { result: string[] }))
      }),
      runs(500),
    )
  })

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

describeWithOracle('IP addresses and networks', (oracle) => {
  const checks = { ip: ipProblems, cidr: cidrProblems, interfaceAddress: interfaceAddressProblems }
  const v4 = fc.oneof(
    fc.ipV4(),
    fc
      .array(fc.constantFrom('0', '00', '01', '10', '255', '256', '08', ''), { minLength: 3, maxLength: 5 })
      .map((p) => p.join('.')),
  )
  const group = fc.constantFrom('0', '0', '1', 'ffff', 'FFFF', 'abc', '0001', '00001', '10000', 'g', '')
  const v6 = fc.oneof(
    fc.ipV6(),
    fc.array(group, { minLength: 1, maxLength: 9 }).map((groups) => groups.join(':')),
    fc
      .tuple(fc.array(group, { maxLength: 6 }), fc.array(fc.oneof(group, v4), { maxLength: 4 }))
      .map(([a, b]) => `${a.join(':')}::${b.join(':')}`),
    v4.map((address) => `::ffff:${address}`),
  )
  const length = fc.oneof(
    fc.nat(130).map(String),
    fc.constantFrom('', '00', '08', '024', '-1', '+8', '1e1', '0x8', '999999999999'),
  )
  const text = mostlyValid(
    fc
      .tuple(fc.oneof(v4, v6), fc.option(length, { nil: undefined }))
      .map(([address, n]) => (n === undefined ? address : `${address}/${n}`)),
    '0123456789abcdf.:/%',
  )
  const table = [
    '',
    '1.2.3.4',
    '::',
    '::1',
    '::ffff:1.2.3.4',
    '1::',
    '1:2:3:4:5:6:7::',
    '::2:3:4:5:6:7:8',
    '1:2:3:4:5:6:7:8',
  ]
  const more = [
    'fe80::1%eth0',
    '1:0:0:2:0:0:0:3',
    '1:0:0:2:3:0:0:4',
    '1:0:2:3:4:5:6:7',
    '10.0.0.0/8',
    '10.0.0.1/8',
    '::/0',
    '::ffff:10.0.0.0/104',
  ]

  it.each(Object.entries(checks))('%s', async (check, problems) => {
    await fc.assert(
      fc.asyncProperty(text, async (value) => {
        expect({ result: problems(value) }).toEqual(await oracle.ask('names.check', { check, value }))
      }),
      { ...runs(3000), examples: [...table, ...more].map((value) => [value] as [string]) },
    )
  })
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
