import { describe, expect, it } from 'vitest'
import { type JSONPathOptions, jsonPath } from './index.js'

const pods = {
  kind: 'List',
  items: [
    {
      metadata: { name: 'web', labels: { 'app.kubernetes.io/name': 'web' } },
      spec: { containers: [{ name: 'nginx' }, { name: 'log' }], replicas: 3 },
      status: { conditions: [{ type: 'Ready', status: 'True' }] },
    },
    {
      metadata: { name: 'db' },
      spec: { containers: [{ name: 'postgres' }], replicas: 12 },
      status: { conditions: [{ type: 'Ready', status: 'False' }] },
    },
  ],
}

const execute = (template: string, data: unknown = pods, options?: JSONPathOptions): string =>
  jsonPath(template, options).execute(data)

describe('a template', () => {
  it.each([
    ['plain text', 'plain text'],
    ['kind: {.kind}!', 'kind: List!'],
    ['{.items[*].metadata.name}', 'web db'],
    ["{['items'][0]['metadata.name']}", 'web'],
    ['{.items[0].metadata.labels.app\\.kubernetes\\.io/name}', 'web'],
    ['{.items[-1].metadata.name}', 'db'],
    ['{.items[0].spec.containers[0:1]}', '{"name":"nginx"}'],
    ['{.items[*].spec.containers[::2].name}', 'nginx postgres'],
    ["{.items[*]['metadata.name', 'spec.replicas']}", 'web db 3 12'],
    ['{.items[?(@.spec.replicas>3)].metadata.name}', 'db'],
    ['{.items[?(@.metadata.labels)].metadata.name}', 'web'],
    ['{.items[?(@.metadata.name=="web")].spec.containers[*].name}', 'nginx log'],
    ['{..replicas}', '3 12'],
    [
      '{range .items[*]}{.metadata.name}: {range .spec.containers[*]}{.name},{end}{"\\n"}{end}done',
      'web: nginx,log,\ndb: postgres,\ndone',
    ],
  ])('%s', (template, expected) => {
    expect(execute(template)).toBe(expected)
  })

  it.each([
    ['{.hello', 'unclosed action'],
    ['{*}', "unrecognized character in action: U+002A '*'"],
    ['{+12.3.0}', 'cannot parse number +12.3.0'],
    ['{[1}', 'unterminated array'],
    ['{[x]}', 'invalid array index x'],
    ['{[?(.price]}', 'unterminated filter'],
    ['{[?(.price)', 'unclosed array expect ]'],
    ['{........}', 'invalid multiple recursive descent'],
    ['{"a', 'unterminated quoted string'],
    ['{"\\q"}', 'unquote string "\\q" error invalid syntax'],
  ])('cannot be read: %s', (template, error) => {
    expect(() => jsonPath(template)).toThrow(new Error(error))
  })

  it.each([
    ['{.nothing}', 'nothing is not found'],
    ['{.items[2]}', 'array index out of bounds: index 2, length 2'],
    ['{.items[1:0]}', 'starting index 1 is greater than ending index 0'],
    ['{.items[::0]}', 'step must be > 0'],
    ['{.kind[0]}', 'string is not array or slice'],
    ['{.kind[?(@.a)]}', 'string is not array or slice and cannot be filtered'],
    ['{hello}', 'unrecognized identifier hello'],
    ['{end}', 'not in range, nothing to end'],
    ['{.items[?(@.spec.replicas<>3)]}', 'unrecognized filter operator <>'],
    ['{.items[?(@.spec.replicas=="3")]}', 'incompatible types for comparison'],
    ['{.items[?(@.spec==3)]}', 'invalid type for comparison'],
    ['{.items[?(@.spec.containers[*].name=="x")]}', 'can only compare one element at a time'],
  ])('fails on the data: %s', (template, error) => {
    expect(() => execute(template)).toThrow(new Error(error))
  })

  it('is a text', () => {
    expect(() => jsonPath(undefined as never)).toThrow('a JSONPath template is a text, not undefined')
  })

  it('may be applied again, ranges too, and keeps its text', () => {
    const path = jsonPath('{range .items[*]}{.metadata.name} {end}')
    expect([path.execute(pods), path.execute(pods)]).toEqual(['web db ', 'web db '])
    expect(() => path.execute({})).toThrow('items is not found')
    expect(path.execute(pods)).toBe('web db ')
    expect(path.template).toBe('{range .items[*]}{.metadata.name} {end}')
  })
})

describe('allowMissingKeys', () => {
  it('passes over what is not there', () => {
    const options = { allowMissingKeys: true }
    expect(execute('before-{.nothing}after', pods, options)).toBe('before-after')
    expect(execute('{.items[*].metadata.labels.x.y}', pods, options)).toBe('')
    expect(execute('{range .nothing[*]}{.a}{range .b[*]}{.c}{end}{"+"}{end}!', pods, options)).toBe('!')
  })
})

describe('findResults', () => {
  it("gives each action's values, the data's own", () => {
    const results = jsonPath('{.items[*].metadata.name} and {.items[1].spec}').findResults(pods)
    expect(results).toEqual([['web', 'db'], [' and '], [pods.items[1]?.spec]])
    expect(results[2]?.[0]).toBe(pods.items[1]?.spec)
  })

  it('finds whole numbers of any size', () => {
    const data = { big: 9007199254740993n, items: [{ n: 9007199254740993n }, { n: 1 }] }
    expect(jsonPath('{.big}').findResults(data)).toEqual([[9007199254740993n]])
    expect(execute('{.items[?(@.n==9007199254740993)].n}{.items[?(@.n<2)]}', data)).toBe('9007199254740993{"n":1}')
  })

  it('does not see what is inherited', () => {
    const data = JSON.parse('{"__proto__": {"a": 1}}') as unknown
    expect(jsonPath('{.__proto__.a}').findResults(data)).toEqual([[1]])
    for (const name of ['constructor', '__proto__', 'toString']) {
      expect(() => execute(`{.${name}}`, {})).toThrow(`${name} is not found`)
    }
  })

  it('takes undefined for absent', () => {
    expect(() => execute('{.a}', { a: undefined })).toThrow('a is not found')
    expect(execute('{@}', { a: undefined, b: [undefined] })).toBe('{"b":[null]}')
  })
})

describe('printing', () => {
  const printed: readonly (readonly [unknown, string])[] = [
    ['text', 'text'],
    [true, 'true'],
    [null, 'null'],
    [12, '12'],
    [-0, '0'],
    [2 ** 53, '9007199254740992'],
    [1e21, '1e+21'],
    [1.5, '1.5'],
    [0.00001, '1e-05'],
    [1234567.5, '1.2345675e+06'],
    [12345678901234567890n, '12345678901234567890'],
    [{ b: [1.5, 1e-7, 1e21], a: null }, '{"a":null,"b":[1.5,1e-7,1e+21]}'],
    [{ '\u{1f642}': 1, '\uffee': 2, a: 3 }, '{"a":3,"\uffee":2,"\u{1f642}":1}'],
    [['<a>&\u2028"\\'], '["\\u003ca\\u003e\\u0026\\u2028\\"\\\\"]'],
    [[], '[]'],
    [{}, '{}'],
  ]
  it.each(printed.map(([value, expected]) => ({ value, expected })))('prints $expected', ({ value, expected }) => {
    expect(execute('{.value}', { value })).toBe(expected)
  })

  it('prints JSON, an array for each action', () => {
    const data = { a: [{ b: 1, c: [] }, {}] }
    expect(execute('{.a[*]}{.a[0].b}{.x}', data, { jsonOutput: true, allowMissingKeys: true })).toBe(
      '[\n    {\n        "b": 1,\n        "c": []\n    },\n    {}\n]\n[\n    1\n]\n[]\n',
    )
  })

  it.each([[new Date(0)], [Number.NaN], [() => 1], [new Map()], [[Number.POSITIVE_INFINITY]], [{ a: Symbol('a') }]])(
    'refuses what JSON does not have: %s',
    (value) => {
      expect(() => execute('{.value}', { value })).toThrow(/^cannot print a value that JSON does not have \(/)
    },
  )
})

describe('hostile input', () => {
  const circle: Record<string, unknown> = { a: [] }
  ;(circle['a'] as unknown[]).push(circle, circle)
  let deep: unknown = 'bottom'
  for (let i = 0; i < 30_000; i++) deep = i % 2 ? [deep] : { a: deep }

  it.each(['[', '{', '(', '[?(', '[?(@.a', '{range .a}', "['", '"', '[,', '..', '[?(.a"'])(
    'of 10,000 times %s',
    (part) => {
      const template = `{${part.repeat(10_000)}`
      try {
        expect(typeof execute(template)).toBe('string')
      } catch (err) {
        expect((err as Error).constructor).toBe(Error)
      }
    },
  )

  it('of filters within filters', () => {
    let condition = '@.x'
    for (let i = 0; i < 500; i++) condition = `.a${i % 2 ? '"' : "\\'"}[?(${condition})].b${i % 2 ? '"' : "\\'"}`
    expect(() => jsonPath(`{[?(${condition})]}`)).toThrow(Error)
  })

  it('of ranges that do not end', () => {
    const template = '{range .items[*]}'.repeat(2000)
    expect(() => execute(template, { items: [] }, { allowMissingKeys: true })).toThrow(
      'ranges nested deeper than 1000 levels',
    )
  })

  it('of indices beyond measure', () => {
    expect(() => execute('{[0:9223372036854775807]}', [1])).toThrow(
      'array index out of bounds: index 9223372036854775806, length 1',
    )
    expect(() => jsonPath(`{[${'9'.repeat(100_000)}]}`)).toThrow('is not a number')
    expect(execute('{[::9223372036854775807]}', [1, 2])).toBe('1')
  })

  it('of data that contains itself', () => {
    for (const template of ['{..}', '{@}', '{..a}']) expect(() => execute(template, circle)).toThrow('contains itself')
    expect(jsonPath('{.a[0].a[1].a[0]}').findResults(circle)[0]?.[0]).toBe(circle)
  })

  it('of deep data', () => {
    expect(jsonPath('{..}').findResults(deep)[0]?.length).toBe(30_001)
    expect(execute('{@}', deep).length).toBe(15_000 * 8 + '"bottom"'.length)
  })
})
