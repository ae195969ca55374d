import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadFromFile } from './load.js'
import { ClientConfigLoadingRules, newDefaultClientConfigLoadingRules } from './loading-rules.js'
import { modifyConfig } from './modify-config.js'
import { directoryWith, failure, kubeconfig } from './testdata/files.mjs'
import type { KubeConfig } from './types.js'

/** The files a and b, with rules that read b first, so that the order is not the alphabet's. */
function twoFiles() {
  const directory = directoryWith({ a: kubeconfig('a'), b: kubeconfig('b') })
  const path = (name: string) => join(directory, name)
  const rules = newDefaultClientConfigLoadingRules({
    env: { KUBECONFIG: `${path('b')}:${path('a')}` },
    platform: 'linux',
  })
  const before = { a: readFileSync(path('a'), 'utf8'), b: readFileSync(path('b'), 'utf8') }
  const untouched = (name: 'a' | 'b') => readFileSync(path(name), 'utf8') === before[name]
  return { path, rules, untouched }
}

const change = async (rules: ClientConfigLoadingRules, edit: (config: KubeConfig) => void, options = {}) => {
  const config = await rules.getStartingConfig()
  edit(config)
  await modifyConfig(rules, config, options)
}

describe('modifyConfig', () => {
  it('writes nothing when nothing changed', async () => {
    const { rules, untouched } = twoFiles()
    await change(rules, () => {})
    expect([untouched('a'), untouched('b')]).toEqual([true, true])
  })

  it('writes the current context into the first file', async () => {
    const { path, rules, untouched } = twoFiles()
    await change(rules, (config) => {
      config.currentContext = 'new-context'
    })
    expect(untouched('a')).toBe(true)
    expect((await loadFromFile(path('b'))).currentContext).toBe('new-context')
  })

  it('clears the current context in the first file that sets it', async () => {
    const { path, rules } = twoFiles()
    writeFileSync(path('b'), kubeconfig('b').replace(/current-context.*/, ''))
    await change(rules, (config) => {
      config.currentContext = ''
    })
    expect((await loadFromFile(path('a'))).currentContext).toBe('')
    expect([...(await loadFromFile(path('a'))).clusters.keys()]).toEqual(['a'])
  })

  it('writes a changed stanza into the file it came from, and keeps what is beside it', async () => {
    const { path, rules, untouched } = twoFiles()
    writeFileSync(path('a'), `colour: blue\n${kubeconfig('a').replace('{server', '{api-version: v1, server')}`)
    await change(rules, (config) => {
      config.users.set('a', { ...config.users.get('a'), token: 'changed' })
    })
    expect(untouched('b')).toBe(true)
    const config = await loadFromFile(path('a'))
    expect(config.users.get('a')?.token).toBe('changed')
    expect(config.unknownFields).toEqual({ colour: 'blue' })
    expect(config.clusters.get('a')).toMatchObject({ 'api-version': 'v1', server: 'https://a:6443' })
    expect(config.currentContext).toBe('a')
  })

  it('writes new stanzas into the first file, which need not exist', async () => {
    const { path, rules, untouched } = twoFiles()
    await change(rules, (config) => config.contexts.set('new', { cluster: 'a', user: 'b' }))
    expect(untouched('a')).toBe(true)
    expect([...(await loadFromFile(path('b'))).contexts.keys()]).toEqual(['b', 'new'])
    const fresh = new ClientConfigLoadingRules({ explicitPath: path('deep/er/config') })
    await change(fresh, (config) => config.clusters.set('c', { server: 'https://c' }))
    expect([...(await loadFromFile(path('deep/er/config'))).clusters.keys()]).toEqual(['c'])
  })

  it('removes stanzas from the file they came from', async () => {
    const { path, rules, untouched } = twoFiles()
    await change(rules, (config) => {
      config.contexts.delete('a')
      config.users.delete('a')
      config.clusters.delete('a')
    })
    expect(untouched('b')).toBe(true)
    const config = await loadFromFile(path('a'))
    expect([config.contexts.size, config.users.size, config.clusters.size]).toEqual([0, 0, 0])
  })

  it('writes preferences', async () => {
    const { path, rules } = twoFiles()
    await change(rules, (config) => {
      config.preferences = { colors: true }
    })
    expect((await loadFromFile(path('b'))).preferences).toEqual({ colors: true })
    await change(rules, (config) => {
      config.preferences = undefined
    })
    expect((await loadFromFile(path('b'))).preferences).toBeUndefined()
  })

  it.each([
    [true, 'pki/ca', '/elsewhere/key'],
    [false, 'DIR/pki/ca', '/elsewhere/key'],
  ])('with relativizePaths %s writes %s', async (relativizePaths, ca, key) => {
    const { path, rules } = twoFiles()
    const edit = (config: KubeConfig) => {
      config.clusters.set('new', { server: 's', 'certificate-authority': path('pki/ca') })
      config.users.set('new', { 'client-key': '/elsewhere/key' })
    }
    await change(rules, edit, { relativizePaths })
    const config = await loadFromFile(path('b'))
    expect(config.clusters.get('new')?.['certificate-authority']).toBe(ca.replace('DIR', path('.')))
    expect(config.users.get('new')?.['client-key']).toBe(key)
  })

  it('does not write while somebody else holds a lock, and leaves that lock', async () => {
    const { path, rules, untouched } = twoFiles()
    writeFileSync(path('b.lock'), '')
    const edit = (config: KubeConfig) => {
      config.currentContext = 'x'
    }
    const err = await failure(change(rules, edit))
    expect(err).toMatchObject({ code: 'EEXIST', file: path('b') })
    expect([existsSync(path('a.lock')), existsSync(path('b.lock')), untouched('b')]).toEqual([false, true, true])
    await change(rules, edit, { lock: false })
    expect(untouched('b')).toBe(false)
  })

  it('gives its locks back, also when it fails', async () => {
    const { path, rules } = twoFiles()
    await change(rules, (config) => config.contexts.delete('a'))
    writeFileSync(path('a'), 'clusters: 5')
    await failure(
      modifyConfig(rules, { clusters: new Map(), users: new Map(), contexts: new Map(), currentContext: '' }),
    )
    expect([existsSync(path('a.lock')), existsSync(path('b.lock'))]).toEqual([false, false])
  })
})
