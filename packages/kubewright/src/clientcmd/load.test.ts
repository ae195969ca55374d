import { join } from 'node:path'
import { inspect } from 'node:util'
import { describe, expect, it } from 'vitest'
import { load, loadFromFile } from './load.js'
import { directoryWith, failure, kubeconfig } from './testdata/files.mjs'

describe('what is no text', () => {
  it.each([undefined, null, 5, {}, new Uint8Array()])('is refused, saying what to do: %j', async (wrong) => {
    await expect(load(wrong as never)).rejects.toThrow(
      `cannot load a kubeconfig from what is no string (${typeof wrong}): give its text, or its path to loadFromFile`,
    )
    await expect(loadFromFile(wrong as never)).rejects.toThrow(
      `cannot load a kubeconfig: the path of the file must be a string, not ${typeof wrong}`,
    )
  })
})

describe('load', () => {
  it('makes maps by name of the lists', async () => {
    const config = await load(kubeconfig('a', { namespace: 'team' }))
    expect(config.clusters).toEqual(new Map([['a', { server: 'https://a:6443' }]]))
    expect(config.users).toEqual(new Map([['a', { token: 'token-of-a' }]]))
    expect(config.contexts).toEqual(new Map([['a', { cluster: 'a', user: 'a', namespace: 'team' }]]))
    expect(config.currentContext).toBe('a')
  })

  it.each(['', '# nothing', 'null', 'apiVersion: ""\nkind: ""', 'clusters: null\nusers:\n'])(
    'takes %j for empty',
    async (text) => {
      expect(await load(text)).toEqual({
        clusters: new Map(),
        users: new Map(),
        contexts: new Map(),
        currentContext: '',
      })
    },
  )

  it('keeps what it does not know, and extensions', async () => {
    const config = await load(`
colour: blue
preferences: {colors: true}
clusters: [{name: c, cluster: {server: s, api-version: v1, extensions: [{name: e, extension: {deep: [1, true]}}]}}]
users: [{name: u, user: {shoe-size: 43}}]
contexts: [{name: x, context: {mood: good}}]
extensions: [{name: e, extension: 5}]
`)
    expect(config.unknownFields).toEqual({ colour: 'blue' })
    expect(config.preferences).toEqual({ colors: true })
    expect(config.clusters.get('c')).toEqual({
      server: 's',
      'api-version': 'v1',
      extensions: [{ name: 'e', extension: { deep: [1, true] } }],
    })
    expect(config.users.get('u')).toEqual({ 'shoe-size': 43 })
    expect(config.contexts.get('x')).toEqual({ mood: 'good' })
    expect(config.extensions).toEqual([{ name: 'e', extension: 5 }])
  })

  it.each(['__proto__', 'constructor', 'hasOwnProperty', 'toString'])('keeps a field, and a name, %s', async (name) => {
    const config = await load(`
${name}: {deep: 1}
clusters: [{name: ${name}, cluster: {server: s, ${name}: 5}}]
users: [{name: ${name}, user: {${name}: [x], token: t, as-user-extra: {${name}: [z]}}}]
`)
    expect(Object.entries(config.unknownFields ?? {})).toEqual([[name, { deep: 1 }]])
    expect(Object.entries(config.clusters.get(name) ?? {})).toEqual([
      ['server', 's'],
      [name, 5],
    ])
    const user = config.users.get(name)
    expect(Object.entries(user ?? {}).slice(0, 2)).toEqual([
      [name, ['x']],
      ['token', 't'],
    ])
    expect(Object.entries(user?.['as-user-extra'] ?? {})).toEqual([[name, ['z']]])
    expect(({} as { deep?: unknown }).deep).toBeUndefined()
  })

  it('takes null for absent, and an entry without a name for one with an empty name', async () => {
    const config = await load(
      'clusters: [{name: c, cluster: null}, {cluster: {server: s}}]\nusers: [null]\ncurrent-context: ~',
    )
    expect([...config.clusters]).toEqual([
      ['c', {}],
      ['', { server: 's' }],
    ])
    expect([...config.users]).toEqual([['', {}]])
    expect(config.currentContext).toBe('')
  })

  it.each([
    ['client.authentication.k8s.io/v1alpha1', 'IfAvailable'],
    ['client.authentication.k8s.io/v1beta1', 'IfAvailable'],
    ['client.authentication.k8s.io/v1', undefined],
    ['', undefined],
  ])('defaults interactiveMode of %s to %s', async (apiVersion, mode) => {
    const config = await load(`users: [{name: u, user: {exec: {command: x, apiVersion: "${apiVersion}"}}}]`)
    expect(config.users.get('u')?.exec?.interactiveMode).toBe(mode)
  })

  it('accepts line breaks in base64', async () => {
    const config = await load('clusters: [{name: c, cluster: {certificate-authority-data: "YW\\nJj"}}]')
    expect(config.clusters.get('c')?.['certificate-authority-data']).toBe('YWJj')
  })

  it.each([
    ['bogus value', 'it is not a kubeconfig: it holds a string, not a map'],
    ['[]', 'it is not a kubeconfig: it holds a list, not a map'],
    [
      'kind: Secret\napiVersion: v1',
      'it is not a kubeconfig: its kind is "Secret" of apiVersion "v1", not "Config" of "v1"',
    ],
    ['apiVersion: v2', 'it is not a kubeconfig: its kind is "Config" of apiVersion "v2", not "Config" of "v1"'],
    ['kind: 5', 'kind must be a string, but YAML reads its value as a number: put the value in quotes'],
    ['clusters: 5', 'clusters must be a list, but YAML reads its value as a number'],
    ['clusters: {}', 'clusters must be a list, but YAML reads its value as a map'],
    ['users: [x]', 'users[0] must be a map, but YAML reads its value as a string'],
    ['clusters: [{name: c, cluster: []}]', 'clusters[0].cluster must be a map, but YAML reads its value as a list'],
    [
      'contexts: [{name: 7}]',
      'contexts[0].name must be a string, but YAML reads its value as a number: put the value in quotes',
    ],
    [
      'current-context: 433e40',
      'current-context must be a string, but YAML reads its value as a number: put the value in quotes',
    ],
    [
      'users: [{name: u, user: {token: 12345}}]',
      'users[0].user.token must be a string, but YAML reads its value as a number: put the value in quotes',
    ],
    [
      'users: [{name: u, user: {password: off}}]',
      'users[0].user.password must be a string, but YAML reads its value as true or false: put the value in quotes',
    ],
    [
      'users: [{name: u, user: {as-groups: admins}}]',
      'users[0].user.as-groups must be a list, but YAML reads its value as a string',
    ],
    [
      'users: [{name: u, user: {as-user-extra: {k: v}}}]',
      'users[0].user.as-user-extra.k must be a list, but YAML reads its value as a string',
    ],
    [
      'users: [{name: u, user: {exec: {args: [a, 1]}}}]',
      'users[0].user.exec.args[1] must be a string, but YAML reads its value as a number: put the value in quotes',
    ],
    [
      'users: [{name: u, user: {exec: {env: [{name: A, value: no}]}}}]',
      'users[0].user.exec.env[0].value must be a string, but YAML reads its value as true or false: put the value in quotes',
    ],
    [
      'clusters: [{name: c, cluster: {insecure-skip-tls-verify: "true"}}]',
      'clusters[0].cluster.insecure-skip-tls-verify must be true or false, but YAML reads its value as a string: write it without quotes',
    ],
    [
      'clusters: [{name: c, cluster: {certificate-authority-data: "a b"}}]',
      'clusters[0].cluster.certificate-authority-data is not valid base64',
    ],
    ['users: [{name: u, user: {client-key-data: YWJ}}]', 'users[0].user.client-key-data is not valid base64'],
    ['clusters: [{name: c}, {name: c}]', 'clusters has duplicate name "c" in list'],
    ['users: [{name: u}, {name: u}]', 'users has duplicate name "u" in list'],
    ['contexts: [{name: x}, {name: x}]', 'contexts has duplicate name "x" in list'],
    ['extensions: [{name: e, extension: 1}, {name: e, extension: 2}]', 'extensions has duplicate name "e" in list'],
    [
      'clusters: [{name: c, cluster: {extensions: [{name: e}, {name: e}]}}]',
      'clusters[0].cluster.extensions has duplicate name "e" in list',
    ],
  ])('refuses %s', async (text, problem) => {
    const err = await failure(load(text))
    expect(err.name).toBe('KubeconfigError')
    expect(err.message).toBe(`error loading kubeconfig: ${problem}`)
  })

  it('shows no secret of a user to console.log', async () => {
    const config = await load(`users:
- name: u
  user:
    token: s3cr3t
    password: s3cr3t
    tokn: s3cr3t
    extensions: [{name: e, extension: s3cr3t}]
    client-key-data: czNjcjN0
    auth-provider: {name: oidc, config: {refresh-token: s3cr3t}}
    exec: {command: get-token, args: [s3cr3t], env: [{name: A, value: s3cr3t}], enf: s3cr3t}
`)
    const shown = inspect(config, { depth: 10 })
    expect(shown).not.toMatch(/s3cr3t|czNjcjN0/)
    expect(shown).toContain('get-token')
    expect(shown).toContain("tokn: 'REDACTED'")
  })
})

describe('loadFromFile', () => {
  it('notes the file in every stanza', async () => {
    const file = join(directoryWith({ config: kubeconfig('a') }), 'config')
    const config = await loadFromFile(file)
    const stanzas = [config.clusters, config.users, config.contexts].map((map) => map.get('a'))
    expect(stanzas.map((stanza) => stanza?.locationOfOrigin)).toEqual([file, file, file])
  })

  it('does not believe a file about its origin', async () => {
    const text = 'clusters: [{name: a, cluster: {server: s, locationOfOrigin: /elsewhere}}]'
    expect((await load(text)).clusters.get('a')).toEqual({ server: 's' })
  })

  it.each([
    ['missing', 'ENOENT', 'no such file or directory'],
    ['directory', 'EISDIR', 'is a directory'],
    ['config/below-a-file', 'ENOTDIR', 'not a directory'],
  ])('tells that %s cannot be read', async (name, code, words) => {
    const directory = directoryWith({ config: '', 'directory/x': '' })
    const path = join(directory, name)
    const err = await failure(loadFromFile(path))
    expect(err).toMatchObject({ name: 'KubeconfigError', file: path, code })
    expect(err.message).toContain(`error loading config file "${path}": open ${path}: ${words}`)
  })

  it('tells of a path that a shell would have expanded', async () => {
    expect((await failure(loadFromFile('~/.kube/config'))).message).toContain('give the whole path')
  })

  it('names the file in which a field is wrong', async () => {
    const file = join(directoryWith({ config: 'clusters: 5' }), 'config')
    expect(await failure(loadFromFile(file))).toMatchObject({ file, field: 'clusters' })
  })

  it('can be stopped', async () => {
    const file = join(directoryWith({ config: kubeconfig('a') }), 'config')
    const reason = new Error('enough')
    expect(await failure(loadFromFile(file, { signal: AbortSignal.abort(reason) }))).toBe(reason)
  })
})
