import { describe, expect, it } from 'vitest'
import { failure } from './testdata/files.mjs'
import { parseYaml } from './yaml.js'

const valueOf = async (scalar: string) => ((await parseYaml(`value: ${scalar}\n`)) as { value: unknown }).value

describe('plain scalars, as client-go resolves them', () => {
  it.each<readonly [string, unknown]>([
    ...['y', 'Y', 'yes', 'Yes', 'YES', 'on', 'On', 'ON', 'true', 'True', 'TRUE'].map((word) => [word, true] as const),
    ...['n', 'N', 'no', 'No', 'NO', 'off', 'Off', 'OFF', 'false', 'False', 'FALSE'].map(
      (word) => [word, false] as const,
    ),
    ...['', '~', 'null', 'Null', 'NULL'].map((word) => [word, null] as const),
    ['0', 0],
    ['+7', 7],
    ['-7', -7],
    ['1_000', 1000],
    ['017', 15],
    ['089', 89],
    ['0x1f', 31],
    ['-0x1f', -31],
    ['0o17', 15],
    ['0b101', 5],
    ['1.5', 1.5],
    ['.5', 0.5],
    ['-.5', -0.5],
    ['1e3', 1000],
    ['433e40', 433e40],
    ['18446744073709551616', 18446744073709551616],
    ['.inf', Infinity],
    ['-.Inf', -Infinity],
    ['.NaN', Number.NaN],
  ])('%s is %s', async (scalar, value) => {
    expect(await valueOf(scalar)).toBe(value)
  })

  it.each([
    'yEs',
    'tRue',
    'nUll',
    '.iNf',
    'Infinity',
    '0xg',
    '0x',
    '0b12',
    '0x10000000000000000',
    '-0xffffffffffffffff',
    '1e999',
    '1.2.3',
    '12:30:45',
    '2020-01-01',
    '1e',
    '+.',
    '_1',
    '._5',
    'abc',
  ])('%s is a string', async (scalar) => {
    expect(await valueOf(scalar)).toBe(scalar)
  })

  it('leaves what is quoted or tagged alone', async () => {
    expect(await valueOf('"5"')).toBe('5')
    expect(await valueOf("'yes'")).toBe('yes')
    expect(await valueOf('!!str 5')).toBe('5')
    expect(await valueOf('>-\n  on')).toBe('on')
  })
})

describe('documents', () => {
  it.each(['', '\n# nothing\n', 'null', '---\n'])('%j holds nothing', async (text) => {
    expect(await parseYaml(text)).toBeNull()
  })

  it('reads the first document only, the last of equal keys, anchors and merge keys', async () => {
    expect(await parseYaml('a: 1\n---\na: 2\n')).toEqual({ a: 1 })
    expect(await parseYaml('a: 1\na: 2\n')).toEqual({ a: 2 })
    expect(await parseYaml('x: &x {a: q, b: q}\nz: {<<: *x, b: r}\n')).toEqual({
      x: { a: 'q', b: 'q' },
      z: { a: 'q', b: 'r' },
    })
  })

  it('reads JSON, with tabs and a byte order mark', async () => {
    expect(await parseYaml('\uFEFF{"a":\n\t[{"b": "c"}]\n}')).toEqual({ a: [{ b: 'c' }] })
  })

  it.each([
    ['an alias of itself', 'a: &a [*a]'],
    ['an alias in what it names', 'a: &a {b: {c: [1, *a]}}'],
    [
      'aliases of aliases of aliases',
      Array.from({ length: 12 }, (_, i) => `a${i}: &a${i} [${Array(9).fill(i === 0 ? 'x' : `*a${i - 1}`)}]`).join('\n'),
    ],
  ])('refuses %s', async (_, text) => {
    const err = await failure(parseYaml(text, 'config'))
    expect(err).toMatchObject({ name: 'KubeconfigError', file: 'config' })
    expect(err.message).toContain('its aliases (*name) stand for too much, or for themselves')
  })

  it('does not take a key for a prototype', async () => {
    const value = (await parseYaml('__proto__: {polluted: yes}\n')) as object
    expect(Object.keys(value)).toEqual(['__proto__'])
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined()
  })
})

describe('errors of syntax', () => {
  it('name the file, the line and the column', async () => {
    const err = await failure(parseYaml('a: 1\nb: [1, 2\nc: 3\n', '/home/me/config'))
    expect(err).toMatchObject({ name: 'KubeconfigError', file: '/home/me/config', line: 3 })
    expect(err.message).toMatch(
      /^error loading config file "\/home\/me\/config": it is not valid YAML at line 3, column \d+: /,
    )
  })

  it.each([
    'a: "s3cr3t',
    'a: *s3cr3t',
    'a: !s3cr3t x',
    'a: !s3cr3t! x',
    'a: s3cr3t: s3cr3t',
    '\ta: s3cr3t',
    's3cr3t: {',
    '%s3cr3t',
    'a: @s3cr3t',
  ])('of %j do not quote the text', async (text) => {
    const err = await failure(parseYaml(text))
    expect(err.name).toBe('KubeconfigError')
    expect(JSON.stringify([err.message, err, err.cause ?? null, err.stack])).not.toContain('s3cr3t')
  })
})
