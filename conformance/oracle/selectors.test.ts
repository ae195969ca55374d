import fc from 'fast-check'
import {
  escapeFieldValue,
  type FieldSelector,
  labelSelectorAsSelector,
  newRequirement,
  type Operator,
  parseFieldSelector,
  parseLabelSelector,
  parseToLabelSelector,
  type Selector,
  selectorFromRequirements,
  selectorFromSet,
  unescapeFieldValue,
} from 'kubewright/meta'
import { expect, it } from 'vitest'
import { mostlyValid, runs, textOf } from './arbitraries.js'
import { type Ask, answerOf, describeWithOracle } from './describe-with-oracle.js'

type Set = Record<string, string>

function described(selector: Selector, labels: readonly Set[]): unknown {
  return {
    string: selector.toString(),
    empty: selector.empty,
    requirements: selector.requirements,
    matches: labels.map((set) => selector.matches(set)),
  }
}

async function expectSameLabels(oracle: Ask, selector: string, labels: readonly Set[]): Promise<void> {
  const go = await oracle.ask('labels.parse', { selector, labels })
  expect(answerOf(() => described(parseLabelSelector(selector), labels))).toEqual(go)
}

const key = fc.constantFrom('a', 'b', 'app', 'demo/min-replicas', 'in', 'notin', 'x.y_z', 'A1')
const value = fc.constantFrom('', 'a', 'true', 'in', 'notin', '1', '10', '0x1', '9223372036854775807', 'v1.2_3')
const labels = fc.array(fc.dictionary(key, value, { maxKeys: 4, noNullPrototype: true }), { maxLength: 3 })
const blank = fc.constantFrom('', '', ' ', '  ', '\t', '\n')
const badKey = fc.constantFrom(
  '-a',
  'a-',
  'a/b/c',
  '/a',
  'a/',
  'A.B/c',
  'é',
  'x'.repeat(64),
  `${'y.'.repeat(130)}z/a`,
  '',
)
const badValue = fc.constantFrom('-5', '-a', 'a-', 'a b', 'é', '"', 'x'.repeat(64), '\u0001', '<&>')

const requirementText = fc
  .oneof(
    fc.tuple(key, blank, fc.constantFrom('=', '==', '!=', '>', '<'), blank, value),
    fc.tuple(
      key,
      fc.constantFrom(' in ', ' notin ', ' in', '  notin\t'),
      fc.array(value, { maxLength: 3 }).map((v) => `(${v.join(',')})`),
    ),
    fc.tuple(blank, key, blank),
    fc.tuple(fc.constant('!'), blank, key),
  )
  .map((parts) => parts.join(''))
// Go sorts more than twelve requirements in an order of its own.
const selectorText = fc.array(requirementText, { maxLength: 6 }).map((list) => list.join(','))
const alphabet = 'ab1/.-_=!()<>, \n'

const operator = fc.constantFrom<Operator>('=', '==', '!=', 'in', 'notin', 'exists', '!', 'gt', 'lt')
const anyKey = fc.oneof({ weight: 5, arbitrary: key }, { weight: 1, arbitrary: badKey })
const anyValue = fc.oneof({ weight: 5, arbitrary: value }, { weight: 1, arbitrary: badValue })

const labelSelectors = [
  ...[
    '',
    ' ',
    'a',
    '!a',
    'a=b',
    'a==b',
    'a!=b',
    'a in (b)',
    'a notin (b,c)',
    'a>1',
    'a<1',
    'a=b,c',
    'a,',
    ',a',
    'a,,b',
  ],
  ...[
    'in',
    'in in (in)',
    'notin notin (notin)',
    '!in',
    'a in',
    'a in (',
    'a in ()',
    'a in (,)',
    'a in (b,',
    'a in (b c)',
  ],
  ...['a in (,b)', 'a in (b,,c)', 'a in b', 'a=', 'a==', 'a!=', 'a!b', '!a=b', 'a===b', 'a=!b', 'a>', 'a>b', 'a>1.5'],
  ...[
    'a=in',
    'a=(b)',
    '(a)',
    '!!a',
    '!',
    '=',
    '=b',
    'a b',
    'a/b/c',
    '/a',
    'a/',
    'a=-b',
    'a=b-',
    'é=é',
    'a="b"',
    'a=\u0001',
  ],
  ...['a>9223372036854775808', 'a<-9223372036854775808', 'a in (c,b,b,a)', 'b=1,a=2,c', `a=${'x'.repeat(64)}`],
]

describeWithOracle('labels', (oracle) => {
  it.each(labelSelectors)('reads the label selector %j', (text) =>
    expectSameLabels(oracle, text, [{}, { a: '' }, { a: 'b' }, { a: '2', in: 'in' }, { a: '-9223372036854775808' }]),
  )

  it('reads any text as a label selector as Go does', async () => {
    await fc.assert(
      fc.asyncProperty(mostlyValid(selectorText, alphabet), labels, (text, sets) =>
        expectSameLabels(oracle, text, sets),
      ),
      runs(5000),
    )
  })

  it('makes requirements as Go does', async () => {
    const values = fc.option(fc.array(anyValue, { maxLength: 3 }), { nil: undefined, freq: 10 })
    await fc.assert(
      fc.asyncProperty(anyKey, operator, values, labels, async (key, operator, values, sets) => {
        const go = await oracle.ask('labels.requirement', { key, operator, values, labels: sets })
        const ours = answerOf(() => described(selectorFromRequirements([newRequirement(key, operator, values)]), sets))
        expect(ours).toEqual(go)
      }),
      runs(3000),
    )
  })

  it('makes selectors of sets as Go does', async () => {
    const set = fc.oneof(
      fc.dictionary(key, value, { noNullPrototype: true }),
      fc.dictionary(anyKey, anyValue, { maxKeys: 1, noNullPrototype: true }),
    )
    await fc.assert(
      fc.asyncProperty(set, labels, async (set, sets) => {
        const go = await oracle.ask('labels.fromSet', { set, labels: sets })
        expect(answerOf(() => described(selectorFromSet(set), sets))).toEqual(go)
      }),
      runs(1000),
    )
  })

  it('makes selectors of LabelSelectors as Go does', async () => {
    const expression = fc.record(
      {
        key: anyKey,
        operator: fc.constantFrom('In', 'NotIn', 'Exists', 'DoesNotExist', 'In', 'NotIn', 'in', 'Gt', ''),
        values: fc.array(anyValue, { maxLength: 3 }),
      },
      { requiredKeys: ['key', 'operator'], noNullPrototype: true },
    )
    const selector = fc.record(
      {
        // Of several that are wrong, Go names any.
        matchLabels: fc.oneof(
          fc.dictionary(key, value, { maxKeys: 4, noNullPrototype: true }),
          fc.dictionary(anyKey, anyValue, { maxKeys: 1, noNullPrototype: true }),
        ),
        matchExpressions: fc.array(expression, { maxLength: 4 }),
      },
      { requiredKeys: [], noNullPrototype: true },
    )
    await fc.assert(
      fc.asyncProperty(fc.option(selector, { nil: undefined, freq: 20 }), labels, async (selector, sets) => {
        const go = await oracle.ask('labels.fromLabelSelector', { selector, labels: sets })
        expect(answerOf(() => described(labelSelectorAsSelector(selector), sets))).toEqual(go)
      }),
      runs(3000),
    )
  })

  it('makes LabelSelectors of text as Go does', async () => {
    await fc.assert(
      fc.asyncProperty(mostlyValid(selectorText, alphabet), async (selector) => {
        const go = await oracle.ask('labels.toLabelSelector', { selector })
        // What is empty Go leaves out.
        const ours = answerOf(() => {
          const { matchLabels, matchExpressions } = parseToLabelSelector(selector)
          return {
            ...(Object.keys(matchLabels).length > 0 && { matchLabels }),
            ...(matchExpressions.length > 0 && {
              matchExpressions: matchExpressions.map(({ values, ...rest }) =>
                values?.length ? { ...rest, values } : rest,
              ),
            }),
          }
        })
        expect(ours).toEqual(go)
      }),
      runs(2000),
    )
  })
})

function describedFields(selector: FieldSelector, fields: readonly Set[]): unknown {
  return {
    string: selector.toString(),
    empty: selector.empty,
    requirements: selector.requirements,
    matches: fields.map((set) => selector.matches(set)),
  }
}

const fieldSelectors = [
  ...[
    '',
    ',',
    'a',
    'a=b',
    'a==b',
    'a!=b',
    'a===b',
    'a=!b',
    'a=b,c=d',
    'c=d,a=b',
    'a=b,',
    ',a=b',
    '=',
    '!=',
    '=,a=b',
    '=b',
  ],
  ...[
    'a=b\\,c',
    'a=b\\=c',
    'a=b\\\\',
    'a=b\\',
    'a=b\\c',
    'a=b=c',
    'a\\=b=c',
    'a\\,b=c',
    'a=é',
    'a=\\é',
    'a=\\\u{1f600}',
  ],
  ...['metadata.name=web,status.phase!=Running', 'a=b\n', '\n=b', 'a!b', 'a!!=b'],
]

describeWithOracle('fields', (oracle) => {
  async function expectSameFields(selector: string, fields: readonly Set[]): Promise<void> {
    const go = await oracle.ask('fields.parse', { selector, fields })
    expect(answerOf(() => describedFields(parseFieldSelector(selector), fields))).toEqual(go)
  }

  const field = fc.constantFrom('metadata.name', 'status.phase', 'a', '')
  const anyText = textOf('abc=,!\\')
  const fields = fc.array(fc.dictionary(field, anyText, { maxKeys: 3, noNullPrototype: true }), { maxLength: 3 })
  const requirement = fc
    .tuple(field, fc.constantFrom('=', '==', '!='), anyText)
    .map(([name, operator, text]) => `${name}${operator}${escapeFieldValue(text)}`)
  const text = fc.array(requirement, { maxLength: 5 }).map((list) => list.join(','))

  it.each(fieldSelectors)('reads the field selector %j', (selector) => expectSameFields(selector, [{}, { a: 'b' }]))

  it('reads any text as a field selector as Go does', async () => {
    await fc.assert(fc.asyncProperty(mostlyValid(text, 'abc=,!\\'), fields, expectSameFields), runs(4000))
  })

  it('escapes and unescapes values as Go does', async () => {
    await fc.assert(
      fc.asyncProperty(textOf('abc=,!\\'), async (value) => {
        expect({ result: escapeFieldValue(value) }).toEqual(await oracle.ask('fields.escape', { value }))
        expect(answerOf(() => unescapeFieldValue(value))).toEqual(await oracle.ask('fields.unescape', { value }))
      }),
      runs(2000),
    )
  })
})
