// Which plugins may run, by policy and by the file that they are.

import { delimiter } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { printed, removeDirectories, script, TestPlugin, temporaryDirectory } from './plugins.test-support.js'
import type { ExecPluginPolicy } from './policy.js'
import { validateExecPluginPolicy } from './policy.js'

afterEach(removeDirectories)

const list = (...commands: string[]): ExecPluginPolicy => ({
  policyType: 'Allowlist',
  allowlist: commands.map((command) => ({ command })),
})

describe('a policy', () => {
  it.each<[ExecPluginPolicy]>([
    [{}],
    [{ policyType: 'AllowAll' }],
    [{ policyType: 'DenyAll' }],
    [list('aws')],
    [list('/usr/bin/aws', 'gke')],
  ])('%j is valid', (policy) => {
    expect(() => validateExecPluginPolicy(policy)).not.toThrow()
  })

  it.each<[unknown, string]>([
    [{ allowlist: [] }, 'plugin policy is "" but allowlist is non-nil'],
    [{ policyType: 'AllowAll', allowlist: [] }, 'plugin policy is "AllowAll" but allowlist is non-nil'],
    [{ policyType: 'DenyAll', allowlist: [{ command: 'a' }] }, 'plugin policy is "DenyAll" but allowlist is non-nil'],
    [{ policyType: 'Allowlist' }, 'but allowlist is unspecified'],
    [{ policyType: 'Allowlist', allowlist: null }, 'but allowlist is unspecified'],
    [list(), 'allowlist is empty; use "DenyAll" policy instead'],
    [list('a', ''), 'empty allowlist entry #2'],
    [list('./aws'), 'non-normalized file path: "./aws" vs "aws"'],
    [list('/usr/bin/../aws'), 'non-normalized file path: "/usr/bin/../aws" vs "/usr/aws"'],
    [list('/usr/bin/'), 'non-normalized file path: "/usr/bin/" vs "/usr/bin"'],
    [{ policyType: 'allowAll' }, 'unknown plugin policy: "allowAll"'],
  ])('%j is refused', (policy, message) => {
    expect(() => validateExecPluginPolicy(policy as ExecPluginPolicy)).toThrow(`invalid plugin policy: `)
    expect(() => validateExecPluginPolicy(policy as ExecPluginPolicy)).toThrow(message)
  })
})

describe('a plugin', () => {
  /** Runs `command`; `plugin` is a name along PATH, whose file is at `path`, `missing` is none. */
  async function run(
    command: (path: string) => string,
    policy: (path: string) => ExecPluginPolicy,
  ): Promise<string | undefined> {
    const plugin = new TestPlugin()
    plugin.prints(printed({ token: 'allowed' }))
    const environ = {
      ...process.env,
      PATH: `${temporaryDirectory()}${delimiter}${plugin.directory}${delimiter}/bin:/usr/bin`,
    }
    const authenticator = plugin.authenticator({
      config: plugin.config({ command: command(plugin.path) }),
      policy: policy(plugin.path),
      surroundings: { environ: () => environ },
    })
    const result = await authenticator.credentials().then(
      ({ token }) => token,
      (err: Error) => err.message.replaceAll(plugin.path, 'PATH'),
    )
    expect(plugin.runs).toBe(result === 'allowed' ? 1 : 0)
    return result
  }

  const byName = (): string => 'plugin'
  const byPath = (path: string): string => path
  const missing = (): string => 'missing'
  const missingPath = (path: string): string => `${path}-missing`
  const denied = 'getting credentials: plugin "plugin" not allowed: policy set to "DenyAll"'
  const notListed = 'getting credentials: plugin path "PATH" is not permitted by the credential plugin allowlist'

  it.each<[string, (path: string) => string, (path: string) => ExecPluginPolicy, string]>([
    ['any', byName, () => ({}), 'allowed'],
    ['any', byPath, () => ({ policyType: 'AllowAll' }), 'allowed'],
    ['none', byName, () => ({ policyType: 'DenyAll' }), denied],
    [
      'none, the plugin missing',
      missing,
      () => ({ policyType: 'DenyAll' }),
      'getting credentials: plugin "missing" not allowed: policy set to "DenyAll"',
    ],
    ['the same name', byName, () => list('other', 'plugin'), 'allowed'],
    ['the same path', byPath, (path) => list(path), 'allowed'],
    ['the path of the name', byName, (path) => list(path), 'allowed'],
    ['the name of the path', byPath, () => list('plugin'), 'allowed'],
    ['another path, for a path', (path) => path.replace('/plugin', '/./plugin'), (path) => list(path), 'allowed'],
    ['another name', byName, () => list('other'), notListed],
    ['another file of the same name', byPath, () => list('/elsewhere/plugin'), notListed],
    [
      'another name, the plugin missing',
      missing,
      () => list('other'),
      'cannot be resolved for credential plugin allowlist check',
    ],
    ['the same name, the plugin missing', missing, () => list('missing'), 'exec: executable missing not found'],
    [
      'the same path, the plugin missing',
      missingPath,
      (path) => list(`${path}-missing`),
      'exec: executable PATH-missing not found',
    ],
  ])('with an allowance of %s', async (_name, command, policy, expected) => {
    expect(await run(command, policy)).toContain(expected)
  })

  it('of the same name that comes first along PATH is not the one that is allowed', async () => {
    const plugin = new TestPlugin()
    const before = temporaryDirectory()
    script(before, 'plugin', 'echo "should not run"')
    const environ = { ...process.env, PATH: `${before}${delimiter}${plugin.directory}` }
    const authenticator = plugin.authenticator({
      config: plugin.config({ command: 'plugin' }),
      policy: list(plugin.path),
      surroundings: { environ: () => environ },
    })
    await expect(authenticator.credentials()).rejects.toThrow(`${before}/plugin" is not permitted`)
  })

  it('is not looked for in relative places of PATH', async () => {
    const plugin = new TestPlugin()
    const environ = { PATH: `${delimiter}.${delimiter}src` }
    const authenticator = plugin.authenticator({
      config: plugin.config({ command: 'package.json' }),
      surroundings: { environ: () => environ },
    })
    await expect(authenticator.credentials()).rejects.toThrow('executable package.json not found')
  })
})
