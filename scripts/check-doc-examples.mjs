// The `ts` blocks of doc comments compile, against the sources. What a block does not declare is imported from the library
// where it has that name, and stands below otherwise.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { bin, root } from './lib/repository.mjs'
import { run } from './lib/run.mjs'

/** What a program has that is about to do what a comment shows, by its name in the comments. */
const surroundings = {
  bytes: 'Uint8Array',
  changed: 'Deployment',
  clientset: 'Clientset',
  client: 'DynamicClient',
  clock: 'FakeClock',
  config: 'Config',
  controller: 'AbortController',
  deploy: 'Deployment',
  deployment: 'Deployment',
  deployments: "ReturnType<ReturnType<Clientset['appsV1']>['deployments']>",
  expect: 'any',
  fetchToken: '() => Promise<string>',
  groupByOwner: '(pods: readonly object[]) => Map<string, object[]>',
  informer: 'SharedIndexInformer<Pod>',
  key: 'string',
  lister: 'ReturnType<typeof newNamespacedLister<Deployment, "deployments">>',
  live: 'Deployment',
  name: 'string',
  namespace: 'string',
  old: 'Deployment',
  pod: 'Pod',
  pods: "ReturnType<ReturnType<Clientset['coreV1']>['pods']>",
  programUnderTest: '(clientset: object) => Promise<void>',
  queue: 'RateLimitingQueue<string>',
  reconcile: '(key: string) => Promise<void>',
  scale: 'Scale',
  secret: 'Secret',
  signal: 'AbortSignal',
  status: '{ conditions?: Condition[] }',
  tracer: '{ startActiveSpan<T>(name: string, run: (span: any) => T): T }',
  update: '() => Promise<void>',
  values: '{ kubeconfig?: string }',
}

/** The same names, where a comment means something else by them. */
const others = {
  'cache/read-your-writes.ts': { client: "ReturnType<ReturnType<Clientset['coreV1']>['pods']>" },
  'managedfields/already-applied.ts': { config: 'ApplyConfiguration<DeploymentInput>' },
  'managedfields/conflicts.ts': {
    config: 'ApplyConfiguration<DeploymentInput> & { spec: { replicas?: number } }',
  },
  'patch/schema-from-openapi.ts': {
    client: "ReturnType<ReturnType<Clientset['apiextensionsV1']>['customResourceDefinitions']>",
  },
  'rest/request.ts': { client: 'RESTClient' },
  'informers/dynamic-factory.ts': {
    Widget: 'Kind<{ metadata: NamespacedObjectMeta; spec: { size: number } }>',
  },
}

const source = join(root, 'packages/kubewright/src')
const rooms = readdirSync(source)
  .map((room) => `${room}/index.ts`)
  .filter((file) => existsSync(join(source, file)))
const modules = new Map()
for (const [module, file] of [
  ...rooms.map((file) => [`kubewright/${file.replace(/\/index\.ts$/, '')}`, file]),
  ['kubewright', 'index.ts'],
]) {
  const text = readFileSync(join(source, file), 'utf8').replaceAll(/\/\/.*$/gm, '')
  for (const [, names] of text.matchAll(/export (?:type )?\{([^}]*)\}/g)) {
    for (const name of names.split(',')) modules.set(name.replace(/^\s*type\s+|^.* as /, '').trim(), module)
  }
}
for (const module of ['apps/v1', 'core/v1', 'autoscaling/v1', 'meta/v1']) {
  const text = readFileSync(join(source, 'gen/api', `${module}.ts`), 'utf8')
  for (const [, name] of text.matchAll(/^export (?:interface|const|type) (\w+)/gm)) {
    if (!modules.has(name)) modules.set(name, `kubewright/api/${module}`)
  }
}
modules.set('DeploymentSchema', 'kubewright/schema/apps/v1')

const identifiers = (text) => new Set(text.match(/(?<![\w$'"/-]|(?<!\.\.)\.)[A-Za-z_$][\w$]*/g) ?? [])

/** A module around a block. */
function program(file, block) {
  const own = []
  const body = block.replaceAll(/^import .*$/gm, (line) => {
    own.push(line)
    return ''
  })
  const known = { ...surroundings, ...others[file] }
  const used = identifiers(body)
  const declared = Object.entries(known).filter(([name]) => used.has(name))
  for (const [, type] of declared) for (const name of identifiers(type)) used.add(name)
  const imported = [...used].filter((name) => modules.has(name) && !(name in known) && !own.join().includes(name))
  return [
    ...own,
    ...imported.map((name) => `import { ${name} } from '${modules.get(name)}'`),
    ...declared.map(([name, type]) => `declare const ${name}: ${type}`),
    `export async function example() {\n${body}\n}\n`,
  ].join('\n')
}

mkdirSync(join(root, '.cache'), { recursive: true })
const folder = mkdtempSync(join(root, '.cache/doc-examples-'))
try {
  let count = 0
  for (const file of readdirSync(source, { recursive: true })) {
    if (!file.endsWith('.ts') || file.startsWith('gen/') || file.includes('.test')) continue
    const text = readFileSync(join(source, file), 'utf8')
    for (const [, lines] of text.matchAll(/^ *\* ```ts\n(.*?)^ *\* ```$/gms)) {
      const block = lines.replaceAll(/^ *\* ?/gm, '')
      writeFileSync(
        join(folder, `${file.replaceAll('/', '-').replace(/\.ts$/, '')}-${count++}.ts`),
        program(file, block),
      )
    }
  }
  const paths = {
    kubewright: [join(source, 'index.ts')],
    'kubewright/api/*': [join(source, 'gen/api/*.ts')],
    'kubewright/schema/*': [join(source, 'gen/schema/*.ts')],
    'kubewright/*': [join(source, '*/index.ts')],
  }
  const compilerOptions = {
    noEmit: true,
    composite: false,
    incremental: false,
    isolatedDeclarations: false,
    declaration: false,
    verbatimModuleSyntax: false,
    noUnusedLocals: false,
    noUnusedParameters: false,
    exactOptionalPropertyTypes: false,
    paths,
  }
  const config = { extends: join(root, 'tsconfig.base.json'), compilerOptions, include: ['*.ts'] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify(config))
  const { code, output } = await run(bin('tsc'), ['-p', folder], { cwd: folder })
  if (code !== 0) console.log(output)
  console.log(`${count} examples in doc comments`)
  process.exitCode = code !== 0 || count < 30 ? 1 : 0
} finally {
  rmSync(folder, { recursive: true })
}
