import { describe, expect, it } from 'vitest'
import type { GoName, GoPackages } from '../spec/go-names.js'
import { deadCode } from './code-column.js'
import { matches, parseEntries } from './entries.js'
import { LibraryExports } from './exports.js'
import { brokenRules } from './generated.js'
import { camelCase, type Exports, mapNames } from './mapping.js'
import { writePage } from './page.js'

/** Exports of a library that has a queue and little else. */
const ours: Exports = {
  rooms: ['.', 'queue'],
  hasRoom: (room) => room === '.' || room === 'queue',
  has: (room, name) => room === 'queue' && ['Queue', 'Options', 'newThing', 'defaultQPS', 'Event'].includes(name),
  isClass: (_room, name) => name === 'Queue',
  membersOf: (_room, name) => new Set(name === 'Queue' ? ['add', 'length'] : name === 'Options' ? ['qps'] : []),
}

function packagesOf(...names: GoName[]): GoPackages {
  return new Map([['k8s.io/queue', names]])
}

const type = (name: string, ...members: string[]): GoName => ({ kind: 'type', name, members })
const func = (name: string): GoName => ({ kind: 'func', name, members: [] })

function map(text: string, ...names: GoName[]) {
  const sections = parseEntries(`== queue = queue\n${text}`, 'x.txt')
  const { packages, problems } = mapNames(packagesOf(...names), sections, ours)
  return { sections, packages, problems, names: packages.flatMap((p) => p.names) }
}

describe('names in camelCase', () => {
  it.each([
    ['QPS', 'qps'],
    ['TLSConfigFor', 'tlsConfigFor'],
    ['NewThing', 'newThing'],
    ['DNS1123Label', 'dns1123Label'],
    ['RESTClient', 'restClient'],
    ['OpenAPIV3', 'openAPIV3'],
    ['ID', 'id'],
  ])('%s is %s', (name, expected) => expect(camelCase(name)).toBe(expected))
})

describe('entries', () => {
  it('say what is here, what is not, and what is not yet', () => {
    const [section] = parseEntries(
      '# c\n== rest = rest .\n> One\n> two.\nA B.* = {x} and\n  more\nC = - no\nD = ? later\nE = ?! later',
      'f',
    )
    expect(section).toMatchObject({ path: 'k8s.io/rest', rooms: ['rest', '.'], text: 'One two.', where: 'f:2' })
    expect(section?.entries).toMatchObject([
      { patterns: ['A', 'B.*'], kind: 'here', text: '{x} and more', where: 'f:5' },
      { kind: 'none', text: 'no' },
      { kind: 'not-yet', text: 'later', namesake: false },
      { kind: 'not-yet', text: 'later', namesake: true },
    ])
  })

  it('are refused where they cannot be read', () => {
    expect(() => parseEntries('A = b', 'f')).toThrow('f:1: there is no section')
    expect(() => parseEntries('== a\nA is b', 'f')).toThrow('f:2: expected NAMES = TEXT')
    expect(() => parseEntries('== a\nA = -', 'f')).toThrow('f:2: say why')
  })

  it('match by whole names, with anything for a star', () => {
    expect(matches('A.*', 'A.Get')).toBe(true)
    expect(matches('A.*', 'AxGet')).toBe(false)
    expect(matches('New*', 'ANew')).toBe(false)
  })
})

describe('a Go name', () => {
  it('is found by rule: itself, in camelCase, as a constructor, with and without Get', () => {
    const { problems, names } = map('', type('Queue', '.Add', '.GetLength'), func('NewThing'), func('NewQueue'), {
      kind: 'const',
      name: 'DefaultQPS',
      members: [],
    })
    expect(problems).toEqual([])
    expect(names).toMatchObject([
      { name: 'Queue', by: 'rule' },
      { name: 'Queue.Add', by: 'rule' },
      { name: 'Queue.GetLength', by: 'rule', as: 'length' },
      { name: 'NewThing', by: 'rule' },
      { name: 'NewQueue', by: 'rule', as: 'new Queue' },
      { name: 'DefaultQPS', by: 'rule' },
    ])
  })

  it('is found as a twin, and members in the type that the entry names', () => {
    const { problems, names } = map('Config = {Options}', type('Config', 'QPS', '.String'), func('NewThingOrDie'), {
      ...func('NewThing'),
    })
    expect(problems).toEqual([])
    expect(names.map(({ by }) => by)).toEqual(['entry', 'rule', 'go', 'twin', 'rule'])
  })

  it('is found by an entry before the rule, by a pattern after it', () => {
    const { problems, names } = map(
      'Queue = - no\nNew* = - none',
      type('Queue', '.Add'),
      func('NewThing'),
      func('NewX'),
    )
    expect(problems).toEqual([])
    expect(names.map(({ by, entry }) => entry?.text ?? by)).toEqual(['no', 'no', 'rule', 'none'])
  })

  it('without an answer is a problem', () => {
    expect(map('', func('Other'), type('Queue', '.Pop')).problems).toEqual([
      'k8s.io/queue: Other has no entry',
      'k8s.io/queue: Queue.Pop has no entry',
    ])
    expect(mapNames(packagesOf(func('X')), [], ours).problems).toEqual([
      'k8s.io/queue: no section of docs/names says what its names are here',
    ])
  })
})

describe('an entry', () => {
  it('for what Go has not is a problem', () => {
    expect(map('Gone New* = - no', func('NewThing')).problems).toEqual([
      "x.txt:2: Gone is no name of Go's, or is found without this entry",
      "x.txt:2: New* is no name of Go's, or is found without this entry",
    ])
  })

  it('that names what is not exported is a problem', () => {
    const text = 'A = {gone}\nB = {Queue.gone}\nC = {other:Queue}\nD = `new {Queue}({ add })`, {queue:Queue.add}'
    expect(map(text, func('A'), func('B'), func('C'), func('D')).problems).toEqual([
      'x.txt:2: gone is not exported',
      'x.txt:3: Queue of queue has no gone',
      'x.txt:4: Queue is not exported',
    ])
  })

  it('that says not yet is a problem once something of that name is here, unless it knows', () => {
    expect(map('Event = ?', type('Event')).problems).toEqual(['x.txt:2: k8s.io/queue: Event is here by now, in queue'])
    expect(map('Event = ?!', type('Event')).problems).toEqual([])
    expect(map('Queue.Add = ?', type('Queue', '.Add')).problems).toEqual([
      'x.txt:2: k8s.io/queue: Queue.Add is here by now',
    ])
    expect(map('Later* = ?', type('Later', '.Add')).problems).toEqual([])
  })
})

it('the page shows what is the same, then a table', () => {
  const { sections, packages } = map(
    '> Hello, {Queue}.\nConfig = {Options}: `{Queue.add}(x)`\nOld* = - a | b\nLater = ?',
    type('Queue', '.Add', '.GetLength'),
    type('Config', 'QPS'),
    func('OldThing'),
    func('NewQueue'),
    func('Later'),
  )
  const page = writePage('# Names\n', sections, packages, ours as LibraryExports)
  expect(page).toBe(`# Names

[queue](#queue)

### queue

Here: \`kubewright/queue\`.

Hello, \`Queue\`.

The same: \`Queue\` (\`Add\`, \`GetLength\` → \`length\`), \`NewQueue\` → \`new Queue()\`.

| Go | here |
|---|---|
| \`Config\` (\`QPS\`) | \`Options\`: \`add(x)\` |
| \`OldThing\` | – a \\| b |
| \`Later\` | not yet |
`)
})

describe('the library', () => {
  const library = new LibraryExports()

  it('has entry points, their names, and members that are inherited, declared beside or passed to a constructor', () => {
    expect(library.rooms).toContain('rest')
    expect(library.rooms.some((room) => room.includes('*'))).toBe(false)
    expect(library.namesOf('.')).toContain('Clientset')
    expect(library.has('api/apps/v1', 'Deployment')).toBe(true)
    expect(library.has('rest', 'nothing')).toBe(false)
    expect(library.has('nowhere', 'Config')).toBe(false)
    expect(library.isClass('rest', 'Config')).toBe(true)
    expect(library.isClass('rest', 'copyConfig')).toBe(false)
    expect([...library.membersOf('workqueue', 'RateLimitingQueue')]).toEqual(
      expect.arrayContaining(['addRateLimited', 'addAfter', 'add']),
    )
    expect(library.membersOf('kubernetes', 'Clientset').has('appsV1')).toBe(true)
    expect(library.membersOf('meta', 'WatchEvent')).toEqual(new Set(['type', 'object']))
    expect([...library.membersOf('rest', 'Config')].filter((name) => /constructor|#/.test(name))).toEqual([])
  })

  it('lacks what a rule promises of a resource that it has not', () => {
    const facts = { group: 'apps', version: 'v1', folder: 'apps', served: true, accessor: 'AppsV1' }
    const client = { accessor: 'Deployments', methods: ['Get', 'List', 'Watch'] }
    const resource = { kind: 'Deployment', namespaced: true, client }
    const definitions = { Deployment: { properties: {} } }
    expect(brokenRules([{ ...facts, resources: { deployments: resource }, definitions }], library)).toEqual([])
    const spun = { ...resource, client: { accessor: 'Spins', methods: ['Spin'] } }
    expect(
      brokenRules([{ ...facts, resources: { x: spun }, definitions: { Spin: { properties: {} } } }], library),
    ).toEqual([
      'gen/clients/apps/v1: AppsV1Interface has no spins',
      'gen/clients/apps/v1: DeploymentInterface has no spin',
      'api/apps/v1: no type Spin',
    ])
  })

  it('has each name in the code column of a table', () => {
    const row = (code: string) => deadCode(`| \`Go()\` | \`${code}\` |`, [], library)
    expect(row("await pods.list({ labelSelector: 'app=web', signal })")).toEqual([])
    expect(row('new Clientsett(config)')).toEqual(['docs/names/beginning.md: Clientsett is none of our names'])
    expect(row('retryOnConflicts(fn)')).toEqual(['docs/names/beginning.md: retryOnConflicts is none of our names'])
  })
})
