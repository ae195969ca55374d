// The program with the kubeconfig of the example behind the administrator's, as its first lines say.

import { execFile } from 'node:child_process'
import { delimiter } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { controlPlane, describeWithControlPlane } from '../../conformance/control-plane/fixture.js'
import { programOf } from '../run.test-support.js'

const cwd = fileURLToPath(new URL('../../', import.meta.url))
const stanza = fileURLToPath(new URL('kubeconfig.yaml', import.meta.url))
const env = (): NodeJS.ProcessEnv => ({
  ...process.env,
  KUBECONFIG: [controlPlane().kubeconfigPath, stanza].join(delimiter),
})

describeWithControlPlane('a credential plugin', () => {
  it('logs in as a ServiceAccount', async () => {
    const { stdout, stderr } = await promisify(execFile)(process.execPath, [programOf('exec-plugin')], {
      cwd,
      env: env(),
    })
    expect(stderr).toBe('')
    expect(stdout.split('\n')).toContain('user=system:serviceaccount:default:default')
    expect(stdout.split('\n')).toContain('group=system:serviceaccounts:default')
  })

  it('does the same for kubectl', async () => {
    // Not by the fixture's kubectl, which sets KUBECONFIG itself.
    const args = ['kubectl', '--user=service-account', 'auth', 'whoami', '-o=jsonpath={.status.userInfo.username}']
    const { stdout } = await promisify(execFile)(controlPlane().info.binary, args, { cwd, env: env() })
    expect(stdout).toBe('system:serviceaccount:default:default')
  })
})
