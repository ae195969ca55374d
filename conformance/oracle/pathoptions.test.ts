// Which files a program reads and writes.

import fc from 'fast-check'
import { ClientConfigLoadingRules, PathOptions } from 'kubewright/clientcmd'
import { expect, it } from 'vitest'
import { runs } from './arbitraries.js'
import { describeWithOracle } from './describe-with-oracle.js'

const file = fc.constantFrom('/no/such/file', '/dev/null', '/', '/etc/passwd', 'relative', '')
const files = fc.record({
  env: fc.array(file, { maxLength: 4 }).map((list) => list.join(':')),
  explicit: fc.oneof({ weight: 4, arbitrary: fc.constant('') }, { weight: 1, arbitrary: file }),
  global: fc.constantFrom('/global', '/dev/null'),
})

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
})
