import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import fc from 'fast-check'
import {
  ClientConfigLoadingRules,
  type ConfigOverrides,
  ConfigurationInvalidError,
  DeferredLoadingClientConfig,
  validate,
} from 'kubewright/clientcmd'
import type { Config } from 'kubewright/rest'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { runs } from './arbitraries.js'
import { type Ask, describeWithOracle } from './describe-with-oracle.js'
import type { Answer } from './oracle.js'

type Outcomes = Record<'config' | 'namespace' | 'problems', Answer>

async function outcomeOf(ours: Promise<unknown>): Promise<Answer> {
  try {
    return { result: await ours }
  } catch (err) {
    return { error: (err as Error).message }
  }
}

/** Without what is empty, as Go writes it. */
function described(config: Config): unknown {
  const { insecure, serverName, caFile, certFile, keyFile, caData, certData, keyData } = config.tlsClientConfig
  const exec = config.execProvider
  const full = {
    host: config.host,
    username: config.username,
    password: config.password,
    bearerToken: config.bearerToken,
    bearerTokenFile: config.bearerTokenFile,
    impersonate: config.impersonate && compact({ ...config.impersonate }),
    exec: exec && {
      ...compact({
        args: exec.args,
        env: exec.env,
        installHint: exec.installHint,
        interactiveMode: exec.interactiveMode,
      }),
      command: exec.command,
      apiVersion: exec.apiVersion,
      provideClusterInfo: exec.provideClusterInfo,
    },
    proxy: config.proxyUrl && new URL(config.proxyUrl).href,
    milliseconds: config.timeout,
    disableCompression: config.disableCompression,
  }
  const tls = compact({ insecure, serverName, caFile, certFile, keyFile, caData, certData, keyData })
  return { ...compact(full), tls }
}

function compact(fields: Record<string, unknown>): Record<string, unknown> {
  const isEmpty = (value: unknown): boolean => !value || (typeof value === 'object' && Object.keys(value).length === 0)
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => !isEmpty(value)))
}

async function problemsOf(rules: ClientConfigLoadingRules): Promise<string[]> {
  const config = await rules.load()
  try {
    await validate(config)
    return []
  } catch (err) {
    if (!(err instanceof ConfigurationInvalidError)) throw err
    return err.errors.map((problem) => problem.message).sort()
  }
}

/** What is told in words of our own: files that cannot be read or decoded, and a context as Go's memory holds it. */
function comparable(answer: Answer): Answer {
  if ('result' in answer && Array.isArray(answer.result)) {
    const nameless = /^empty context name for .* is not allowed$/s
    return { result: answer.result.map((problem: string) => (nameless.test(problem) ? 'nameless' : problem)) }
  }
  const own = /^\[?error loading |^(stat|open) |tokenFile|decoding|^couldn't|illegal base64/
  return 'error' in answer && own.test(answer.error) ? { error: 'unreadable' } : answer
}

interface Question {
  explicitPath?: string
  precedence?: readonly string[]
  overrides?: ConfigOverrides
}

async function answersTo(
  oracle: Ask,
  { explicitPath = '', precedence = [], overrides = {} }: Question,
): Promise<Record<'go' | 'ours', Outcomes>> {
  const answer = await oracle.ask<Outcomes>('clientcmd.resolve', { explicitPath, precedence, overrides })
  if ('error' in answer) throw new Error(answer.error)
  const go = answer.result
  const rules = new ClientConfigLoadingRules({ explicitPath, precedence })
  const deferred = new DeferredLoadingClientConfig(rules, { overrides, env: {} })
  const ours: Outcomes = {
    config: comparable(await outcomeOf(deferred.clientConfig().then(described))),
    namespace: comparable(await outcomeOf(deferred.namespace())),
    problems: comparable(await outcomeOf(problemsOf(rules))),
  }
  if ('result' in go.config) {
    const config = go.config.result as { proxy?: string }
    if (config.proxy) config.proxy = new URL(config.proxy).href
  }
  return {
    ours,
    go: {
      config: comparable(go.config),
      namespace: comparable(go.namespace),
      problems: comparable(go.problems),
    },
  }
}

async function expectSame(oracle: Ask, question: Question): Promise<void> {
  const { ours, go } = await answersTo(oracle, question)
  expect(ours).toEqual(go)
}

const name = fc.constantFrom('red', 'blue')
const file = fc.constantFrom('', 'pem', 'sub/pem', 'missing', './pem')
const data = fc.constantFrom('', Buffer.from('PEM').toString('base64'))
const server = fc.constantFrom(
  ...[
    '',
    'https://example.com',
    'https://example.com:6443/prefix',
    'https://example.com/p?x=1#y',
    'http://example.com',
  ],
  ...['example.com', 'example.com:6443', 'https://10.0.0.1'],
)
const partly = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<Partial<T>> =>
  fc.record(model, { requiredKeys: [], noNullPrototype: true }) as fc.Arbitrary<Partial<T>>

const cluster = partly({
  server,
  'tls-server-name': fc.constantFrom('', 'other.example.com'),
  'insecure-skip-tls-verify': fc.boolean(),
  'certificate-authority': file,
  'certificate-authority-data': data,
  'proxy-url': fc.constantFrom('', 'http://proxy:3128', 'socks5://p:1080', 'ftp://p', 'https://u:p@proxy'),
  'disable-compression': fc.boolean(),
})
const exec = partly({
  command: fc.constantFrom('', 'get-token', './bin/get-token', 'bin/get-token', '/bin/get-token'),
  args: fc.array(fc.constantFrom('a', ''), { maxLength: 2 }),
  env: fc.array(partly({ name: fc.constantFrom('', 'A'), value: fc.constantFrom('', 'b') }), { maxLength: 2 }),
  apiVersion: fc.constantFrom('', 'client.authentication.k8s.io/v1', 'client.authentication.k8s.io/v1beta1'),
  installHint: fc.constantFrom('', 'install \u001b[31mit\n'),
  provideClusterInfo: fc.boolean(),
  interactiveMode: fc.constantFrom('', 'Never', 'IfAvailable', 'Always', 'Sometimes'),
})
const secret = fc.constantFrom('', 'x')
const user = partly({
  'client-certificate': file,
  'client-certificate-data': data,
  'client-key': file,
  'client-key-data': data,
  token: secret,
  tokenFile: file,
  as: fc.constantFrom('', 'jane'),
  'as-uid': secret,
  'as-groups': fc.array(secret, { maxLength: 2 }),
  'as-user-extra': fc.dictionary(name, fc.array(secret, { maxLength: 2 }), { maxKeys: 2, noNullPrototype: true }),
  username: secret,
  password: secret,
})
const anyUser = fc.oneof(
  { weight: 4, arbitrary: user },
  { weight: 1, arbitrary: fc.tuple(user, exec).map(([rest, exec]) => ({ ...rest, exec })) },
)
const context = partly({
  cluster: fc.oneof(name, fc.constantFrom('', 'nobody')),
  user: fc.oneof(name, fc.constantFrom('', 'nobody')),
  namespace: fc.constantFrom('', 'default', 'kube-system', 'Bad_Name'),
})
const named = <T>(field: string, stanza: fc.Arbitrary<T>): fc.Arbitrary<object[]> =>
  fc
    .uniqueArray(fc.tuple(name, stanza), { selector: ([name]) => name, maxLength: 2 })
    .map((list) => list.map(([name, stanza]) => ({ name, [field]: stanza })))
const kubeconfig = partly({
  apiVersion: fc.constant('v1'),
  kind: fc.constant('Config'),
  clusters: named('cluster', cluster),
  users: named('user', anyUser),
  contexts: named('context', context),
  'current-context': fc.oneof(name, fc.constantFrom('', 'nobody')),
})
/** One that has all its parts. */
const complete = fc.tuple(cluster, anyUser, fc.constantFrom('', 'kube-system')).map(([cluster, user, namespace]) => ({
  clusters: [{ name: 'red', cluster: { server: 'https://example.com', ...cluster } }],
  users: [{ name: 'red', user }],
  contexts: [{ name: 'red', context: { cluster: 'red', user: 'red', namespace } }],
  'current-context': 'red',
}))
const anyKubeconfig = fc.oneof(complete, kubeconfig)

const overrides = partly({
  currentContext: fc.oneof(name, fc.constantFrom('', 'nobody')),
  context,
  clusterInfo: cluster,
  clusterDefaults: cluster,
  authInfo: user,
  timeout: fc.constantFrom('', '0', '30', '1m30s', '250ms'),
}) as fc.Arbitrary<ConfigOverrides>

/** Whether an override names a user that is not there, and would change it: then ours tell more than Go. */
function overridesMissingUser(config: object, overrides: ConfigOverrides | undefined): boolean {
  const { users = [] } = config as { users?: { name: string }[] }
  const name = overrides?.context?.user
  return Boolean(name && !users.some((user) => user.name === name) && Object.keys(overrides?.authInfo ?? {}).length > 0)
}

describeWithOracle('clientcmd', (oracle) => {
  let directory = ''
  const path = (i: number): string => join(directory, `d${i}`, 'config')
  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), 'oracle-clientcmd-'))
    for (const i of [0, 1, 2]) {
      await mkdir(join(directory, `d${i}`, 'sub'), { recursive: true })
      await writeFile(join(directory, `d${i}`, 'sub', 'pem'), `PEM of ${i}`)
    }
    // Which file an entry comes from is seen by which of its paths exist.
    await writeFile(join(directory, 'd0', 'pem'), 'PEM of 0')
  })
  afterAll(() => rm(directory, { recursive: true, force: true }))

  const write = (i: number, content: unknown): Promise<void> =>
    writeFile(path(i), typeof content === 'string' ? content : JSON.stringify(content))

  it('resolves any kubeconfig and overrides as Go does', async () => {
    const anyOverrides = fc.option(overrides, { nil: undefined, freq: 2 })
    await fc.assert(
      fc.asyncProperty(anyKubeconfig, anyOverrides, async (config, overrides) => {
        fc.pre(!overridesMissingUser(config, overrides))
        await write(0, config)
        await expectSame(oracle, { explicitPath: path(0), ...(overrides && { overrides }) })
      }),
      runs(1000),
    )
  })

  it('merges any kubeconfigs as Go does', async () => {
    const list = fc.array(anyKubeconfig, { minLength: 2, maxLength: 3 })
    await fc.assert(
      fc.asyncProperty(list, async (configs) => {
        for (const [i, config] of configs.entries()) await write(i, config)
        const precedence = [...configs.map((_, i) => path(i)), '', join(directory, 'missing')]
        await expectSame(oracle, { precedence })
      }),
      runs(500),
    )
  })

  it('tells more than Go of an override of a user that is not there, as documented', async () => {
    await write(0, {})
    const overrides = { context: { user: 'red' }, authInfo: { 'as-groups': ['a'] } }
    const { ours, go } = await answersTo(oracle, { explicitPath: path(0), overrides })
    expect({ ...ours, namespace: go.namespace }).toEqual(go)
    expect(go.namespace).toHaveProperty('error', expect.stringContaining('no configuration has been provided'))
    expect(ours.namespace).toEqual({
      error:
        'invalid configuration: [requesting uid, groups or user-extra for red without impersonating a user, ' +
        'cluster has no server defined]',
    })
  })

  const texts: [what: string, text: string][] = [
    ['nothing', ''],
    ['null', 'null'],
    ['an empty map', '{}'],
    ['a list', '[]'],
    ['a text', 'hello'],
    ['another kind', 'kind: Pod\napiVersion: v1'],
    ['another version', 'kind: Config\napiVersion: v2'],
    ['null lists', 'clusters:\nusers:\ncontexts:\ncurrent-context:'],
    ['a number as a context', 'current-context: 1'],
    ['a name twice', 'clusters: [{name: a, cluster: {server: x}}, {name: a, cluster: {server: y}}]'],
    ['bad base64', 'users: [{name: a, user: {client-key-data: "!!"}}]'],
    ['bad YAML', 'clusters: ['],
    ['tabs', 'clusters:\n\t- name: a'],
    ['unknown fields', 'foo: bar\ncurrent-context: ""'],
    ['an extension', 'extensions: [{name: a, extension: {b: c}}]'],
    ['preferences', 'preferences: {colors: true}'],
    ['a context without a name', 'contexts: [{context: {user: a, cluster: b}}]'],
    ['two documents', 'current-context: a\n---\ncurrent-context: b'],
  ]

  it.each(texts)('resolves a file that holds %s', async (_, text) => {
    await write(0, text)
    await expectSame(oracle, { explicitPath: path(0) })
  })

  it('takes files that are missing, or are directories, as Go does', async () => {
    await expectSame(oracle, {})
    await expectSame(oracle, { explicitPath: join(directory, 'missing') })
    await expectSame(oracle, { precedence: [join(directory, 'missing')] })
    await expectSame(oracle, { explicitPath: directory })
  })
})
