import { readFile, stat, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { Config } from '../rest/index.js'
import type { CredentialReader } from './credential-reader.js'
import { DirectClientConfig } from './direct-client-config.js'
import { isLegacyAuthComplete, loadLegacyAuth, mergeLegacyAuth } from './legacy-auth.js'
import { load } from './load.js'
import { PromptingAuthLoader } from './prompting-auth-loader.js'
import { directoryWith, failure } from './testdata/files.mjs'

function reader(): CredentialReader & { asked: unknown[] } {
  const asked: unknown[] = []
  return {
    asked,
    async read(field, { hidden }) {
      asked.push([field, hidden])
      return field === 'Username' ? ' jane\n' : ' pass '
    },
  }
}

describe('a file of credentials', () => {
  it('is made of what the user says where there is none, and read from then on', async () => {
    const path = join(await directoryWith({}), 'auth')
    const user = reader()
    const loader = new PromptingAuthLoader(user)
    const auth = { user: 'jane', password: ' pass ' }
    expect(await loader.loadAuth(path)).toEqual(auth)
    expect(JSON.parse(await readFile(path, 'utf8'))).toEqual({ User: 'jane', Password: ' pass ' })
    expect((await stat(path)).mode & 0o777).toBe(0o600)
    expect(await loader.loadAuth(path)).toEqual(auth)
    expect(user.asked).toEqual([
      ['Username', false],
      ['Password', true],
    ])
  })

  it('has fields in any case, and makes a Config of another', async () => {
    const path = join(await directoryWith({}), 'auth')
    await writeFile(path, '{"user":"u","PASSWORD":"p","CAFile":"/ca","Insecure":false,"other":1}')
    const auth = await loadLegacyAuth(path)
    expect(auth).toEqual({ user: 'u', password: 'p', caFile: '/ca', insecure: false })
    const merged = mergeLegacyAuth(
      new Config({ host: 'h', bearerToken: 't', tlsClientConfig: { insecure: true } }),
      auth,
    )
    expect(merged).toMatchObject({
      host: 'h',
      username: 'u',
      password: 'p',
      tlsClientConfig: { caFile: '/ca', insecure: false },
    })
    expect(merged.bearerToken).toBeUndefined()
    expect([isLegacyAuthComplete(auth), isLegacyAuthComplete({ password: 'p' })]).toEqual([true, false])
  })

  it.each([
    ['SECRET{', 'it is no JSON object with credentials'],
    ['"SECRET"', 'it is no JSON object with credentials'],
    ['{"User": 5}', 'User must be a string, not number'],
    ['{"Insecure": "SECRET"}', 'Insecure must be a boolean, not string'],
  ])('that is %s is told, and not shown', async (text, message) => {
    const path = join(await directoryWith({}), 'auth')
    await writeFile(path, text)
    const err = await failure(loadLegacyAuth(path))
    expect(err.message).toBe(`error loading config file "${path}": ${message}`)
    expect(String(err.stack)).not.toContain('SECRET')
  })
})

describe('a kubeconfig whose user has no credentials', () => {
  const kubeconfig = (user: string): string => `
current-context: x
clusters: [{name: c, cluster: {server: https://h}}]
users: [{name: u, user: ${user}}]
contexts: [{name: x, context: {cluster: c, user: u}}]
`

  it('has the user asked, once', async () => {
    const user = reader()
    const client = new DirectClientConfig(await load(kubeconfig('{}')), { reader: user })
    for (let i = 0; i < 2; i++) {
      expect(await client.clientConfig()).toMatchObject({ username: 'jane', password: ' pass ' })
    }
    expect(user.asked).toHaveLength(2)
  })

  it('has the user asked for all who wait, though one of them leaves', async () => {
    const user = reader()
    const client = new DirectClientConfig(await load(kubeconfig('{}')), { reader: user })
    const controller = new AbortController()
    const left = client.clientConfig({ signal: controller.signal })
    const stayed = client.clientConfig()
    controller.abort(new Error('enough'))
    await expect(left).rejects.toThrow('enough')
    expect(await stayed).toMatchObject({ username: 'jane', password: ' pass ' })
    expect(user.asked).toHaveLength(2)
  })

  it.each([
    '{token: t}',
    '{username: me, password: p}',
    '{exec: {command: c, apiVersion: client.authentication.k8s.io/v1, interactiveMode: Never}}',
  ])('is not one of %s', async (stanza) => {
    const user = reader()
    await new DirectClientConfig(await load(kubeconfig(stanza)), { reader: user }).clientConfig()
    expect(user.asked).toEqual([])
  })

  it('is as it is where nobody can be asked', async () => {
    const config = await new DirectClientConfig(await load(kubeconfig('{}'))).clientConfig()
    expect(config.username).toBeUndefined()
  })
})
