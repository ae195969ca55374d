// Which files a program reads and writes, and what kubectl's flags mean.

import { parseArgs } from 'node:util'
import fc from 'fast-check'
import {
  ClientConfigLoadingRules,
  type ConfigOverrides,
  overrideFlags,
  overridesFromFlags,
  PathOptions,
} from 'kubewright/clientcmd'
import { expect, it } from 'vitest'
import { runs } from './arbitraries.js'
import { describeWithOracle } from './describe-with-oracle.js'

const file = fc.constantFrom('/no/such/file', '/dev/null', '/', '/etc/passwd', 'relative', '')
const files = fc.record({
  env: fc.array(file, { maxLength: 4 }).map((list) => list.join(':')),
  explicit: fc.oneof({ weight: 4, arbitrary: fc.constant('') }, { weight: 1, arbitrary: file }),
  global: fc.constantFrom('/global', '/dev/null'),
})

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

describeWithOracle('pathoptions', (oracle) => {
  it('names the same files', async () => {
    await fc.assert(
      fc.asyncProperty(files, async (question) => {
        const { env, explicit, global } = question
        const paths = new PathOptions({
          globalFile: global,
          envVar: 'FILES',
          loadingRules: new ClientConfigLoadingRules({ explicitPath: explicit }),
          env: { FILES: env },
          platform: 'linux',
        })
        expect({
          precedence: paths.getLoadingPrecedence(),
          default: await paths.getDefaultFilename(),
          explicit: paths.isExplicitFile(),
        }).toEqual(((await oracle.ask('pathoptions', question)) as { result: unknown }).result)
      }),
      runs(200),
    )
  })

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
