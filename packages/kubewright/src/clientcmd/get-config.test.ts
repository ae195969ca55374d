import { join } from 'node:path'
import { describe, expect, it, vi } from 'vitest'
import { buildConfigFromFlags } from './build-config.js'
import { isContextNotFound, isEmptyConfig } from './errors.js'
import { getConfig, getNamespace } from './get-config.js'
import { InClusterClientConfig } from './in-cluster-client-config.js'
import { directoryWith, failure, kubeconfig } from './testdata/files.mjs'

const account = 'var/run/secrets/kubernetes.io/serviceaccount'
const podEnv = { KUBERNETES_SERVICE_HOST: '10.0.0.1', KUBERNETES_SERVICE_PORT: '443' }

/** A machine: a home directory with a kubeconfig `home`, other kubeconfigs beside it, perhaps a pod's service account. */
function machine({
  files = {},
  home = kubeconfig('home'),
  pod = false,
}: {
  files?: Record<string, string>
  home?: string | null
  pod?: boolean
} = {}) {
  const root = directoryWith({
    ...files,
    ...(home !== null && { 'home/.kube/config': home }),
    ...(pod && {
      [`${account}/token`]: 'token-of-pod',
      [`${account}/namespace`]: 'of-pod',
      [`${account}/ca.crt`]: '-----BEGIN CERTIFICATE-----',
    }),
  })
  const path = (name: string) => join(root, name)
  const options = (extra: Record<string, string> = {}) => {
    const env = { HOME: path('home'), ...(pod && podEnv), ...extra }
    return { env, inCluster: new InClusterClientConfig({ env, rootDirectory: root }) }
  }
  return { path, options }
}

describe('getConfig', () => {
  const files = { a: kubeconfig('a'), b: kubeconfig('b') }

  it.each([false, true])('takes the file that is named first (in a pod: %s)', async (pod) => {
    const { path, options } = machine({ files, pod })
    const config = await getConfig({ ...options({ KUBECONFIG: path('a') }), kubeconfig: path('b') })
    expect(config.host).toBe('https://b:6443')
  })

  it.each([false, true])('then KUBECONFIG, whose first file wins (in a pod: %s)', async (pod) => {
    const { path, options } = machine({ files, pod })
    const env = (names: string[]) => options({ KUBECONFIG: names.map(path).join(':') })
    expect((await getConfig(env(['a', 'b']))).host).toBe('https://a:6443')
    expect((await getConfig({ ...env(['a', 'b']), context: 'b' })).host).toBe('https://b:6443')
    expect((await getConfig(env(['missing', 'b']))).host).toBe('https://b:6443')
  })

  it.each([true, false])('logs as much as KUBEWRIGHT_V says (in a pod: %s)', async (pod) => {
    const { options } = machine({ pod })
    const config = await getConfig(options({ KUBEWRIGHT_V: '6' }))
    expect(config).toMatchObject({ verbosity: 6, host: (await getConfig(options())).host })
    expect((await getConfig(options())).verbosity).toBe(0)
    expect((await getConfig(options({ KUBEWRIGHT_V: '' }))).verbosity).toBe(0)
  })

  it.each(['-1', '1.5', 'all'])('goes on without a KUBEWRIGHT_V that is %j, and says so', async (text) => {
    const write = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    expect((await getConfig(machine().options({ KUBEWRIGHT_V: text }))).verbosity).toBe(0)
    expect(write.mock.calls.join()).toContain('KUBEWRIGHT_V is no whole number')
    write.mockRestore()
  })

  it('then the pod, then the home directory', async () => {
    expect((await getConfig(machine({ pod: true }).options())).host).toBe('https://10.0.0.1:443')
    expect((await getConfig(machine().options())).host).toBe('https://home:6443')
    expect((await getConfig(machine().options({ KUBECONFIG: '' }))).host).toBe('https://home:6443')
    expect((await getConfig(machine().options(podEnv))).host).toBe('https://home:6443')
  })

  it('takes the home directory in a pod when a context is asked for', async () => {
    expect((await getConfig({ ...machine({ pod: true }).options(), context: 'home' })).host).toBe('https://home:6443')
  })

  it('applies overrides, which may be all there is', async () => {
    const overrides = { clusterInfo: { server: 'https://given' } }
    expect(await getConfig({ ...machine().options(), overrides })).toMatchObject({
      host: 'https://given',
      bearerToken: 'token-of-home',
    })
    expect((await getConfig({ ...machine({ home: null }).options(), overrides })).host).toBe('https://given')
  })

  it('does not change its mind: the Config of a context stays what it was', async () => {
    const { path, options } = machine({ files })
    const [a, b] = await Promise.all(['a', 'b'].map((name) => getConfig({ ...options(), kubeconfig: path(name) })))
    expect([a?.bearerToken, b?.bearerToken]).toEqual(['token-of-a', 'token-of-b'])
    expect(Object.isFrozen(a)).toBe(true)
  })

  it('says where it looked when there is nothing', async () => {
    const { path, options } = machine({ home: null })
    const err = await failure(getConfig(options()))
    expect(isEmptyConfig(err)).toBe(true)
    expect(err.message).toBe(
      `no configuration has been provided: KUBECONFIG is not set and ${path('home/.kube/config')} does not exist, and this process does not run in a cluster; name a kubeconfig, or set KUBECONFIG`,
    )
    const half = await failure(getConfig(options(podEnv)))
    expect(half.message).toContain('there is no service account token, though KUBERNETES_SERVICE_HOST is set')
    const env = await failure(getConfig(options({ KUBECONFIG: '/no/a:/no/b' })))
    expect(env.message).toBe(
      'no configuration has been provided: none of the files that KUBECONFIG lists exists: /no/a, /no/b; name a kubeconfig, or set KUBECONFIG',
    )
  })

  it('names the file that is missing or wrong', async () => {
    const { path, options } = machine({ files: { broken: 'a: [', wrong: 'clusters: 5', empty: '' } })
    expect(await failure(getConfig({ ...options(), kubeconfig: path('missing') }))).toMatchObject({
      file: path('missing'),
      code: 'ENOENT',
    })
    expect(await failure(getConfig({ ...options(), kubeconfig: path('broken') }))).toMatchObject({
      file: path('broken'),
      line: 1,
    })
    expect(await failure(getConfig({ ...options(), kubeconfig: path('wrong') }))).toMatchObject({
      file: path('wrong'),
      field: 'clusters',
    })
    const err = await failure(getConfig({ ...options(), kubeconfig: path('empty') }))
    expect(isEmptyConfig(err)).toBe(true)
    expect(err.message).toContain(`kubeconfig ${path('empty')} has no contexts`)
  })

  it('lists the contexts when the one asked for is missing', async () => {
    const { path, options } = machine({ files: { prod: kubeconfig('production'), stage: kubeconfig('staging') } })
    const KUBECONFIG = [path('prod'), path('stage')].join(':')
    const err = await failure(getConfig({ ...options({ KUBECONFIG }), context: 'prodction' }))
    expect(err).toMatchObject({ name: 'ContextNotFoundError', contextName: 'prodction' })
    expect(isContextNotFound(err)).toBe(true)
    expect(err.message).toBe(
      `context was not found for specified context: prodction (contexts of kubeconfig ${path('prod')}, ${path('stage')}: "production", "staging"; did you mean "production"?)`,
    )
    const far = await failure(getConfig({ ...options({ KUBECONFIG }), context: 'zzz' }))
    expect(far.message).not.toContain('did you mean')
  })

  it('lists the contexts when none is chosen', async () => {
    const { path, options } = machine({ files: { a: kubeconfig('a').replace(/current-context.*/, '') } })
    const err = await failure(getConfig({ ...options(), kubeconfig: path('a') }))
    expect(err.name).toBe('NoContextError')
    expect(err.message).toBe(
      `no context chosen: kubeconfig ${path('a')} sets no current-context; choose one of its contexts: "a"`,
    )
  })

  it.each([
    [
      'cluster',
      'cluster: a',
      'cluster: gone',
      'cluster "gone" was not found for context "a" (clusters of kubeconfig FILE: "a")',
    ],
    ['user', 'user: a}', 'user: lost}', 'user "lost" was not found for context "a" (users of kubeconfig FILE: "a")'],
    [
      'named cluster',
      'cluster: a, ',
      '',
      'cluster was not specified for context "a" (clusters of kubeconfig FILE: "a")',
    ],
    ['server', '{server: "https://a:6443"}', '{}', 'no server found for cluster "a" (kubeconfig FILE, context "a")'],
  ])('tells that the %s is missing', async (_name, text, replacement, message) => {
    const { path, options } = machine({ files: { a: kubeconfig('a').replace(text, replacement) } })
    const err = await failure(getConfig({ ...options(), kubeconfig: path('a') }))
    expect(err.name).toBe('ConfigurationInvalidError')
    expect(err.message).toBe(`invalid configuration: ${message.replace('FILE', path('a'))}`)
  })

  it('accepts a context without a user', async () => {
    const { path, options } = machine({ files: { a: kubeconfig('a').replace(', user: a}', '}') } })
    expect((await getConfig({ ...options(), kubeconfig: path('a') })).bearerToken).toBeUndefined()
  })

  it('can be stopped', async () => {
    const reason = new Error('enough')
    expect(await failure(getConfig({ ...machine().options(), signal: AbortSignal.abort(reason) }))).toBe(reason)
  })
})

describe('getNamespace', () => {
  it.each([
    ['of the context', {}, kubeconfig('home', { namespace: 'team' }), {}, 'team'],
    ['default', {}, kubeconfig('home'), {}, 'default'],
    ['of the override', {}, kubeconfig('home', { namespace: 'team' }), { context: { namespace: 'given' } }, 'given'],
    ['of the pod', { pod: true }, kubeconfig('home', { namespace: 'team' }), {}, 'of-pod'],
    ['of the override, in a pod', { pod: true }, null, { context: { namespace: 'given' } }, 'given'],
  ])('%s', async (_name, kind, home, overrides, expected) => {
    expect(await getNamespace({ ...machine({ ...kind, home }).options(), overrides })).toBe(expected)
  })
})

describe('buildConfigFromFlags', () => {
  it('reads the file that is named, and nothing else', async () => {
    const { path, options } = machine({ files: { a: kubeconfig('a'), b: kubeconfig('b') }, pod: true })
    const env = options({ KUBECONFIG: path('b') })
    expect((await buildConfigFromFlags('', path('a'), env)).host).toBe('https://a:6443')
    expect(await buildConfigFromFlags('https://master', path('a'), env)).toMatchObject({
      host: 'https://master',
      bearerToken: 'token-of-a',
    })
    expect(await buildConfigFromFlags('https://master', '', env)).toMatchObject({
      host: 'https://master',
      bearerToken: undefined,
    })
    expect(await failure(buildConfigFromFlags('', path('missing'), env))).toMatchObject({ code: 'ENOENT' })
  })

  it('takes the pod when both are empty', async () => {
    const { path, options } = machine({ files: { a: kubeconfig('a') }, pod: true })
    expect((await buildConfigFromFlags('', '', options({ KUBECONFIG: path('a') }))).host).toBe('https://10.0.0.1:443')
  })

  it('takes the pod when the file is empty', async () => {
    const { path, options } = machine({ files: { empty: '' }, pod: true })
    expect((await buildConfigFromFlags('', path('empty'), options())).host).toBe('https://10.0.0.1:443')
  })

  it('reads neither KUBECONFIG nor the home directory', async () => {
    const { path, options } = machine({ files: { a: kubeconfig('a') } })
    const err = await failure(buildConfigFromFlags('', '', options({ KUBECONFIG: path('a') })))
    expect(err.message).toBe(
      'invalid configuration: no configuration has been provided, try setting KUBERNETES_MASTER environment variable',
    )
    expect(err.cause.name).toBe('NotInClusterError')
  })

  it('can be stopped', async () => {
    const { path, options } = machine({ files: { a: kubeconfig('a') } })
    const reason = new Error('enough')
    expect(
      await failure(buildConfigFromFlags('', path('a'), { ...options(), signal: AbortSignal.abort(reason) })),
    ).toBe(reason)
  })
})
