import fc from 'fast-check'
import { jsonPath } from 'kubewright/jsonpath'
import { expect, it } from 'vitest'
import { mostlyValid, runs, textOf } from './arbitraries.js'
import { type Ask, answerOf, describeWithOracle } from './describe-with-oracle.js'

interface Question {
  template: string
  data: unknown
  allowMissingKeys?: boolean
  jsonOutput?: boolean
}

interface Found {
  text: string
  counts: number[]
}

/** A filter on what is no array: Go shows the whole value, ours its type, as documented. */
const comparable = (error: string): string =>
  error.replace(/^[^]* (is not array or slice and cannot be filtered)$/, 'what $1')

/** What a text is made of, in no order. */
const pieces = (text: string): string[] => text.split(/(\W)/).sort()
const walksMaps = (template: string): boolean => /\*|\.\./.test(template)

async function expectAgreement(oracle: Ask, { data, ...question }: Question): Promise<void> {
  const ours = answerOf((): Found => {
    const path = jsonPath(question.template, question)
    const results = path.findResults(data)
    return { text: path.execute(data), counts: results.map((values) => values.length) }
  })
  const expected = 'error' in ours ? comparable(ours.error) : ours.result.text
  const go = await oracle.ask<Found>('jsonpath.execute', { ...question, data: JSON.stringify(data), expected })
  if ('error' in go) {
    // Where Go dies of looking into nothing, ours finds nothing.
    if ('panic' in go) return
    // Numbers are numbers, as documented.
    if (go.error === 'incompatible types for comparison' && hasFraction(question.template, data)) return
    expect('error' in ours ? expected : `no error, but ${JSON.stringify(ours.result.text)}`).toBe(go.error)
    return
  }
  if ('error' in ours) throw new Error(`ours fails (${ours.error}), Go finds ${JSON.stringify(go.result.text)}`)
  if (ours.result.text === go.result.text) {
    if (!walksMaps(question.template)) expect(ours.result.counts).toEqual(go.result.counts)
    return
  }
  expect(walksMaps(question.template)).toBe(true)
  expect(pieces(ours.result.text)).toEqual(pieces(go.result.text))
}

const hasFraction = (template: string, data: unknown): boolean => /\.\d|e-|\d\./.test(template + JSON.stringify(data))

const list = {
  kind: 'List',
  items: [
    {
      kind: 'None',
      metadata: { labels: { 'kubernetes.io/hostname': '127.0.0.1' }, name: '127.0.0.1' },
      status: {
        addresses: [{ address: '127.0.0.1', type: 'LegacyHostIP' }],
        capacity: { cpu: '4' },
        phase: 'Running',
        ready: true,
      },
    },
    {
      kind: 'None',
      metadata: { labels: { 'kubernetes.io/hostname': '127.0.0.2' }, name: '127.0.0.2' },
      status: {
        addresses: [
          { address: '127.0.0.2', type: 'LegacyHostIP' },
          { address: '127.0.0.3', type: 'another' },
        ],
        capacity: { cpu: '8' },
        ready: false,
      },
    },
  ],
  nothing: [],
  numbers: [1, 2.5, -3, 0.00001, 1234567.5, 1e21, 9007199254740991],
  text: 'a<b>&"c"\u2028é\n',
  users: [
    { name: 'myself', user: {} },
    { name: 'e2e', user: { password: 'secret', username: 'admin' } },
    { name: null, user: null },
  ],
}

const templates = [
  ...['', 'plain', 'a {.kind} b', '{}', '{$}', '{@}', '{ .kind }', '{.kind}{.kind}', '}', '{"{"}', "{'}'}", '{.text}'],
  ...['{.nothing}', '{.missing}', '{.items.kind}', '{.kind.kind}', '{.kind[0]}', '{.kind.*}', '{.users[2].user.name}'],
  ...['{.users[2].user[0]}', '{.users[2].user}', '{.users[2]}', '{.users[*].user}', '{.numbers}', '{.numbers[*]}'],
  ...[
    '{.items[0].metadata.labels.kubernetes\\.io/hostname}',
    "{.items[0].metadata.labels['kubernetes\\.io/hostname']}",
  ],
  ...["{['kind']}", "{['items'][0]['kind']}", "{['']}", "{.items[0]['metadata.name']}", '{[]}', '{.numbers[]}'],
  ...[
    "{.items[*]['metadata.name', 'status.capacity']}",
    '{.numbers[0,2,-1]}',
    '{.numbers[0, 1:3 ,::2]}',
    '{.numbers[,]}',
  ],
  ...['{.numbers[0]}', '{.numbers[-1]}', '{.numbers[-7]}', '{.numbers[-8]}', '{.numbers[7]}', '{.numbers[6:]}'],
  ...['{.numbers[7:]}', '{.numbers[:7]}', '{.numbers[:8]}', '{.numbers[3:1]}', '{.numbers[-1:0]}', '{.numbers[0:0]}'],
  ...['{.numbers[9:9]}', '{.numbers[-9:-9]}', '{.numbers[0:6:2]}', '{.numbers[0:6:0]}', '{.numbers[::-1]}'],
  ...['{.numbers[::9223372036854775807]}', '{.numbers[9223372036854775807]}', '{.numbers[9223372036854775808]}'],
  ...['{.numbers[-9223372036854775808:]}', '{.numbers[-]}', '{.numbers[a]}', '{.numbers[1:2:3:4]}', '{.numbers[1}'],
  ...[
    '{.items[0,0]..}',
    '{.nothing[0]}',
    '{.nothing[*]}',
    '{.nothing[:]}',
    "{.items['kind'].x}",
    '{.items[*].status.*}',
  ],
  ...[
    '{..}',
    '{..name}',
    '{...name}',
    '{....name}',
    '{........}',
    '{..metadata..name}',
    '{..[0]}',
    '{..*}',
    '{.users..}',
  ],
  ...['{*}', '{.*}', '{.*.*}', '{.items.*.kind}', '{.items[*].*}'],
  ...['{.items[?(@.status.ready==true)].kind}', '{.items[?(@.status.ready!=true)].metadata.name}'],
  ...['{.items[?(@.status.capacity.cpu>="4")].metadata.name}', '{.items[?(@..ready==true)].metadata.name}'],
  ...['{.items[?(@.status.phase)].metadata.name}', '{.items[?(@.status.phase=="Running")].metadata.name}'],
  ...['{.items[?(.status.phase=="Running")].kind}', '{.numbers[?(@>1)]}', '{.numbers[?(@<=1)]}', '{.numbers[?(@=1)]}'],
  ...['{.numbers[?(@<>1)]}', '{.numbers[?(@==2.5)]}', '{.numbers[?(@=="1")]}', '{.users[?(@.name==1)]}', '{.x[?(@)]}'],
  ...['{.users[?(@.name=="e2e")].user.password}', '{.users[?(@.user)].name}', '{.users[?(@.user[0])].name}'],
  ...['{.users[?(@.user.username)].name}', '{.items[?(@.status.addresses[1])].kind}', '{.items[?(foo)].kind}'],
  ...['{.items[?()].kind}', '{.items[?(@.kind)}', '{.items[?(@.kind]}', '{.items[?(@.kind) ]}', '{.kind[?(@.x)]}'],
  ...['{.items[?(@.status.addresses[*].type=="another")].kind}', '{.items[?("a"==@.status.addresses[*].type)].kind}'],
  ...['{.items[?(@.metadata.labels.kubernetes\\.io/hostname=="127.0.0.1")].kind}', '{.items[?(@.status.ready<true)]}'],
  ...['{.items[?(@.kind==")]")]}', "{.items[?(@.kind=='\\'')]}", '{.items[?(@.a".b")].x}', '{.users[?(@=="x")]}'],
  ...['{.items[?(.a"[?(@.x)].b")]}', '{.items[?(.status"[?(.a\'[?(@.x)].d\')].b")]}', '{[?(@.x)]}', '{[?(@.x)].y}'],
  ...['{range .items[*]}{.metadata.name}, {end}{.kind}', '{range .items[*]}{.kind}', '{range .items}{.kind}{end}'],
  ...[
    '{range .items[*]}{range .status.addresses[*]}{.address}, {end}{end}',
    '{end}',
    '{range}{end}',
    '{range .x}{end}{end}',
  ],
  ...[
    '{range .nothing[*]}{.x}{range @.y[*]}{.z}{end}{"+"}{end}after',
    '{range .users[*]}{.name}={.user.username};{end}',
  ],
  ...['{range .items[*]}{.kind}{"~"}{range .status.addresses[*]}{.type}{","}{end}{"#"}{range .x[*]}-{end}{end}!'],
  ...['{range range .items[*]}{.kind}{end}{end}', '{range .items[*]}{end}{range .users[*]}{.name}{end}{.kind}'],
  ...['{range .users[*].user}{@}{end}', '{range .users[*].user}{[0]}{end}', '{range .users[*].user}{[?(@.x)]}{end}'],
  ...[
    '{range .users[*].user}{.*}{..}{1}{"a"}{end}',
    '{range .items[0:1]}{end end}x',
    '{range $.items[*]}{$.kind}{end}',
  ],
  ...[
    '{hello}',
    '{true}',
    '{false}{true}',
    '{True}',
    '{1}',
    '{-1}',
    '{+1}',
    '{1.5}',
    '{1.}',
    '{+.5}',
    '{+12.3.0}',
    '{-}',
  ],
  ...[
    '{007}',
    '{9223372036854775807}',
    '{9223372036854775808}',
    '{.items[*] 1}',
    '{.items[*]"x"}',
    '{1[0]}',
    '{"a"[0]}',
  ],
  ...['{.hello', '{.hello\n}', '{.hello\r}', '{\\\\\\}', '{#}', '{\t}', '{\u0000}', '{é}', '{.é}', '{٣}', '{🙂}', '{'],
  ...[
    '{"',
    '{\'a"}',
    '{"a\nb"}',
    '{"a\\nb\\t\\u00e9\\x41\\101\\U0001F642"}',
    '{"\\xe2\\x82\\xac"}',
    '{"\\q"}',
    '{"\\"',
  ],
  ...[
    "{'\\''}",
    '{"\\""}',
    '{"\\\'"}',
    "{'\\\"'}",
    '{"\\ud800"}',
    '{"\\400"}',
    '{"\\x4"}',
    '{"\\U00110000"}',
    '{"\\\\"}',
  ],
  ...['{"\\\\ "}', '{"\\', '{"\\u00"}', '{"\\08"}', '{"\u2028"}', '{..a..}', '{.a b}', '{.a@.b}', '{.a$}', '{.a{.b}}'],
  ...['{.kind.}', '{.}', '{.items[0].}', '{ . }', '{.kind,.kind}', "{['kind}']}", "{['a}{$$%']}", "{['kind','}{']}"],
]

const name = fc.constantFrom('a', 'b', 'items', 'k/8', 'name', 'x.y')
const scalar = fc.oneof(
  fc.integer({ min: -3, max: 5 }),
  fc.constantFrom('', 'a', 'b', '1', '1Gi', 'é', '<&>'),
  fc.boolean(),
  fc.constant(null),
)
const fraction = fc.constantFrom(0.5, 1.5, -2.25, 0.00001, 12345678.5)

const documentOf = (leaf: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  fc.letrec((tie) => ({
    // Keys in their order, which is the one that Go is most likely to take.
    map: fc
      .uniqueArray(fc.tuple(name, tie('value')), { selector: ([key]) => key, maxLength: 3 })
      .map((entries) => Object.fromEntries(entries.sort(([a], [b]) => (a < b ? -1 : 1)))),
    value: fc.oneof(
      { depthSize: 'small', withCrossShrink: true },
      leaf,
      fc.array(tie('value'), { maxLength: 4 }),
      tie('map'),
    ),
    root: fc.oneof({ weight: 5, arbitrary: tie('map') }, { weight: 1, arbitrary: tie('value') }),
  })).root

const small = fc.integer({ min: -4, max: 4 }).map(String)
const bound = fc.oneof(small, fc.constant(''))
const escaped = name.map((text) => text.replaceAll('.', '\\.'))
const key = escaped.map((text) => `'${text}'`)
const selector = fc.oneof(
  small,
  fc.tuple(bound, bound).map((parts) => parts.join(':')),
  fc.tuple(bound, bound, bound).map((parts) => parts.join(':')),
  key,
  fc.constant('*'),
)
const literal = fc.oneof(
  small,
  fc.constantFrom('true', 'false', '"a"', "'b'", '"1"', '"a\\tb"', '"\\u00e9"', '1.5', '+2'),
)
const plainStep = fc.oneof(
  { weight: 5, arbitrary: escaped.map((text) => `.${text}`) },
  { weight: 4, arbitrary: selector.map((text) => `[${text}]`) },
  { weight: 1, arbitrary: fc.array(selector, { minLength: 2, maxLength: 3 }).map((parts) => `[${parts.join(', ')}]`) },
  { weight: 1, arbitrary: fc.constant('.*') },
  { weight: 1, arbitrary: escaped.map((text) => `..${text}`) },
)
const plainPath = fc
  .tuple(fc.constantFrom('', '@', '$'), fc.array(plainStep, { maxLength: 3 }))
  .map(([root, steps]) => root + steps.join(''))
const operator = fc.constantFrom('==', '!=', '<', '<=', '>', '>=', '=', '<>')
const filter = fc
  .oneof(
    plainPath,
    fc.tuple(plainPath, operator, fc.oneof(literal, literal, plainPath)).map((parts) => parts.join('')),
  )
  .map((condition) => `[?(${condition})]`)
const path = fc
  .tuple(
    fc.constantFrom('', '', '@', '$', ' '),
    fc.array(
      fc.oneof({ weight: 6, arbitrary: plainStep }, { weight: 2, arbitrary: filter }, fc.constantFrom('..', ' ')),
      { maxLength: 4 },
    ),
  )
  .map(([root, steps]) => root + steps.join(''))

const templateOf: fc.Arbitrary<string> = fc.letrec<{ part: string; parts: string }>((tie) => ({
  part: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    path.map((text) => `{${text}}`),
    literal.map((text) => `{${text}}`),
    fc.constantFrom('text ', '-', '\n', '{end}'),
    fc.tuple(path, tie('parts')).map(([over, parts]) => `{range ${over}}${parts}{end}`),
  ),
  parts: fc.array(tie('part'), { minLength: 1, maxLength: 3 }).map((parts) => parts.join('')),
})).parts

/** Milliseconds; many runs take their time. */
const patience = 600_000

const alphabet = '{}[]()?@$.*,:\'"\\=<> 01-+abrangedxy\n'

describeWithOracle('jsonpath', (oracle) => {
  it.each(templates)('%j', async (template) => {
    for (const allowMissingKeys of [false, true]) {
      for (const jsonOutput of [false, true]) {
        await expectAgreement(oracle, { template, data: list, allowMissingKeys, jsonOutput })
      }
    }
  })

  it.each([null, true, 0, 1.5, 'text', [], {}, [null], [[1, [2]], 'ab'], { a: null }])('finds in %j', async (data) => {
    for (const template of ['{}', '{@}', '{.a}', '{.*}', '{..}', '{[*]}', '{[0]}', '{[?(@)]}', '{range @}{@}{end}']) {
      for (const allowMissingKeys of [false, true]) await expectAgreement(oracle, { template, data, allowMissingKeys })
    }
  })

  it(
    'finds and prints in any document as Go does',
    async () => {
      const question = fc.record({
        template: templateOf,
        data: documentOf(scalar),
        allowMissingKeys: fc.boolean(),
        jsonOutput: fc.boolean(),
      })
      await fc.assert(
        fc.asyncProperty(question, (q) => expectAgreement(oracle, q)),
        runs(4000),
      )
    },
    patience,
  )

  it(
    'finds and prints fractions as Go does',
    async () => {
      const question = fc.record({
        template: templateOf,
        data: documentOf(fc.oneof(fraction, fraction, scalar, fc.double({ noNaN: true, noDefaultInfinity: true }))),
        allowMissingKeys: fc.constant(true),
      })
      await fc.assert(
        fc.asyncProperty(question, (q) => expectAgreement(oracle, q)),
        runs(1500),
      )
    },
    patience,
  )

  it(
    'reads any template as Go does',
    async () => {
      const question = fc.record({
        template: mostlyValid(templateOf, alphabet),
        data: documentOf(scalar),
        allowMissingKeys: fc.boolean(),
      })
      await fc.assert(
        fc.asyncProperty(question, (q) => expectAgreement(oracle, q)),
        runs(4000),
      )
    },
    patience,
  )

  it(
    'reads quoted text as Go does',
    async () => {
      const quoted = fc
        .tuple(fc.constantFrom('"', "'"), textOf('\\\\\\nxuU01234567890abcdef\'"', 14))
        .map(([quote, text]) => `{${quote}${text}${quote}}`)
        .filter((text) => text.isWellFormed())
      await fc.assert(
        fc.asyncProperty(quoted, (template) => expectAgreement(oracle, { template, data: null })),
        runs(2000),
      )
    },
    patience,
  )
})
