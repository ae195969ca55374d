// Kubeconfigs in front of kubectl: it reads what we write, writes what we would, and sees in a file what we see.

import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import fc from 'fast-check'
import {
  encodeKubeConfig,
  flattenConfig,
  getNamespace,
  type KubeConfig,
  load,
  loadFromFile,
  minifyConfig,
  modifyConfig,
  newDefaultClientConfigLoadingRules,
  newKubeConfig,
  writeToFile,
} from 'kubewright/clientcmd'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { controlPlane, describeWithControlPlane } from '../control-plane/fixture.js'
import { runs } from '../oracle/arbitraries.js'
import { run } from '../run.js'
import { clientsetFor } from './helpers.js'

/** Names that YAML would take for something else, or end too early. */
const oddNames = [
  'yes',
  '1.0',
  'null',
  '~',
  'a: b',
  '#c',
  "it's",
  '"q"',
  '- d',
  ' e ',
  'ü/日本@x',
  '{f}',
  '*g',
  '0x1F',
  'a\\nb',
]

describeWithControlPlane('kubeconfigs and kubectl', () => {
  let directory: string
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'kubewright-'))
  })
  afterEach(() => rm(directory, { recursive: true }))

  /** kubectl with nothing but these files; its output, or its failure in `error`. */
  async function kubectl(files: readonly string[], ...args: string[]): Promise<{ output: string; error?: string }> {
    const env = { ...process.env, KUBECONFIG: files.join(delimiter), KUBERC: 'off', HOME: directory }
    const { code, stdout, stderr } = await run(controlPlane().info.binary, ['kubectl', ...args], {
      env,
      cwd: directory,
    })
    return code === 0 ? { output: stdout } : { output: stdout, error: stderr }
  }
  /** What kubectl makes of these files. */
  async function viewed(files: readonly string[], ...flags: string[]): Promise<unknown> {
    const { output, error } = await kubectl(files, 'config', 'view', '--raw', '-o', 'json', ...flags)
    return error === undefined ? compact(JSON.parse(output)) : 'an error'
  }
  const rulesFor = (files: readonly string[]) =>
    newDefaultClientConfigLoadingRules({ env: { KUBECONFIG: files.join(delimiter), HOME: directory } })
  const change = async (files: readonly string[], edit: (config: KubeConfig) => void): Promise<void> => {
    const rules = rulesFor(files)
    const config = await rules.load()
    edit(config)
    // As kubectl does.
    await modifyConfig(rules, config, { relativizePaths: true })
  }
  const path = (name: string): string => join(directory, name)

  describe('kubectl reads', () => {
    it('a file with names that need quotes, and chooses each of them', async () => {
      const config = newKubeConfig()
      for (const name of oddNames) {
        config.clusters.set(name, { server: 'https://127.0.0.1:1' })
        config.users.set(name, { token: name, 'as-groups': [name], as: name })
        config.contexts.set(name, { cluster: name, user: name })
      }
      await writeToFile(config, path('config'))
      expect(await viewed([path('config')])).toEqual(compact(encodeKubeConfig(config)))
      for (const name of oddNames.slice(0, 4)) {
        expect(await kubectl([path('config')], 'config', 'use-context', name)).not.toHaveProperty('error')
        // As kubectl has written it.
        expect(await rulesFor([path('config')]).load()).toMatchObject({ currentContext: name })
      }
      const reread = await loadFromFile(path('config'))
      expect([...reread.users.keys()].sort()).toEqual([...oddNames].sort())
    })

    it('a file that is made step by step, and reaches the server with it', async () => {
      const files = [path('config')]
      const admin = await loadFromFile(controlPlane().kubeconfigPath)
      const [cluster] = admin.clusters.values()
      const [user] = admin.users.values()
      await change(files, (config) => {
        config.clusters.set('real', { ...cluster, locationOfOrigin: undefined })
        config.users.set('somebody', { token: 'wrong' })
        config.users.set('admin', { ...user, locationOfOrigin: undefined })
        config.contexts.set('it', { cluster: 'real', user: 'somebody', namespace: 'kube-system' })
      })
      await change(files, (config) => {
        config.currentContext = 'it'
      })
      expect((await kubectl(files, 'config', 'current-context')).output).toBe('it\n')
      expect((await kubectl(files, 'get', 'namespace', 'default', '-o', 'name')).error).toContain(
        'You must be logged in',
      )
      await change(files, (config) => {
        config.contexts.set('it', { ...config.contexts.get('it'), user: 'admin' })
        config.users.delete('somebody')
      })
      expect((await kubectl(files, 'get', 'namespace', 'default', '-o', 'name')).output).toBe('namespace/default\n')
      expect((await kubectl(files, 'config', 'get-users')).output).toBe('NAME\nadmin\n')
      const clientset = await clientsetFor(path('config'))
      expect((await clientset.coreV1().namespaces().get('default')).metadata.name).toBe('default')
      await clientset.close()
    })
  })

  describe('of two files, what kubectl changes is what we change:', () => {
    const one = `
kind: Config
apiVersion: v1
current-context: a
clusters: [{name: a, cluster: {server: 'https://a'}}, {name: both, cluster: {server: 'https://one'}}]
users: [{name: a, user: {token: ta}}, {name: both, user: {token: t1}}]
contexts: [{name: a, context: {cluster: a, user: a}}, {name: both, context: {cluster: both, user: both, namespace: n1}}]
`
    const two = `
kind: Config
apiVersion: v1
current-context: b
clusters: [{name: b, cluster: {server: 'https://b', certificate-authority: ca.crt}}, {name: both, cluster: {server: 'https://two'}}]
users: [{name: b, user: {token: tb, tokenFile: token}}, {name: both, user: {token: t2}}]
contexts: [{name: b, context: {cluster: b, user: b}}, {name: both, context: {cluster: both, user: both, namespace: n2}}]
`
    const context = (config: KubeConfig, name: string, fields: object): void =>
      void config.contexts.set(name, { ...config.contexts.get(name), ...fields })
    const user = (config: KubeConfig, name: string, fields: object): void =>
      void config.users.set(name, { ...config.users.get(name), ...fields })

    it.each<[command: string, edit: (config: KubeConfig) => void]>([
      ['use-context b', (config) => (config.currentContext = 'b')],
      ['unset current-context', (config) => (config.currentContext = '')],
      ['set-context new --cluster=b --user=a', (config) => context(config, 'new', { cluster: 'b', user: 'a' })],
      ['set-context a --namespace=x', (config) => context(config, 'a', { namespace: 'x' })],
      ['set-context b --namespace=x', (config) => context(config, 'b', { namespace: 'x' })],
      ['set-context both --namespace=x', (config) => context(config, 'both', { namespace: 'x' })],
      ['set-credentials new --token=t', (config) => user(config, 'new', { token: 't' })],
      [
        'set-credentials a --username=u --password=p',
        (config) => user(config, 'a', { username: 'u', password: 'p', token: undefined }),
      ],
      ['set-credentials both --token=t', (config) => user(config, 'both', { token: 't' })],
      [
        'set-cluster b --server=https://c',
        (config) => config.clusters.set('b', { ...config.clusters.get('b'), server: 'https://c' }),
      ],
      ['delete-user b', (config) => config.users.delete('b')],
      ['delete-cluster a', (config) => config.clusters.delete('a')],
      ['delete-context b', (config) => config.contexts.delete('b')],
      ['delete-user both', (config) => config.users.delete('both')],
    ])('config %s', async (command, edit) => {
      for (const side of ['theirs', 'ours']) {
        await mkdir(path(side))
        await writeFile(path(`${side}/one`), one)
        await writeFile(path(`${side}/two`), two)
      }
      const files = (side: string): string[] => [path(`${side}/one`), path(`${side}/two`)]
      expect(await kubectl(files('theirs'), 'config', ...command.split(' '))).not.toHaveProperty('error')
      await change(files('ours'), edit)
      const content = async (side: string): Promise<unknown[]> =>
        Promise.all(
          files(side).map(async (file) => {
            const text = (await readFile(file, 'utf8')).replaceAll(path(side), '/D')
            return compact(encodeKubeConfig(await load(text)))
          }),
        )
      const [theirs, before] = [await content('theirs'), [one, two]]
      expect(await content('ours')).toEqual(theirs)
      // It was a change.
      expect(theirs).not.toEqual(
        await Promise.all(before.map(async (text) => compact(encodeKubeConfig(await load(text))))),
      )
    })
  })

  describe('kubectl and we agree on what is current', () => {
    const file = (name: string, more = ''): string =>
      `{clusters: [{name: ${name}, cluster: {server: 'https://${name}'}}], users: [{name: ${name}, user: {token: t}}],
        contexts: [{name: ${name}, context: {cluster: ${name}, user: ${name}, namespace: in-${name}}}]${more}}`
    const pointing = (at: string): string => `{current-context: ${at}}`

    it.each<[what: string, files: Record<string, string | undefined>]>([
      ['one file', { a: file('a', ', current-context: a') }],
      ['the first of two', { a: file('a', ', current-context: a'), b: file('b', ', current-context: b') }],
      ['the second, as the first has none', { a: file('a'), b: file('b', ', current-context: b') }],
      ['a context of another file', { a: pointing('b'), b: file('b'), c: file('c', ', current-context: c') }],
      ['a missing and an empty file first', { a: undefined, b: '', c: file('c', ', current-context: c') }],
      ['a context without a namespace', { a: file('a', ', current-context: a').replace(', namespace: in-a', '') }],
      [
        'a context twice: the first, whole',
        { a: file('a', ', current-context: a').replace(', namespace: in-a', ''), b: file('a') },
      ],
      [
        'a user twice: the first, whole',
        { a: '{users: [{name: a, user: {as: jane}}]}', b: file('a', ', current-context: a') },
      ],
      ['a context that is not there', { a: file('a', ', current-context: gone') }],
      [
        'a cluster that is not there',
        { a: file('a', ', current-context: a').replace('cluster: a,', 'cluster: gone,') },
      ],
      ['a user that is not there', { a: file('a', ', current-context: a').replace('user: a,', 'user: gone,') }],
      ['none', { a: file('a'), b: file('b') }],
      ['no file', { a: undefined }],
    ])('%s', async (_what, files) => {
      for (const [name, text] of Object.entries(files)) if (text !== undefined) await writeFile(path(name), text)
      const list = Object.keys(files).map(path)
      const config = await rulesFor(list).load()
      const ours = await Promise.resolve()
        .then(() => compact(encodeKubeConfig(minifyConfig(config))))
        .catch(() => 'an error')
      expect(ours).toEqual(await viewed(list, '--minify'))

      const { output, error } = await kubectl(list, 'config', 'current-context')
      expect(config.currentContext).toBe(error === undefined ? output.trimEnd() : '')
      if (ours === 'an error') return
      const env = { KUBECONFIG: list.join(delimiter), HOME: directory }
      const shown = (await viewed(list, '--minify')) as { contexts: { context: { namespace?: string } }[] }
      expect(await getNamespace({ env })).toBe(shown.contexts[0]?.context.namespace ?? 'default')
    })
  })

  it('config view --minify --flatten --raw is minifyConfig, flattenConfig and encodeKubeConfig', async () => {
    await writeFile(path('ca.crt'), 'PEM of an authority')
    await mkdir(path('sub'))
    await writeFile(path('sub/client.crt'), 'PEM of a certificate')
    await writeFile(path('sub/client.key'), Buffer.from([0, 255, 10, 128]))
    await fc.assert(
      fc.asyncProperty(anyKubeconfig(directory), async (document) => {
        await writeFile(path('config'), JSON.stringify(document))
        const ours = await rulesFor([path('config')])
          .load()
          .then(minifyConfig)
          .then((minified) => flattenConfig(minified))
          .then((flat) => compact(encodeKubeConfig(flat)))
          .catch(() => 'an error')
        expect(ours).toEqual(await viewed([path('config')], '--minify', '--flatten'))

        // And what we write of it, kubectl reads as the same.
        if (ours === 'an error') return
        await writeToFile(await load(JSON.stringify(ours)), path('written'))
        expect(await viewed([path('written')])).toEqual(ours)
      }),
      { ...runs(25), endOnFailure: true },
    )
  })
})

/** Without what is empty: kubectl writes some of it, and it means the same. What others keep in extensions stays. */
function compact(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(compact)
  if (typeof value !== 'object' || value === null) return value
  const isEmpty = (field: unknown): boolean => !field || (typeof field === 'object' && Object.keys(field).length === 0)
  return Object.fromEntries(
    Object.entries(value)
      .map(([name, field]) => [name, name === 'extension' ? field : compact(field)])
      .filter(([, field]) => !isEmpty(field)),
  )
}

/** One that can be read, with files that are there. */
function anyKubeconfig(directory: string): fc.Arbitrary<object> {
  const partly = <T>(model: { [K in keyof T]: fc.Arbitrary<T[K]> }): fc.Arbitrary<Partial<T>> =>
    fc.record(model, { requiredKeys: [], noNullPrototype: true }) as fc.Arbitrary<Partial<T>>
  const name = fc.constantFrom('main', 'other', ...oddNames)
  const text = fc.constantFrom('x', 'true', '007', 'größe', 'a: #b', 'two\nlines\n', '')
  const base64 = fc.constantFrom('', Buffer.from('PEM').toString('base64'))
  const either = (field: string, file: fc.Arbitrary<string>): fc.Arbitrary<object> =>
    fc.oneof(
      fc.constant({}),
      file.map((path) => ({ [field]: path })),
      base64.map((data) => ({ [`${field}-data`]: data })),
    )
  const extensions = fc.uniqueArray(
    fc.record(
      {
        name: fc.constantFrom('x.example/a', 'x.example/b'),
        extension: fc.constantFrom({ a: [1, false, ''] }, { b: { c: 'd' } }),
      },
      { noNullPrototype: true },
    ),
    { selector: ({ name }) => name, maxLength: 2 },
  )
  const cluster = fc
    .tuple(
      partly({
        'tls-server-name': text,
        'insecure-skip-tls-verify': fc.boolean(),
        'proxy-url': fc.constantFrom('', 'socks5://p:1080'),
        'disable-compression': fc.boolean(),
        extensions,
      }),
      either('certificate-authority', fc.constantFrom('ca.crt', './ca.crt', join(directory, 'ca.crt'))),
    )
    .map(([rest, authority]) => ({ server: 'https://example.com', ...rest, ...authority }))
  const exec = fc
    .tuple(
      fc.constantFrom('v1', 'v1beta1'),
      partly({
        args: fc.array(text, { maxLength: 2 }),
        env: fc.array(fc.record({ name: fc.constant('A'), value: text }, { noNullPrototype: true }), { maxLength: 1 }),
        installHint: text,
        provideClusterInfo: fc.boolean(),
      }),
    )
    .map(([version, rest]) => ({
      command: 'get-token',
      apiVersion: `client.authentication.k8s.io/${version}`,
      ...(version === 'v1' && { interactiveMode: 'Never' }),
      ...rest,
    }))
  const user = fc
    .tuple(
      partly({
        token: text,
        username: text,
        password: text,
        as: text,
        'as-uid': text,
        'as-groups': fc.array(text, { maxLength: 2 }),
        'as-user-extra': fc.dictionary(fc.constantFrom('k', 'x.example/k'), fc.array(text, { maxLength: 2 }), {
          maxKeys: 2,
          noNullPrototype: true,
        }),
        exec,
        'auth-provider': fc.constant({ name: 'oidc', config: { 'client-id': 'c', 'id-token': 'true' } }),
        extensions,
      }),
      either('client-certificate', fc.constantFrom('sub/client.crt', join(directory, 'sub/client.crt'))),
      either('client-key', fc.constantFrom('sub/client.key', './sub/../sub/client.key')),
    )
    .map(([rest, certificate, key]) => ({ ...rest, ...certificate, ...key }))
  const context = partly({ namespace: fc.constantFrom('', 'kube-system'), extensions })
  return fc
    .tuple(name, cluster, user, context, fc.array(cluster, { maxLength: 1 }), fc.boolean())
    .map(([name, cluster, user, context, others, isChosen]) => ({
      kind: 'Config',
      apiVersion: 'v1',
      clusters: [{ name, cluster }, ...others.map((other) => ({ name: 'unused', cluster: other }))],
      users: [{ name, user }],
      contexts: [{ name, context: { cluster: name, user: name, ...context } }],
      'current-context': isChosen || others.length === 0 ? name : '',
    }))
}
