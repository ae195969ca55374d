import { chmodSync, existsSync, readFileSync, statSync } from 'node:fs'
import { join, relative } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Config } from '../rest/index.js'
import { DirectClientConfig } from './direct-client-config.js'
import { encodeKubeConfig } from './encode.js'
import { load } from './load.js'
import { ClientConfigLoadingRules, newDefaultClientConfigLoadingRules } from './loading-rules.js'
import { relativizePath } from './paths.js'
import { directoryWith, failure, kubeconfig } from './testdata/files.mjs'

describe('which files are read', () => {
  const home = { HOME: '/home/me' }
  it.each([
    ['the home file', home, ['/home/me/.kube/config']],
    ['the home file when KUBECONFIG is empty', { ...home, KUBECONFIG: '' }, ['/home/me/.kube/config']],
    ['one file of KUBECONFIG, and not the home file', { ...home, KUBECONFIG: '/env/a' }, ['/env/a']],
    ['several of KUBECONFIG, each once', { ...home, KUBECONFIG: '/env/a:/env/b:/env/a' }, ['/env/a', '/env/b']],
    ['a relative path without a home', {}, ['.kube/config']],
  ])('%s', (_name, env, expected) => {
    expect(newDefaultClientConfigLoadingRules({ env, platform: 'linux' }).getLoadingPrecedence()).toEqual(expected)
  })

  it('the explicit one alone', () => {
    const rules = newDefaultClientConfigLoadingRules({ env: { KUBECONFIG: '/env/a' }, explicitPath: '/explicit' })
    expect(rules.getLoadingPrecedence()).toEqual(['/explicit'])
    expect(rules.isExplicitFile()).toBe(true)
    expect(rules.getExplicitFile()).toBe('/explicit')
  })

  it.each<[string, { explicitPath?: string; precedence?: string[] }, string]>([
    ['the explicit one', { explicitPath: '/explicit', precedence: ['a'] }, '/explicit'],
    ['the first that exists', { precedence: ['missing', 'a', 'b'] }, 'a'],
    ['the first when none exists', { precedence: ['missing', 'absent'] }, 'missing'],
    ['none', {}, ''],
  ])('and written: %s', async (_name, rules, expected) => {
    const directory = directoryWith({ a: '', b: '' })
    const inside = (path: string) => (path.startsWith('/') ? path : join(directory, path))
    const access = new ClientConfigLoadingRules({ ...rules, precedence: rules.precedence?.map(inside) })
    expect(await access.getDefaultFilename()).toBe(expected && inside(expected))
  })
})

describe('load', () => {
  it('fails when the explicit file is missing', async () => {
    const err = await failure(new ClientConfigLoadingRules({ explicitPath: '/bogus_file' }).load())
    expect(err).toMatchObject({ name: 'KubeconfigError', code: 'ENOENT', file: '/bogus_file' })
  })

  it('skips files that are missing or have no name, and takes empty ones for empty', async () => {
    const directory = directoryWith({ a: kubeconfig('a'), empty: '' })
    const files = ['empty', 'missing', 'a'].map((name) => join(directory, name))
    const config = await new ClientConfigLoadingRules({ precedence: ['', ...files] }).load()
    expect(config.currentContext).toBe('a')
  })

  it.each([
    [['bogus1', 'bogus2'], true, ['bogus1', 'bogus2']],
    [['bogus1', 'a'], true, undefined],
    [['bogus1'], false, undefined],
  ])('of %j with warnIfAllMissing %s warns of %j', async (names, warnIfAllMissing, expected) => {
    const directory = directoryWith({ a: kubeconfig('a') })
    const warned: unknown[] = []
    const precedence = names.map((name) => join(directory, name))
    await new ClientConfigLoadingRules({ precedence, warnIfAllMissing, warner: (err) => warned.push(err) }).load()
    const missing = expected?.map((name) => join(directory, name))
    expect(warned).toEqual(
      missing ? [expect.objectContaining({ missing, message: `Config not found: ${missing.join(', ')}` })] : [],
    )
  })

  it.each([{ bad: 'bogus value' }, { 'bad/directory': '' }])(
    'names the file that cannot be used: %j',
    async (files) => {
      const directory = directoryWith({ ...files, good: kubeconfig('good') })
      const bad = join(directory, 'bad')
      expect((await failure(new ClientConfigLoadingRules({ explicitPath: bad }).load())).message).toContain(bad)
      const precedence = [join(directory, 'good'), bad]
      expect((await failure(new ClientConfigLoadingRules({ precedence }).load())).message).toContain(bad)
    },
  )

  it('tells of all files that cannot be used', async () => {
    const directory = directoryWith({ one: 'clusters: 5', two: 'users: 5' })
    const precedence = ['one', 'two'].map((name) => join(directory, name))
    const err = await failure(new ClientConfigLoadingRules({ precedence }).load())
    expect(err).toBeInstanceOf(AggregateError)
    expect(err.errors.map((inner: { file: string }) => inner.file)).toEqual(precedence)
    expect(err.message).toMatch(/^\[.*one.*, .*two.*\]$/)
  })

  it('merges in order; the explicit file hides the rest', async () => {
    const directory = directoryWith({
      alfa: kubeconfig('shared', { server: 'https://alfa' }).replace(/current-context.*/, ''),
      bravo: kubeconfig('shared', { server: 'https://bravo' }),
      charlie: kubeconfig('charlie'),
    })
    const [alfa, bravo, charlie] = ['alfa', 'bravo', 'charlie'].map((name) => join(directory, name)) as [
      string,
      string,
      string,
    ]
    const merged = await new ClientConfigLoadingRules({ precedence: [alfa, bravo, charlie] }).load()
    expect(merged.clusters.get('shared')).toEqual({ server: 'https://alfa', locationOfOrigin: alfa })
    expect(merged.clusters.get('charlie')?.locationOfOrigin).toBe(charlie)
    expect(merged.currentContext).toBe('shared')
    const alone = await new ClientConfigLoadingRules({ explicitPath: bravo, precedence: [alfa, charlie] }).load()
    expect([...alone.clusters]).toEqual([['shared', { server: 'https://bravo', locationOfOrigin: bravo }]])
  })

  it('merges files of people, animals and furniture as client-go does', async () => {
    const file = (user: string, cluster: string, context: string, namespace: string): string => `
users: [{name: ${user}-user, user: {token: ${user}-token}}]
clusters: [{name: ${cluster}-cluster, cluster: {server: http://${cluster}.org:8080}}]
contexts: [{name: ${context}-context, context: {user: ${user}-user, cluster: ${cluster}-cluster, namespace: ${namespace}-ns}}]
`
    const directory = directoryWith({
      alfa: file('red', 'cow', 'federal', 'hammer'),
      bravo: file('black', 'pig', 'queen-anne', 'saw'),
      charlie: file('green', 'horse', 'shaker', 'chisel'),
      delta: file('blue', 'chicken', 'gothic', 'plane'),
      conflict: `
users: [{name: red-user, user: {token: a-different-red-token}}, {name: yellow-user, user: {token: yellow-token}}]
clusters:
- name: cow-cluster
  cluster: {server: http://a-different-cow.org:8080, insecure-skip-tls-verify: true, disable-compression: true}
- name: donkey-cluster
  cluster: {server: http://donkey.org:8080, insecure-skip-tls-verify: true, disable-compression: true}
current-context: federal-context
`,
    })
    const path = (name: string): string => join(directory, name)
    const loaded = async (rules: ConstructorParameters<typeof ClientConfigLoadingRules>[0]) => {
      const config = await new ClientConfigLoadingRules(rules).load()
      const { clusters, contexts, users, 'current-context': currentContext } = encodeKubeConfig(config)
      return { clusters, contexts, users, currentContext }
    }
    const cow = { name: 'cow-cluster', cluster: { server: 'http://cow.org:8080' } }
    const red = { name: 'red-user', user: { token: 'red-token' } }
    const federal = {
      name: 'federal-context',
      context: { cluster: 'cow-cluster', namespace: 'hammer-ns', user: 'red-user' },
    }
    expect(await loaded({ explicitPath: path('alfa'), precedence: [path('conflict')] })).toEqual({
      clusters: [cow],
      contexts: [federal],
      users: [red],
      currentContext: '',
    })
    expect(await loaded({ precedence: [path('alfa'), path('conflict')] })).toEqual({
      clusters: [
        cow,
        {
          name: 'donkey-cluster',
          cluster: { server: 'http://donkey.org:8080', 'insecure-skip-tls-verify': true, 'disable-compression': true },
        },
      ],
      contexts: [federal],
      users: [red, { name: 'yellow-user', user: { token: 'yellow-token' } }],
      currentContext: 'federal-context',
    })
    const all = await loaded({ precedence: ['alfa', 'bravo', 'charlie', 'delta'].map(path) })
    expect(Object.values(all).map((list) => (Array.isArray(list) ? list.map(({ name }) => name) : list))).toEqual([
      ['chicken-cluster', 'cow-cluster', 'horse-cluster', 'pig-cluster'],
      ['federal-context', 'gothic-context', 'queen-anne-context', 'shaker-context'],
      ['black-user', 'blue-user', 'green-user', 'red-user'],
      '',
    ])
  })

  const paths = `
clusters:
- {name: relative, cluster: {certificate-authority: ../ca}}
- {name: absolute, cluster: {certificate-authority: /absolute/ca}}
users:
- {name: relative, user: {client-certificate: client/cert, client-key: ../client/key, tokenFile: token}}
- {name: absolute, user: {client-certificate: /absolute/cert, client-key: /absolute/key, tokenFile: /absolute/token}}
- {name: relative-command, user: {exec: {command: ../bin/plugin}}}
- {name: absolute-command, user: {exec: {command: /bin/plugin}}}
- {name: PATH-command, user: {exec: {command: plugin}}}
`

  it('resolves paths against the file that defines the entry', async () => {
    const directory = directoryWith({
      'one/config': paths,
      'two/deep/config': kubeconfig('a').replace('{token', '{tokenFile: t, token'),
    })
    const precedence = [join(directory, 'one/config'), join(directory, 'two/deep/config')]
    const config = await new ClientConfigLoadingRules({
      precedence: precedence.map((file) => relative(process.cwd(), file)),
    }).load()
    expect(config.clusters.get('relative')?.['certificate-authority']).toBe(join(directory, 'ca'))
    expect(config.clusters.get('absolute')?.['certificate-authority']).toBe('/absolute/ca')
    expect(config.users.get('relative')).toMatchObject({
      'client-certificate': join(directory, 'one/client/cert'),
      'client-key': join(directory, 'client/key'),
      tokenFile: join(directory, 'one/token'),
    })
    expect(config.users.get('absolute')).toMatchObject({
      'client-certificate': '/absolute/cert',
      'client-key': '/absolute/key',
      tokenFile: '/absolute/token',
    })
    expect(config.users.get('relative-command')?.exec?.command).toBe(join(directory, 'bin/plugin'))
    expect(config.users.get('absolute-command')?.exec?.command).toBe('/bin/plugin')
    expect(config.users.get('PATH-command')?.exec?.command).toBe('plugin')
    expect(config.users.get('a')?.tokenFile).toBe(join(directory, 'two/deep/t'))
  })

  it('resolves the certificate authority of an identity provider too', async () => {
    const provider = 'auth-provider: {name: oidc, config: {idp-certificate-authority: ca/idp.crt, client-id: c/d}}'
    const directory = directoryWith({ 'one/config': kubeconfig('a').replace('{token: token-of-a}', `{${provider}}`) })
    const config = await new ClientConfigLoadingRules({ precedence: [join(directory, 'one/config')] }).load()
    expect(config.users.get('a')?.['auth-provider']?.config).toEqual({
      'idp-certificate-authority': join(directory, 'one/ca/idp.crt'),
      'client-id': 'c/d',
    })
  })

  it('leaves paths alone when told to', async () => {
    const explicitPath = join(directoryWith({ config: paths }), 'config')
    const config = await new ClientConfigLoadingRules({ explicitPath, doNotResolvePaths: true }).load()
    expect(config.clusters.get('relative')?.['certificate-authority']).toBe('../ca')
  })
})

describe('relativizePath', () => {
  it.each([
    ['/dir/ca', 'ca'],
    ['/dir/pki/ca', 'pki/ca'],
    ['ca', 'ca'],
    ['./pki/../ca', 'ca'],
    ['/other/ca', '/other/ca'],
    ['../ca', '/ca'],
  ])('%s of /dir/config is %s', (path, expected) => {
    expect(relativizePath(path, '/dir/config')).toBe(expected)
  })
})

describe('migration', () => {
  it('copies the old file, secrets staying private, when the new one is missing', async () => {
    const directory = directoryWith({ '.kube/.kubeconfig': kubeconfig('old') })
    chmodSync(join(directory, '.kube/.kubeconfig'), 0o600)
    const config = await newDefaultClientConfigLoadingRules({ env: { HOME: directory }, platform: 'linux' }).load()
    expect(config.currentContext).toBe('old')
    const copy = join(directory, '.kube/config')
    expect(readFileSync(copy, 'utf8')).toBe(kubeconfig('old'))
    expect(statSync(copy).mode & 0o777).toBe(0o600)
  })

  it('leaves an existing file alone', async () => {
    const directory = directoryWith({ '.kube/.kubeconfig': kubeconfig('old'), '.kube/config': '' })
    const config = await newDefaultClientConfigLoadingRules({ env: { HOME: directory }, platform: 'linux' }).load()
    expect(config.currentContext).toBe('')
  })

  it('does nothing when both are missing, and refuses a directory', async () => {
    const directory = directoryWith({ 'directory/x': '' })
    const destination = join(directory, 'new')
    await new ClientConfigLoadingRules({ migrationRules: { [destination]: join(directory, 'missing') } }).load()
    expect(existsSync(destination)).toBe(false)
    const rules = new ClientConfigLoadingRules({ migrationRules: { [destination]: join(directory, 'directory') } })
    expect((await failure(rules.load())).message).toContain('because it is a directory')
  })
})

describe('getStartingConfig', () => {
  it('is empty when the explicit file is missing', async () => {
    expect(await new ClientConfigLoadingRules({ explicitPath: '/bogus_file' }).getStartingConfig()).toEqual(
      await load(''),
    )
  })
})

describe('isDefaultConfig', () => {
  it('compares with the default, when that is usable', async () => {
    const standard = new DirectClientConfig(await load(kubeconfig('a')))
    const rules = new ClientConfigLoadingRules({ defaultClientConfig: standard })
    expect(await rules.isDefaultConfig(await standard.clientConfig())).toBe(true)
    expect(await rules.isDefaultConfig(new Config({ host: 'other' }))).toBe(false)
    expect(await new ClientConfigLoadingRules().isDefaultConfig(new Config())).toBe(false)
    const unusable = new DirectClientConfig(await load(''))
    expect(await rules.with({ defaultClientConfig: unusable }).isDefaultConfig(new Config())).toBe(false)
  })
})
