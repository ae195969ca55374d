// What kubectl's flags mean.

import { parseArgs } from 'node:util'
import fc from 'fast-check'
import { type ConfigOverrides, overrideFlags, overridesFromFlags } from 'kubewright/clientcmd'
import { expect, it } from 'vitest'
import { runs } from './arbitraries.js'
import { describeWithOracle } from './describe-with-oracle.js'

const value = fc.oneof(
  fc.constantFrom('', '0', '5s', 'ns/a', 'Namespaces/a', 'namespace/ns/b', 'ns/', 'https://h/p', '-x', 'a=b', 'ü'),
  fc.string({ unit: 'grapheme', maxLength: 8 }).filter((text) => !text.includes('\0')),
)
const names = Object.entries<{ type: string }>(overrideFlags()).filter(([name]) => name !== 'kubeconfig')
const switches = names.flatMap(([name, { type }]) => (type === 'boolean' ? [name] : []))
const texts = names.flatMap(([name, { type }]) => (type === 'boolean' ? [] : [name]))
const flag = fc.oneof(
  fc.tuple(fc.constantFrom(...texts), value).map(([name, text]) => ({ name, text })),
  fc.constantFrom(...switches).map((name) => ({ name, text: undefined })),
)
const flags = fc.record({ prefix: fc.constantFrom('', 'from-'), given: fc.array(flag, { maxLength: 6 }) })

function flat({ authInfo, clusterInfo, context, currentContext, timeout }: ConfigOverrides): Record<string, unknown> {
  return {
    certificate: authInfo?.['client-certificate'] ?? '',
    key: authInfo?.['client-key'] ?? '',
    token: authInfo?.token ?? '',
    as: authInfo?.as ?? '',
    uid: authInfo?.['as-uid'] ?? '',
    groups: authInfo?.['as-groups'] ?? [],
    username: authInfo?.username ?? '',
    password: authInfo?.password ?? '',
    server: clusterInfo?.server ?? '',
    authority: clusterInfo?.['certificate-authority'] ?? '',
    insecure: clusterInfo?.['insecure-skip-tls-verify'] ?? false,
    serverName: clusterInfo?.['tls-server-name'] ?? '',
    proxy: clusterInfo?.['proxy-url'] ?? '',
    uncompressed: clusterInfo?.['disable-compression'] ?? false,
    cluster: context?.cluster ?? '',
    user: context?.user ?? '',
    namespace: context?.namespace ?? '',
    context: currentContext ?? '',
    // The flag's default in client-go.
    timeout: timeout ?? '0',
  }
}

describeWithOracle('overrideflags', (oracle) => {
  it('reads the same from flags', async () => {
    await fc.assert(
      fc.asyncProperty(flags, async ({ prefix, given }) => {
        const args = given.map(({ name, text }) => `--${prefix}${name}${text === undefined ? '' : `=${text}`}`)
        const { values } = parseArgs({ args, options: overrideFlags({ prefix }) })
        const answer = await oracle.ask('overrideflags', { prefix, args })
        expect({ result: flat(overridesFromFlags(values, { prefix })) }).toEqual(answer)
      }),
      runs(200),
    )
  })
})
