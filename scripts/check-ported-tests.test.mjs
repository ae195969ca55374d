import { describe, expect, it } from 'vitest'
import { functionsOf, hasTitle, readPage } from './check-ported-tests.mjs'

describe('a page', () => {
  it('has sections, functions and titles', () => {
    const { sections, problems } = readPage(
      [
        '# Caches',
        '## client-go tools/cache/fifo_test.go',
        'Ours: `cache/fifo.test.ts`',
        '- TestOne: "first", "says \\"hello\\""; `cache/heap.test.ts` "third"',
        '- TestTwo: no. Go has "threads".',
        '- TestThree:',
        '  - a row: "fourth"',
        '  - another: no. The same.',
      ].join('\n'),
    )
    expect(problems).toEqual([])
    expect(sections).toEqual([
      {
        line: 2,
        module: 'client-go',
        file: 'tools/cache/fifo_test.go',
        functions: new Set(['TestOne', 'TestTwo', 'TestThree']),
        titles: [
          { line: 4, file: 'cache/fifo.test.ts', title: 'first' },
          { line: 4, file: 'cache/fifo.test.ts', title: 'says "hello"' },
          { line: 4, file: 'cache/heap.test.ts', title: 'third' },
          { line: 7, file: 'cache/fifo.test.ts', title: 'fourth' },
        ],
      },
    ])
  })

  it.each([
    ['- TestOne: soon', /TestOne has neither/],
    ['- TestOne:', /TestOne has neither/],
    ['- TestOne: no.', /TestOne has neither/],
    ['- TestOne: "a"\n- TestOne: "b"', /TestOne is there twice/],
    ['- TestOne: "a"\n  - a row: later', /a row has neither/],
    ['- oneTest: "a"', /no test function/],
    ['- TestOne "a"', /no entry/],
  ])('of which %j is refused', (entry, problem) => {
    const { problems } = readPage(`## client-go a/b_test.go\nOurs: \`a.test.ts\`\n${entry}`)
    expect(problems).toEqual([expect.stringMatching(problem)])
  })
})

describe('a title', () => {
  it.each([
    "it('does it', () => {})",
    'it.each([1])("does it", () => {})',
    'describe(\n  `does it`,\n  () => {})',
    "it.each([['does it', 1]])",
    "it.each([{ what: 'does it' }])",
  ])('is found in %j', (source) => {
    expect(hasTitle(source, 'does it')).toBe(true)
  })

  it.each(["it('does it not', () => {})", '// does it', "const text = 'does it'"])('is not found in %j', (source) => {
    expect(hasTitle(source, 'does it')).toBe(false)
  })

  it('is found with what has to be escaped', () => {
    expect(hasTitle("it('is Go\\'s', () => {})", "is Go's")).toBe(true)
    expect(hasTitle('it(\'says "a"\', () => {})', 'says "a"')).toBe(true)
  })
})

it("functions are Go's tests and examples", () => {
  expect(functionsOf('func TestA(t *testing.T) {\nfunc helper() {\nfunc ExampleB() {\n\tfunc TestC(')).toEqual([
    'TestA',
    'ExampleB',
  ])
})
