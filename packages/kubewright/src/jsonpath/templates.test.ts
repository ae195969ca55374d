// Templates and what they find: client-go's tables. Where client-go has structs, whose fields have an order, there are maps
// here, which are walked in the order of their keys.

import { describe, expect, it } from 'vitest'
import { jsonPath } from './index.js'

const find = (template: string, data: unknown, allowMissingKeys = false): string =>
  jsonPath(template, { allowMissingKeys }).execute(data)

describe('of lists of every kind', () => {
  const lists = {
    bools: [true, false, true, false],
    integers: [1, 2, 3, 4],
    floats: [1.0, 2.2, 3.3, 4.0],
    strings: ['one', 'two', 'three', 'four'],
    mixed: [true, 'one', 1, 1.1],
    maps: [
      { name: 'one', value: 1 },
      { name: 'two', value: 2.02 },
      { name: 'three', value: 3.03 },
      { name: 'four', value: 4.04 },
    ],
  }

  it.each([
    ['{ .bools }', '[true,false,true,false]'],
    ['{ .bools[0] }', 'true'],
    ['{ .bools[-1] }', 'false'],
    ['{ .bools[0:2] }', 'true false'],
    ['{ .bools[:2] }', 'true false'],
    ['{ .bools[:4:2] }', 'true true'],
    ['{ .integers }', '[1,2,3,4]'],
    ['{ .integers[0] }', '1'],
    ['{ .integers[-2] }', '3'],
    ['{ .integers[0:2] }', '1 2'],
    ['{ .integers[:2] }', '1 2'],
    ['{ .integers[:4:2] }', '1 3'],
    ['{ .floats }', '[1,2.2,3.3,4]'],
    ['{ .floats[0] }', '1'],
    ['{ .floats[-2] }', '3.3'],
    ['{ .floats[0:2] }', '1 2.2'],
    ['{ .floats[:2] }', '1 2.2'],
    ['{ .floats[:4:2] }', '1 3.3'],
    ['{ .strings }', '["one","two","three","four"]'],
    ['{ .strings[0] }', 'one'],
    ['{ .strings[-2] }', 'three'],
    ['{ .strings[0:2] }', 'one two'],
    ['{ .strings[:2] }', 'one two'],
    ['{ .strings[:4:2] }', 'one three'],
    ['{ .mixed }', '[true,"one",1,1.1]'],
    ['{ .mixed[0] }', 'true'],
    ['{ .mixed[-2] }', '1'],
    ['{ .mixed[0:2] }', 'true one'],
    ['{ .mixed[:4:2] }', 'true 1'],
    [
      '{ .maps }',
      '[{"name":"one","value":1},{"name":"two","value":2.02},{"name":"three","value":3.03},{"name":"four","value":4.04}]',
    ],
    ['{ .maps[0] }', '{"name":"one","value":1}'],
    ['{ .maps[-2] }', '{"name":"three","value":3.03}'],
    ['{ .maps[0:2] }', '{"name":"one","value":1} {"name":"two","value":2.02}'],
    ['{ .maps[::2] }', '{"name":"one","value":1} {"name":"three","value":3.03}'],
    ['{ .maps[1::2] }', '{"name":"two","value":2.02} {"name":"four","value":4.04}'],
  ])('%s finds %s', (template, want) => {
    expect(find(template, lists)).toBe(want)
  })
})

describe('of a store', () => {
  const store = {
    Name: 'jsonpath',
    Book: [
      { Category: 'reference', Author: 'Nigel Rees', Title: 'Sayings of the Centurey', Price: 8.95 },
      { Category: 'fiction', Author: 'Evelyn Waugh', Title: 'Sword of Honour', Price: 12.99 },
      { Category: 'fiction', Author: 'Herman Melville', Title: 'Moby Dick', Price: 8.99 },
    ],
    Bicycle: [
      { Color: 'red', Price: 19.95, IsNew: true },
      { Color: 'green', Price: 20.01, IsNew: false },
    ],
    Labels: { engieer: 10, 'web/html': 15, 'k8s-app': 20 },
    Employees: { jason: 'manager', dan: 'clerk' },
  }
  const mobyDick = '{"Author":"Herman Melville","Category":"fiction","Price":8.99,"Title":"Moby Dick"}'
  const red = '{"Color":"red","IsNew":true,"Price":19.95}'
  const green = '{"Color":"green","IsNew":false,"Price":20.01}'

  it.each<[string, unknown, string]>([
    ['hello jsonpath', null, 'hello jsonpath'],
    ['{..}', [1, 2, 3], '[1,2,3]'],
    ['{[?(@<5)]}', [2, 6, 3, 7], '2 3'],
    ['{"{"}', null, '{'],
    ['{[1,3,4]}', [0, 1, 2, 3, 4], '1 3 4'],
    ['{[0:2]}', ['Monday', 'Tudesday'], 'Monday Tudesday'],
    ['hello {.Name}', store, 'hello jsonpath'],
    ['{$.Labels.web/html}', store, '15'],
    ['{$.Employees.jason}', store, 'manager'],
    ['{$.Employees.dan}', store, 'clerk'],
    ['{.Labels.k8s-app}', store, '20'],
    ['{.Bicycle[*].Color}', store, 'red green'],
    ['{.Book[*].Author}', store, 'Nigel Rees Evelyn Waugh Herman Melville'],
    ['{range .Bicycle[*]}{ "{" }{ @.* }{ "} " }{end}', store, '{red true 19.95} {green false 20.01} '],
    ['{..Price}', store, '19.95 20.01 8.95 12.99 8.99'],
    ['{...Price}', store, '19.95 20.01 8.95 12.99 8.99'],
    ['{.Bicycle}', store, `[${red},${green}]`],
    ['{range .Bicycle[*]}{ @ }{ " " }{end}', store, `${red} ${green} `],
    ['{.Book[-1:]}', store, mobyDick],
    ['{..Book[2]}', store, mobyDick],
    ['{.Bicycle[?(@.IsNew==true)]}', store, red],
  ])('%s finds what it names', (template, data, want) => {
    expect(find(template, data)).toBe(want)
  })

  it.each([
    [`{${'.'.repeat(60)}Price}`, 'invalid multiple recursive descent'],
    ['{hello}', 'unrecognized identifier hello'],
    ['{.hello}', 'hello is not found'],
    ['{.Labels[0]}', 'is not array or slice'],
    ['{.Book[?(@.Price<>10)]}', 'unrecognized filter operator <>'],
    ['{range .Labels.*}{@}{end}{end}', 'not in range, nothing to end'],
  ])('%s fails: %s', (template, message) => {
    expect(() => find(template, store)).toThrow(message)
  })

  it.each([
    ['{.hello}', ''],
    ['before-{.hello}after', 'before-after'],
  ])('%s finds nothing where keys may be missing', (template, want) => {
    expect(find(template, store, true)).toBe(want)
  })
})

it.each([
  ['{[?(@.z)].id}', 'i2 i5'],
  ["{[0]['id']}", 'i1'],
  ["{[-1]['x']}", 'null'],
])('of points, %s finds %s', (template, want) => {
  const points = [
    { id: 'i1', x: 4, y: -5 },
    { id: 'i2', x: -2, y: -5, z: 1 },
    { id: 'i3', x: 8, y: 3 },
    { id: 'i4', x: -6, y: -1 },
    { id: 'i5', x: 0, y: 2, z: 1 },
    { id: 'i6', x: 1, y: 4 },
    { id: 'i7', x: null, y: 4 },
  ]
  expect(find(template, points)).toBe(want)
})

describe('of nodes', () => {
  const nodes = {
    kind: 'List',
    items: [
      {
        kind: 'None',
        metadata: { name: '127.0.0.1', labels: { 'kubernetes.io/hostname': '127.0.0.1' } },
        status: { capacity: { cpu: '4' }, ready: true, addresses: [{ type: 'LegacyHostIP', address: '127.0.0.1' }] },
      },
      {
        kind: 'None',
        metadata: { name: '127.0.0.2', labels: { 'kubernetes.io/hostname': '127.0.0.2' } },
        status: {
          capacity: { cpu: '8' },
          ready: false,
          addresses: [
            { type: 'LegacyHostIP', address: '127.0.0.2' },
            { type: 'another', address: '127.0.0.3' },
          ],
        },
      },
    ],
    users: [
      { name: 'myself', user: {} },
      { name: 'e2e', user: { username: 'admin', password: 'secret' } },
    ],
  }

  it.each([
    ['{range .items[*]}{.metadata.name}, {end}{.kind}', '127.0.0.1, 127.0.0.2, List'],
    ['{range .items[*]}{.metadata.name}{"\\t"}{end}', '127.0.0.1\t127.0.0.2\t'],
    ['{.items[*].status.addresses[*].address}', '127.0.0.1 127.0.0.2 127.0.0.3'],
    ['{range .items[*]}{range .status.addresses[*]}{.address}, {end}{end}', '127.0.0.1, 127.0.0.2, 127.0.0.3, '],
    ['{.items[*].metadata.name}', '127.0.0.1 127.0.0.2'],
    ["{.items[*]['metadata.name', 'status.capacity']}", '127.0.0.1 127.0.0.2 {"cpu":"4"} {"cpu":"8"}'],
    [
      '{range .items[*]}[{.metadata.name}, {.status.capacity}] {end}',
      '[127.0.0.1, {"cpu":"4"}] [127.0.0.2, {"cpu":"8"}] ',
    ],
    ['{.users[?(@.name=="e2e")].user.password}', 'secret'],
    ['{.items[0].metadata.labels.kubernetes\\.io/hostname}', '127.0.0.1'],
    ['{.items[?(@.metadata.labels.kubernetes\\.io/hostname=="127.0.0.1")].kind}', 'None'],
    ['{.items[?(@..ready==true)].metadata.name}', '127.0.0.1'],
    ['{..name}', '127.0.0.1 127.0.0.2 myself e2e'],
  ])('%s finds what kubectl shows', (template, want) => {
    expect(find(template, nodes)).toBe(want)
  })
})

it.each([
  '{range .items[*]}{.metadata.name}{end}',
  '{range .items[*]}{.metadata.name}{":"}{range @.spec.containers[*]}{.name}{","}{end}{"+"}{end}',
])('of an empty list, %s finds nothing', (template) => {
  expect(find(template, { items: [] }, true)).toBe('')
})

it.each([
  [
    '{range .items[*]}{.metadata.name}{":"}{range @.spec.containers[*]}{.name}{","}{end}{"+"}{end}',
    'pod1:foo,bar,+pod2:baz,+',
  ],
  [
    '{range .items[*]}{.metadata.name}{"~"}{range @.spec.containers[*]}{.name}{":"}{range @.another[*]}{.name}{","}{end}{"+"}{end}{"#"}{end}',
    'pod1~foo:value1,value2,+bar:value1,value2,+#pod2~baz:value1,value2,+#',
  ],
  [
    '{range .items[*]}{.metadata.name}{"\\t"}{range @.spec.containers[*]}{.name}{" "}{end}{"\\t"}{range @.spec.containers[*]}{.name}{" "}{end}{"\\n"}{end}',
    'pod1\tfoo bar \tfoo bar \npod2\tbaz \tbaz \n',
  ],
])('ranges in ranges, and behind each other: %s', (template, want) => {
  const another = [{ name: 'value1' }, { name: 'value2' }]
  const pod = (name: string, ...containers: string[]) => ({
    metadata: { name },
    spec: { containers: containers.map((container) => ({ name: container, another })) },
  })
  expect(find(template, { items: [pod('pod1', 'foo', 'bar'), pod('pod2', 'baz')] })).toBe(want)
})

it('a filter passes over objects that lack what it asks for, only where keys may be missing', () => {
  const pod = (name: string, color?: string) => ({ metadata: { name, ...(color && { annotations: { color } }) } })
  const pods = { items: [pod('pod1', 'blue'), pod('pod2'), pod('pod3', 'green'), pod('pod4', 'blue')] }
  const template = '{.items[?(@.metadata.annotations.color=="blue")].metadata.name}'
  expect(find(template, pods, true)).toBe('pod1 pod4')
  expect(() => find(template, pods)).toThrow('annotations is not found')
})

it('a range goes over what a filter finds', () => {
  const pod = (name: string) => ({ metadata: { name }, status: { phase: 'Running' } })
  const pods = { items: [pod('pod1'), pod('pod2'), pod('pod3'), { resourceVersion: '' }] }
  const template = '{range .items[?(.status.phase=="Running")]}{.metadata.name}{" is Running\\n"}{end}'
  expect(find(template, pods, true)).toBe('pod1 is Running\npod2 is Running\npod3 is Running\n')
})

describe('indices and slices', () => {
  const containers = (count: number) => Array.from({ length: count }, (_, i) => ({ name: `fake${i}` }))

  it.each<[slice: string, of: number, found: string | undefined]>([
    ['0', 4, '0'],
    ['0:0', 4, ''],
    ['0:-1', 4, '0 1 2'],
    ['-1:0', 4, undefined],
    ['-1', 4, '3'],
    ['-1:', 4, '3'],
    ['-2', 4, '2'],
    ['-2:', 4, '2 3'],
    ['-3', 4, '1'],
    ['-4', 4, '0'],
    ['-4:', 4, '0 1 2 3'],
    ['-5', 4, undefined],
    ['5:5', 4, ''],
    ['-5:-5', 4, ''],
    ['3:1', 4, undefined],
    ['-1:-2', 4, undefined],
    ['0:', 6, '0 1 2 3 4 5'],
    ['0:6:', 6, '0 1 2 3 4 5'],
    ['0:6:1', 6, '0 1 2 3 4 5'],
    ['0:6:0', 6, undefined],
    ['0:6:-1', 6, undefined],
    ['1:4:2', 6, '1 3'],
    ['1:4:3', 6, '1'],
    ['1:4:4', 6, '1'],
    ['0:6:2', 6, '0 2 4'],
    ['0:6:3', 6, '0 3'],
    ['0:6:5', 6, '0 5'],
    ['0:6:6', 6, '0'],
  ])('[%s] of %d finds %s', (slice, of, found) => {
    const template = `{.spec.containers[${slice}].name}`
    const pod = { spec: { containers: containers(of) } }
    if (found === undefined) expect(() => find(template, pod)).toThrow(Error)
    else expect(find(template, pod)).toBe(found.replace(/\d/g, 'fake$&'))
  })
})

describe('what stands in quotes is text', () => {
  it.each([
    ['@.osImage == "()"', '()'],
    ['@.osImage == "(\\"\\")"', '("")'],
    ['@.osImage == "())("', '())('],
    ["@.osImage == 'Linux'", 'Linux'],
    ['@.osImage == "{[()]}"', '{[()]}'],
    ['@.osImage == "\'\'"', "''"],
    ['@.osImage == \'""\'', '""'],
    ["@.osImage == '\\\\\\''", "\\'"],
  ])('%s', (condition, osImage) => {
    const data = [{ osImage, found: 'yes' }, { osImage: 'other' }]
    expect(find(`{[?(${condition})].found}`, data)).toBe('yes')
  })

  it('and a key in brackets is a path', () => {
    const data = { jsonpath: 'a', book: { price: 'b' }, bicycle: { price: 'c' } }
    expect(find("hello {['jsonpath']}", data)).toBe('hello a')
    expect(find("{['book.price']}", data)).toBe('b')
    expect(find("{['bicycle.price', 'book.price']}", data)).toBe('c b')
    expect(() => jsonPath("{['bicycle.price', 3, 'book.price']}")).not.toThrow()
  })

  it('but a template has to be one', () => {
    expect(() => jsonPath('{\\\\\\}')).toThrow(Error)
  })
})
