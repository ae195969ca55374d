import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Config } from '../rest/index.js'
import type { ChosenNamespace, ClientConfig } from './client-config.js'
import { DeferredLoadingClientConfig } from './deferred-client-config.js'
import { DirectClientConfig } from './direct-client-config.js'
import type { PossibleClientConfig } from './in-cluster-client-config.js'
import { ClientConfigLoadingRules, type LoadingRulesOptions } from './loading-rules.js'
import type { ConfigOverrides } from './overrides.js'
import { directoryWith, failure, kubeconfig } from './testdata/files.mjs'
import { newKubeConfig } from './types.js'

/** A pod's Config that counts how often it is asked for. */
class FakeInCluster implements PossibleClientConfig {
  asked = 0
  readonly #possible: boolean
  readonly #error: Error | undefined
  readonly #namespace: string
  constructor({
    possible = false,
    error,
    namespace = 'of-pod',
  }: { possible?: boolean; error?: Error; namespace?: string } = {}) {
    this.#possible = possible
    this.#error = error
    this.#namespace = namespace
  }
  async possible(): Promise<boolean> {
    this.asked++
    return this.#possible
  }
  async clientConfig(): Promise<Config> {
    if (this.#error) throw this.#error
    return new Config({ host: 'https://of-pod' })
  }
  async namespace(): Promise<ChosenNamespace> {
    if (this.#error) throw this.#error
    return { namespace: this.#namespace, overridden: false }
  }
  async rawConfig(): Promise<never> {
    throw new Error('unexpected call')
  }
  configAccess(): undefined {}
}

const valid = newKubeConfig({
  clusters: new Map([['c', { server: 'https://of-file' }]]),
  contexts: new Map([['c', { cluster: 'c' }]]),
  currentContext: 'c',
})
const emptyCluster = newKubeConfig({ currentContext: 'missing' })
const empty = newKubeConfig()
const unique = new Error('unique error')

/** Rules that load what is given. */
const loading = (config: typeof valid, options: LoadingRulesOptions = {}) => {
  const rules = new ClientConfigLoadingRules(options)
  return Object.assign(Object.create(rules), {
    load: async () => config,
    isDefaultConfig: (other: Config) => rules.isDefaultConfig(other),
  }) as ClientConfigLoadingRules
}
const defaultClientConfig: ClientConfig = new DirectClientConfig(valid)
const unusableDefault: ClientConfig = new DirectClientConfig(emptyCluster)
const otherDefault: ClientConfig = new DirectClientConfig(newKubeConfig(), {
  overrides: { clusterInfo: { server: 'x' } },
})

describe('clientConfig', () => {
  it.each([
    ['an empty config, no pod', empty, {}, {}, true, 'no configuration has been provided'],
    ['a wrong config', emptyCluster, {}, {}, false, 'context was not found'],
    ['a config that is the default, no pod', valid, { defaultClientConfig }, {}, true, 'https://of-file'],
    [
      'a config that is the default, in a pod',
      valid,
      { defaultClientConfig },
      { possible: true },
      true,
      'https://of-pod',
    ],
    [
      'a default that is not usable',
      valid,
      { defaultClientConfig: unusableDefault },
      { possible: true },
      false,
      'https://of-file',
    ],
    [
      'a config that is not the default',
      valid,
      { defaultClientConfig: otherDefault },
      { possible: true },
      false,
      'https://of-file',
    ],
    ['no default', valid, {}, { possible: true }, false, 'https://of-file'],
    ['an empty config, a pod that fails', empty, {}, { possible: true, error: unique }, true, 'unique error'],
    ['an empty config, a pod', empty, {}, { possible: true }, true, 'https://of-pod'],
  ])('%s', async (_name, config, rules, pod, asked, expected) => {
    const inCluster = new FakeInCluster(pod)
    const outcome = await new DeferredLoadingClientConfig(loading(config, rules), { inCluster }).clientConfig().then(
      ({ host }) => host,
      (err) => err.message,
    )
    expect(outcome).toContain(expected)
    expect(inCluster.asked > 0).toBe(asked)
  })

  it('with a server given is not empty', async () => {
    const inCluster = new FakeInCluster({ possible: true })
    const overrides = { clusterInfo: { server: 'https://given' } }
    expect((await new DeferredLoadingClientConfig(loading(empty), { inCluster, overrides }).clientConfig()).host).toBe(
      'https://given',
    )
  })

  it('does not hide that the files cannot be read', async () => {
    const inCluster = new FakeInCluster({ possible: true })
    const deferred = new DeferredLoadingClientConfig(new ClientConfigLoadingRules({ explicitPath: '/bogus_file' }), {
      inCluster,
    })
    expect(await failure(deferred.clientConfig())).toMatchObject({ file: '/bogus_file' })
    expect(inCluster.asked).toBe(0)
  })
})

describe('namespace', () => {
  const within = (namespace?: string) =>
    newKubeConfig({
      ...valid,
      contexts: new Map([
        ['c', { cluster: 'c', namespace }],
        ['d', { cluster: 'c', namespace: 'default' }],
      ]),
    })
  it.each<[string, typeof valid, ConfigOverrides, object, boolean, string]>([
    ['an empty config, no pod', empty, {}, {}, true, 'no configuration has been provided'],
    ['a wrong config', emptyCluster, {}, { possible: true }, false, 'context was not found'],
    ['none named, no pod', within(), {}, {}, true, 'default'],
    ['an override', within('team'), { context: { namespace: 'given' } }, { possible: true }, false, 'given'],
    ['one named, in a pod', within('team'), {}, { possible: true }, true, 'team'],
    ['default named, in a pod', within('default'), {}, { possible: true }, true, 'default'],
    [
      'default named by the context of an override',
      within(),
      { currentContext: 'd' },
      { possible: true },
      true,
      'default',
    ],
    ['none named, in a pod', within(), {}, { possible: true }, true, 'of-pod'],
    ['an empty config, a pod that fails', empty, {}, { possible: true, error: unique }, true, 'unique error'],
    ['an empty config, in a pod', empty, {}, { possible: true }, true, 'of-pod'],
  ])('%s', async (_name, config, overrides, pod, asked, expected) => {
    const inCluster = new FakeInCluster(pod)
    const outcome = await new DeferredLoadingClientConfig(loading(config), { inCluster, overrides }).namespace().then(
      ({ namespace }) => namespace,
      (err) => err.message,
    )
    expect(outcome).toContain(expected)
    expect(inCluster.asked > 0).toBe(asked)
  })
})

describe('loading', () => {
  it('happens on first use, and once', async () => {
    const explicitPath = join(directoryWith(), 'config')
    const deferred = new DeferredLoadingClientConfig(new ClientConfigLoadingRules({ explicitPath }), {
      inCluster: new FakeInCluster(),
    })
    await failure(deferred.clientConfig())
    writeFileSync(explicitPath, kubeconfig('a'))
    expect((await deferred.clientConfig()).host).toBe('https://a:6443')
    writeFileSync(explicitPath, kubeconfig('b'))
    expect((await deferred.clientConfig()).host).toBe('https://a:6443')
    expect((await deferred.rawConfig()).currentContext).toBe('a')
  })

  it('can be stopped', async () => {
    const explicitPath = join(directoryWith({ config: kubeconfig('a') }), 'config')
    const deferred = new DeferredLoadingClientConfig(new ClientConfigLoadingRules({ explicitPath }))
    const reason = new Error('enough')
    expect(await failure(deferred.clientConfig({ signal: AbortSignal.abort(reason) }))).toBe(reason)
    expect((await deferred.clientConfig()).host).toBe('https://a:6443')
  })
})
