import { chmodSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { encodeKubeConfig, write, writeToFile } from './encode.js'
import { load, loadFromFile } from './load.js'
import { directoryWith, kubeconfig } from './testdata/files.mjs'
import { newKubeConfig } from './types.js'

describe('write', () => {
  it('sorts by name and quotes what would not be a string', async () => {
    const server = 'https://localhost:1234'
    const config = newKubeConfig({
      currentContext: 'any-context-value',
      contexts: new Map([['433e40', { cluster: '433e40' }]]),
      clusters: new Map([
        ['433e40', { server }],
        ['1', { server }],
        ['0', { server, locationOfOrigin: '/somewhere' }],
      ]),
    })
    const text = await write(config)
    expect(text.replaceAll("'", '"')).toBe(`apiVersion: v1
clusters:
- cluster:
    server: https://localhost:1234
  name: "0"
- cluster:
    server: https://localhost:1234
  name: "1"
- cluster:
    server: https://localhost:1234
  name: "433e40"
contexts:
- context:
    cluster: "433e40"
    user: ""
  name: "433e40"
current-context: any-context-value
kind: Config
users: null
`)
  })

  it('sorts extensions by name, wherever there are some', async () => {
    const extension = (name: string): { name: string; extension: unknown } => ({ name, extension: { b: name, a: 1 } })
    const extensions = [extension('b'), extension('a')]
    const stanza = { extensions }
    const config = newKubeConfig({
      clusters: new Map([['c', stanza]]),
      users: new Map([['u', stanza]]),
      contexts: new Map([['x', stanza]]),
      preferences: stanza,
      extensions,
    })
    const sorted = [extension('a'), extension('b')]
    expect(encodeKubeConfig(config)).toMatchObject({
      clusters: [{ cluster: { extensions: sorted } }],
      users: [{ user: { extensions: sorted } }],
      contexts: [{ context: { extensions: sorted } }],
      preferences: { extensions: sorted },
      extensions: sorted,
    })
    expect(extensions[0]?.name).toBe('b')
  })

  it('leaves out what is empty', async () => {
    const config = newKubeConfig({
      clusters: new Map([['c', { server: 's', 'insecure-skip-tls-verify': false, 'proxy-url': '', extensions: [] }]]),
      preferences: { colors: false },
      extensions: [],
    })
    expect(await write(config)).toBe(
      'apiVersion: v1\nclusters:\n- cluster:\n    server: s\n  name: c\ncontexts: null\ncurrent-context: ""\nkind: Config\nusers: null\n'.replaceAll(
        '""',
        "''",
      ),
    )
  })

  it.each([
    'yes',
    'no',
    'on',
    'y',
    'null',
    '~',
    '1_000',
    '0x1f',
    '017',
    '08',
    '1e3',
    '.5',
    '2020-01-01',
    '12:30',
    '<<',
    '=',
    '',
    ' a ',
    'a: b',
    '#x',
    '*x',
    '!x',
    'multi\nline\n',
    '\u2028',
    '🐟',
  ])('writes the token %j so that it is read as it was', async (token) => {
    const config = newKubeConfig({ users: new Map([['u', { token }]]) })
    expect((await load(await write(config))).users.get('u')?.token ?? '').toBe(token)
  })

  it('keeps everything that was read', async () => {
    const text = `
colour: blue
preferences: {colors: true, extensions: [{name: e, extension: {a: 1}}]}
clusters: [{name: c, cluster: {server: s, api-version: v1, certificate-authority-data: YWJj, extensions: [{name: e, extension: {deep: [1, true, null]}}]}}]
users: [{name: u, user: {token: "5", shoe-size: 43, as-user-extra: {k: [v]}, exec: {command: x, args: ["1"], apiVersion: v, interactiveMode: Never}}}]
contexts: [{name: x, context: {cluster: c, user: u, mood: good}}]
current-context: x
extensions: [{name: e, extension: 5}]
`
    const config = await load(text)
    expect(await load(await write(config))).toEqual(config)
  })
})

describe('writeToFile', () => {
  it('makes directories and a private file', async () => {
    const path = join(directoryWith(), 'deep/er/config')
    await writeToFile(await load(kubeconfig('a')), path)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect((await loadFromFile(path)).users.get('a')?.token).toBe('token-of-a')
  })

  it('replaces a file, whose mode stays', async () => {
    const path = join(directoryWith({ config: 'x'.repeat(10_000) }), 'config')
    chmodSync(path, 0o640)
    await writeToFile(newKubeConfig(), path)
    expect(statSync(path).mode & 0o777).toBe(0o640)
    expect(readFileSync(path, 'utf8')).toMatch(/^apiVersion: v1\n/)
    writeFileSync(path, '')
  })
})
