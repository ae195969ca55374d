import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { getConfig } from './get-config.js'
import { newDefaultClientConfigLoadingRules } from './loading-rules.js'
import { persisterForUser } from './persister.js'
import { directoryWith, failure, kubeconfig } from './testdata/files.mjs'

const withOidc = (name: string): string =>
  kubeconfig(name).replace(
    `{token: token-of-${name}}`,
    '{auth-provider: {name: oidc, config: {idp-issuer-url: "https://issuer", client-id: me, id-token: old, ' +
      'idp-certificate-authority: issuer.pem}}}',
  )

describe('an OIDC user', () => {
  it('becomes a Config with the issuer’s authority found from its file, and renewed tokens are written back', async () => {
    const directory = directoryWith({ first: kubeconfig('other'), second: withOidc('me') })
    const env = { KUBECONFIG: `${join(directory, 'first')}:${join(directory, 'second')}` }
    const config = await getConfig({ env, context: 'me' })
    expect(config.authProvider).toEqual({
      name: 'oidc',
      config: {
        'idp-issuer-url': 'https://issuer',
        'client-id': 'me',
        'id-token': 'old',
        'idp-certificate-authority': join(directory, 'issuer.pem'),
      },
    })
    const before = readFileSync(join(directory, 'first'), 'utf8')
    await config.authConfigPersister?.persist({ 'idp-issuer-url': 'https://issuer', 'id-token': 'new' })
    expect(readFileSync(join(directory, 'first'), 'utf8')).toBe(before)
    const again = await getConfig({ env, context: 'me' })
    expect(again.authProvider?.config).toEqual({ 'idp-issuer-url': 'https://issuer', 'id-token': 'new' })
  })

  it('that is gone cannot be written back', async () => {
    const directory = directoryWith({ config: kubeconfig('other') })
    const rules = newDefaultClientConfigLoadingRules({ explicitPath: join(directory, 'config') })
    const err = await failure(Promise.resolve(persisterForUser(rules, 'other').persist({ 'id-token': 'S3CRET' })))
    expect(err.message).toBe('cannot keep renewed credentials: the kubeconfig has no auth-provider of a user "other"')
  })
})
