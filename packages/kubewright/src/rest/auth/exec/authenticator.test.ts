// One plugin: what it is told, what is taken from it, and when it runs again.

import { X509Certificate } from 'node:crypto'
import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { inspect } from 'node:util'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { FakeClock } from '../../../clock/fake-clock.js'
import type { ExecConfig } from '../exec-config.js'
import { ExecAuthenticator, type ExecAuthenticatorOptions } from './authenticator.js'
import type { ClientCertificateEvent, PluginPolicyCall } from './plugin-calls.js'
import { ExecPluginError } from './plugin-error.js'
import { printed, removeDirectories, TestPlugin, v1, v1beta1 } from './plugins.test-support.js'

const pem = (name: string): string => readFileSync(new URL(`../../transport/testdata/${name}`, import.meta.url), 'utf8')
const certificate = { clientCertificateData: pem('client.pem'), clientKeyData: pem('client.key') }
const otherCertificate = { clientCertificateData: pem('server.pem'), clientKeyData: pem('server.key') }

// Generous: nothing here depends on how fast the machine is.
vi.setConfig({ testTimeout: 60_000 })
afterEach(removeDirectories)

const cluster = {
  server: 'foo',
  'tls-server-name': 'bar',
  'insecure-skip-tls-verify': undefined,
  'certificate-authority-data': 'YmF6',
  config: { apiVersion: 'group/v1', kind: 'PluginConfig', spec: { audience: 'snorlax' } },
}

interface Case {
  config?: Partial<ExecConfig>
  cluster?: ExecAuthenticatorOptions['cluster']
  terminal?: boolean
  stdinUnavailable?: boolean | string
  output?: string
  /** What the plugin is told besides kind and apiVersion. */
  told?: object
  gives?: { token?: string; certificate?: true; expiresAt?: number }
  fails?: string
}

const token = { token: 'foo-bar' }
const notInteractive = { interactive: false }
const interactive = { interactive: true }
const cannot = 'getting credentials: exec plugin cannot support interactive mode: '

const basic: [string, Case][] = [
  ['a certificate', { output: printed(certificate, v1beta1), told: notInteractive, gives: { certificate: true } }],
  ['a token', { told: notInteractive, gives: token }],
  ['never interactive', { config: { interactiveMode: 'Never' }, told: notInteractive, gives: token }],
  [
    'never interactive, on a terminal',
    { config: { interactiveMode: 'Never' }, terminal: true, told: notInteractive, gives: token },
  ],
  [
    'never interactive, without stdin',
    { config: { interactiveMode: 'Never' }, stdinUnavailable: true, told: notInteractive, gives: token },
  ],
  ['interactive if available, without a terminal', { told: notInteractive, gives: token }],
  ['interactive if available, without stdin', { stdinUnavailable: true, told: notInteractive, gives: token }],
  ['interactive if available, on a terminal', { terminal: true, told: interactive, gives: token }],
  [
    'interactive if available, on a terminal without stdin',
    { terminal: true, stdinUnavailable: true, told: notInteractive, gives: token },
  ],
  [
    'always interactive, without a terminal',
    { config: { interactiveMode: 'Always' }, fails: `${cannot}standard input is not a terminal` },
  ],
  [
    'always interactive, without stdin',
    {
      config: { interactiveMode: 'Always' },
      terminal: true,
      stdinUnavailable: true,
      fails: `${cannot}standard input is unavailable`,
    },
  ],
  [
    'always interactive, without stdin for a reason',
    {
      config: { interactiveMode: 'Always' },
      terminal: true,
      stdinUnavailable: 'some message',
      fails: `${cannot}standard input is unavailable: some message`,
    },
  ],
  [
    'always interactive, on a terminal',
    { config: { interactiveMode: 'Always' }, terminal: true, told: interactive, gives: token },
  ],
  [
    'an expiration',
    {
      output: printed({ ...token, expirationTimestamp: '2006-01-02T15:04:05Z' }, v1beta1),
      told: notInteractive,
      gives: { ...token, expiresAt: Date.UTC(2006, 0, 2, 15, 4, 5) },
    },
  ],
  [
    'v1',
    {
      config: { apiVersion: v1 },
      output: printed(token, v1),
      told: notInteractive,
      gives: token,
    },
  ],
  [
    'v1 without an interactive mode',
    {
      config: { apiVersion: v1, interactiveMode: undefined },
      fails: `${cannot}unknown interactiveMode: ""; give Never, IfAvailable or Always`,
    },
  ],
  [
    'a cluster that it is to be told',
    {
      config: { provideClusterInfo: true },
      cluster,
      told: {
        cluster: {
          server: 'foo',
          'tls-server-name': 'bar',
          'certificate-authority-data': 'YmF6',
          config: { apiVersion: 'group/v1', kind: 'PluginConfig', spec: { audience: 'snorlax' } },
        },
        interactive: false,
      },
      gives: token,
    },
  ],
  ['a cluster that it is not to be told', { cluster, told: notInteractive, gives: token }],
]

const bad: [string, string, string][] = [
  ['nothing', '', 'decoding stdout: the plugin printed nothing'],
  ['no JSON', 'Logging in…\nS3CRET', 'decoding stdout: what the plugin printed (18 characters) is not JSON'],
  ['no object', '["S3CRET"]', 'decoding stdout: what the plugin printed is not a JSON object'],
  ['no kind', '{"S3CRET":1}', "decoding stdout: Object 'Kind' is missing"],
  ['another kind', '{"kind":"S3CRET"}', 'decoding stdout: what the plugin printed is not of kind ExecCredential'],
  ['no version', '{"kind":"ExecCredential"}', "decoding stdout: Object 'apiVersion' is missing"],
  [
    'another version',
    printed({ token: 'S3CRET' }, v1),
    `exec plugin is configured to use API version ${v1beta1}, plugin returned version ${v1}`,
  ],
  ['no status', printed(undefined, v1beta1), "exec plugin didn't return a status field"],
  ['a null status', printed(null, v1beta1), "exec plugin didn't return a status field"],
  ['a status of text', printed('S3CRET', v1beta1), 'decoding stdout: status is not an object'],
  ['no token', printed({}, v1beta1), "exec plugin didn't return a token or cert/key pair"],
  ['an empty token', printed({ token: '' }, v1beta1), "exec plugin didn't return a token or cert/key pair"],
  ['a token of another type', printed({ token: 5 }, v1beta1), 'decoding stdout: status.token is not a string'],
  [
    'a certificate without a key',
    printed({ clientCertificateData: pem('client.pem') }, v1beta1),
    'exec plugin returned only certificate or key, not both',
  ],
  [
    'a key without a certificate',
    printed({ clientKeyData: 'S3CRET', token: 'a' }, v1beta1),
    'exec plugin returned only certificate or key, not both',
  ],
  [
    'a bad certificate',
    printed({ clientKeyData: 'S3CRET', clientCertificateData: 'bar' }, v1beta1),
    'failed parsing client key/certificate: ',
  ],
  [
    'a certificate and the key of another',
    printed({ ...certificate, clientKeyData: pem('server.key') }, v1beta1),
    'failed parsing client key/certificate: ',
  ],
  [
    'a bad time',
    printed({ token: 'S3CRET', expirationTimestamp: 'tomorrow' }, v1beta1),
    'decoding stdout: status.expirationTimestamp is not an RFC 3339 time',
  ],
]

describe('a run', () => {
  it.each(basic)('%s', async (_name, test) => {
    const plugin = new TestPlugin()
    plugin.prints(test.output ?? printed(token, v1beta1))
    const config = plugin.config({ apiVersion: v1beta1, interactiveMode: 'IfAvailable', ...test.config })
    const stdin = openSync('/dev/null', 'r')
    const surroundings = { isTerminal: () => test.terminal ?? false, stdin }
    const { cluster, stdinUnavailable } = test
    const authenticator = plugin.authenticator({ config, cluster, stdinUnavailable, surroundings })
    if (test.fails !== undefined) {
      await expect(authenticator.credentials()).rejects.toThrow(new ExecPluginError(test.fails.slice(21), config))
      return
    }
    const given = await authenticator.credentials()
    expect(given.token).toBe(test.gives?.token)
    expect(given.expiresAt).toBe(test.gives?.expiresAt)
    expect(given.certificate?.certData).toBe(test.gives?.certificate && certificate.clientCertificateData)
    expect(given.certificate?.keyData).toBe(test.gives?.certificate && certificate.clientKeyData)
    expect(JSON.parse(plugin.told)).toEqual({
      kind: 'ExecCredential',
      apiVersion: config.apiVersion,
      spec: test.told,
    })
    expect(inspect({ given, authenticator }, { depth: 9, showHidden: true })).not.toMatch(/foo-bar|PRIVATE/)
    closeSync(stdin)
  })

  it.each(bad)('that prints %s fails, and nothing of it is told', async (_name, output, message) => {
    const plugin = new TestPlugin()
    plugin.prints(output)
    const authenticator = plugin.authenticator({ config: plugin.config({ apiVersion: v1beta1 }) })
    const err = await authenticator.credentials().catch((err: unknown) => err)
    expect(err).toBeInstanceOf(ExecPluginError)
    expect((err as Error).message).toContain(`getting credentials: ${message}`)
    expect(inspect(err, { depth: 9, showHidden: true })).not.toContain('S3CRET')
  })

  it('has the environment of the process, then that of the stanza, then what it is told', async () => {
    const plugin = new TestPlugin(
      `printf '%s' '{"kind":"ExecCredential","apiVersion":"${v1}","status":{"token":"'"$1,$A,$B"'"}}'`,
    )
    const env = [
      { name: 'B', value: 'ours' },
      { name: 'KUBERNETES_EXEC_INFO', value: 'ours' },
    ]
    const surroundings = { environ: () => ({ ...process.env, A: 'process', B: 'process' }) }
    const authenticator = plugin.authenticator({ config: plugin.config({ env, args: ['arg'] }), surroundings })
    expect((await authenticator.credentials()).token).toBe('arg,process,ours')
    expect(JSON.parse(plugin.told)).toMatchObject({ kind: 'ExecCredential' })
  })

  it.each<['Always' | 'Never', string]>([
    ['Always', 'typed'],
    ['Never', 'none'],
  ])('that is interactive %s reads %s from standard input', async (interactiveMode, expected) => {
    const plugin = new TestPlugin(
      `read -r line; printf '%s' '{"kind":"ExecCredential","apiVersion":"${v1}","status":{"token":"'"\${line:-none}"'"}}'`,
    )
    const typed = `${plugin.path}.typed`
    writeFileSync(typed, 'typed\n')
    const stdin = openSync(typed, 'r')
    const surroundings = { stdin, isTerminal: () => true }
    const authenticator = plugin.authenticator({ config: plugin.config({ interactiveMode }), surroundings })
    expect((await authenticator.credentials()).token).toBe(expected)
    closeSync(stdin)
  })

  it('speaks to the user on standard error', async () => {
    const plugin = new TestPlugin('echo "log in at …" >&2; cat "$0.out"')
    plugin.prints(printed(token))
    const messages = `${plugin.path}.messages`
    const stderr = openSync(messages, 'w')
    await plugin.authenticator({ surroundings: { stderr } }).credentials()
    closeSync(stderr)
    expect(readFileSync(messages, 'utf8')).toBe('log in at …\n')
  })

  it.each<[string, string, string, number | undefined]>([
    ['fails', 'echo S3CRET; exit 73', 'failed with exit code 73', 73],
    ['ends by a signal', 'kill -9 $$', 'failed with exit code -1 (SIGKILL)', -1],
    [
      'prints without end',
      'cat /dev/zero 2> /dev/null',
      'printed more than 10 MiB; a credential plugin prints',
      undefined,
    ],
  ])('that %s says so', async (_name, body, message, exitCode) => {
    const plugin = new TestPlugin(body)
    const config = plugin.config({ args: ['S3CRET'], env: [{ name: 'PASSWORD', value: 'S3CRET' }] })
    const authenticator = plugin.authenticator({ config })
    const err = (await authenticator.credentials().catch((err: unknown) => err)) as ExecPluginError
    expect(err.message).toContain(`getting credentials: exec: executable ${plugin.path} ${message}`)
    expect(err).toMatchObject({ name: 'ExecPluginError', command: plugin.path, exitCode })
    expect(inspect(err, { depth: 9, showHidden: true })).not.toContain('S3CRET')
  })

  it.each<[string, Partial<ExecConfig>, string]>([
    ['a zero byte', { env: [{ name: 'A', value: 'S3CRET\0' }] }, 'ERR_INVALID_ARG_VALUE'],
    ['too much', { env: [{ name: 'A', value: 'S3CRET'.repeat(100_000) }] }, 'too long for this system'],
  ])('that cannot be started for %s says so', async (_name, fields, message) => {
    const plugin = new TestPlugin()
    const authenticator = plugin.authenticator({ config: plugin.config(fields) })
    const err = await authenticator.credentials().catch((err: unknown) => err)
    expect((err as Error).message).toContain(`cannot start executable ${plugin.path}: `)
    expect((err as Error).message).toContain(message)
    expect(inspect(err, { depth: 9, showHidden: true })).not.toContain('S3CRET')
  })

  it('whose interpreter is missing says so', async () => {
    const plugin = new TestPlugin()
    writeFileSync(plugin.path, '#!/no/such/interpreter\n')
    const authenticator = plugin.authenticator()
    await expect(authenticator.credentials()).rejects.toThrow('the interpreter that it names is missing')
  })
})

describe('a plugin that is not there', () => {
  const config = { command: 'does not exist', apiVersion: v1, interactiveMode: 'Never' } as const

  it.each(['does not exist', '/does/not/exist', './does-not-exist'])('%s is named, with the hint', async (command) => {
    const authenticator = new ExecAuthenticator({
      config: { ...config, command, installHint: 'some install hint' },
      clock: new FakeClock(),
    })
    const err = await authenticator.credentials().catch((err: unknown) => err)
    expect((err as Error).message).toMatch(
      new RegExp(`^getting credentials: exec: executable ${command} not found\n[^]*https://[^]*\n\nsome install hint$`),
    )
  })

  it('gets ten hints an hour', async () => {
    const clock = new FakeClock()
    const authenticator = new ExecAuthenticator({ config: { ...config, installHint: 'HINT' }, clock })
    const hints = async (tries: number): Promise<number> => {
      let count = 0
      for (let i = 0; i < tries; i++) {
        const err = await authenticator.credentials().catch((err: unknown) => err as Error)
        expect((err as Error).message).toContain('exec: executable does not exist not found')
        if ((err as Error).message.includes('HINT')) count++
      }
      return count
    }
    expect(await hints(12)).toBe(10)
    await clock.advance(3_599_999)
    expect(await hints(1)).toBe(0)
    await clock.advance(1)
    expect(await hints(12)).toBe(10)
  })
})

it.each<[Partial<ExecAuthenticatorOptions> & { config: ExecConfig }, string]>([
  [
    { config: { command: 'x', apiVersion: 'client.authentication.k8s.io/v1alpha1' } },
    'exec plugin: invalid apiVersion "client.authentication.k8s.io/v1alpha1"',
  ],
  [{ config: { command: '', apiVersion: v1 } }, 'exec plugin: command must be specified'],
  [
    { config: { command: 'x', apiVersion: v1 }, policy: { policyType: 'Allowlist' } },
    'invalid plugin policy: credential plugin policy set to "Allowlist", but allowlist is unspecified',
  ],
])('refuses %j', (options, message) => {
  expect(() => new ExecAuthenticator({ clock: new FakeClock(), ...options })).toThrow(new Error(message))
})

describe('credentials', () => {
  const at = (ms: number): string => new Date(ms).toISOString()

  it('are used until after their expiration, by the clock', async () => {
    const plugin = new TestPlugin()
    const clock = new FakeClock(Date.UTC(2026, 0, 1))
    const authenticator = plugin.authenticator({ clock })
    plugin.prints(printed({ token: 'one', expirationTimestamp: at(clock.now() + 60_000) }))
    expect((await authenticator.credentials()).token).toBe('one')
    plugin.prints(printed({ token: 'two' }))
    await clock.advance(60_000)
    expect((await authenticator.credentials()).token).toBe('one')
    await clock.advance(1)
    expect((await authenticator.credentials()).token).toBe('two')
    // Without an expiration they last.
    await clock.advance(1e10)
    expect((await authenticator.credentials()).token).toBe('two')
    expect(plugin.runs).toBe(2)
  })

  it('that are given expired are used for what asked for them', async () => {
    const plugin = new TestPlugin()
    plugin.prints(printed({ token: 'old', expirationTimestamp: '2006-01-02T15:04:05Z' }))
    const authenticator = plugin.authenticator({ clock: new FakeClock(Date.UTC(2026, 0, 1)) })
    expect((await authenticator.credentials()).token).toBe('old')
    expect((await authenticator.credentials()).token).toBe('old')
    expect(plugin.runs).toBe(2)
  })

  it('are asked for once by twenty', async () => {
    const plugin = new TestPlugin()
    plugin.prints(printed(token))
    const authenticator = plugin.authenticator()
    const all = await Promise.all(Array.from({ length: 20 }, () => authenticator.credentials()))
    expect(new Set(all).size).toBe(1)
    expect(plugin.runs).toBe(1)
  })

  it('are asked for again once they are refused, unless they are others by then', async () => {
    const plugin = new TestPlugin()
    const authenticator = plugin.authenticator()
    plugin.prints(printed({ token: 'one' }))
    const one = await authenticator.credentials()
    plugin.prints(printed({ token: 'two' }))
    authenticator.reject(one)
    const [two] = await Promise.all([authenticator.credentials(), authenticator.credentials()])
    expect(two.token).toBe('two')
    authenticator.reject(one)
    expect(await authenticator.credentials()).toBe(two)
    expect(plugin.runs).toBe(2)
  })

  it('are asked for again after a failure', async () => {
    const plugin = new TestPlugin()
    const authenticator = plugin.authenticator()
    plugin.prints('no')
    await expect(authenticator.credentials()).rejects.toThrow('not JSON')
    plugin.prints(printed(token))
    expect((await authenticator.credentials()).token).toBe('foo-bar')
  })
})

describe('certificates', () => {
  it('are told of when they change, before anybody gets them', async () => {
    const plugin = new TestPlugin()
    const authenticator = plugin.authenticator()
    const seen: (string | undefined)[] = []
    const end = authenticator.onCertificateChange(() => seen.push(authenticator.currentCertificate()?.certData))
    const run = async (status: object): Promise<void> => {
      plugin.prints(printed(status))
      authenticator.reject(await authenticator.credentials())
    }
    expect(authenticator.currentCertificate()).toBeUndefined()
    await run(certificate)
    await run({ ...certificate, token: 'a' })
    expect(seen).toEqual([certificate.clientCertificateData])
    await run(otherCertificate)
    await run({ token: 'b' })
    await run({ token: 'c' })
    expect(seen.slice(1)).toEqual([otherCertificate.clientCertificateData, undefined])
    end()
    await run(certificate)
    expect(seen).toHaveLength(3)
  })
})

describe('a plugin that hangs', () => {
  const hangs = 'echo $$ > "$0.pid"; exec sleep 1000'
  const pidOf = async (plugin: TestPlugin): Promise<number> => {
    const read = (): number => Number(readFileSync(`${plugin.path}.pid`, 'utf8'))
    await expect.poll(read, { timeout: 30_000 }).toBeGreaterThan(0)
    return read()
  }
  const isAlive = (pid: number): boolean => {
    try {
      return process.kill(pid, 0)
    } catch {
      return false
    }
  }
  const ended = (pid: number): Promise<void> => expect.poll(() => isAlive(pid), { timeout: 30_000 }).toBe(false)

  it('is ended when the last of those who wait has left, and runs anew for the next', async () => {
    const plugin = new TestPlugin(`if [ -e "$0.out" ]; then cat "$0.out"; else ${hangs}; fi`)
    const authenticator = plugin.authenticator()
    const [one, two] = [new AbortController(), new AbortController()]
    const first = authenticator.credentials({ signal: one.signal })
    const second = authenticator.credentials({ signal: two.signal })
    const pid = await pidOf(plugin)
    one.abort(new Error('one'))
    await expect(first).rejects.toThrow('one')
    expect(isAlive(pid)).toBe(true)
    two.abort(new Error('two'))
    await expect(second).rejects.toThrow('two')
    plugin.prints(printed(token))
    expect((await authenticator.credentials()).token).toBe('foo-bar')
    expect(isAlive(pid)).toBe(false)
    expect(plugin.runs).toBe(2)
  })

  it('is killed when it does not go by itself', async () => {
    const plugin = new TestPlugin('trap "" TERM; echo $$ > "$0.pid"; while :; do sleep 0.1; done')
    const clock = new FakeClock()
    const authenticator = plugin.authenticator({ clock })
    const controller = new AbortController()
    const credentials = authenticator.credentials({ signal: controller.signal })
    const pid = await pidOf(plugin)
    controller.abort(new Error('enough'))
    await expect(credentials).rejects.toThrow('enough')
    expect(clock.pendingTimers).toBe(1)
    expect(isAlive(pid)).toBe(true)
    await clock.advance(2_000)
    await ended(pid)
  })

  it('is not started for who has left', async () => {
    const plugin = new TestPlugin(hangs)
    const authenticator = plugin.authenticator()
    await expect(authenticator.credentials({ signal: AbortSignal.abort(new Error('gone')) })).rejects.toThrow('gone')
    expect(plugin.runs).toBe(0)
  })
})

it('tells diagnostics channels whether plugins may run, and of the certificates that they give', async () => {
  const policies: PluginPolicyCall[] = []
  const certificates: ClientCertificateEvent[] = []
  const onPolicy = (call: unknown): void => void policies.push(call as PluginPolicyCall)
  const onCertificate = (event: unknown): void => void certificates.push(event as ClientCertificateEvent)
  subscribe('kubewright:rest:exec-plugin-policy', onPolicy)
  subscribe('kubewright:rest:client-certificate', onCertificate)
  const { validFrom, validTo } = new X509Certificate(pem('client.pem'))
  const plugin = new TestPlugin()
  const clock = new FakeClock(Date.parse(validFrom) + 5000)
  const authenticator = plugin.authenticator({ clock })
  for (const status of [certificate, certificate, otherCertificate, token]) {
    plugin.prints(printed(status))
    authenticator.reject(await authenticator.credentials())
  }
  const denied = plugin.authenticator({ policy: { policyType: 'DenyAll' } })
  await expect(denied.credentials()).rejects.toThrow(ExecPluginError)
  unsubscribe('kubewright:rest:exec-plugin-policy', onPolicy)
  unsubscribe('kubewright:rest:client-certificate', onCertificate)
  expect(policies.map(({ status }) => status)).toEqual(['allowed', 'allowed', 'allowed', 'allowed', 'denied'])
  const expiresAt = Date.parse(validTo)
  expect(certificates).toMatchObject([
    { expiresAt, replacedAgeMs: undefined },
    { expiresAt, replacedAgeMs: undefined },
    { expiresAt: Date.parse(new X509Certificate(pem('server.pem')).validTo), replacedAgeMs: 5000 },
    { expiresAt: undefined, replacedAgeMs: expect.any(Number) },
  ])
  expect(new Set(certificates.map(({ source }) => source)).size).toBe(1)
})

it('tells a diagnostics channel how each run ended', async () => {
  const calls: unknown[] = []
  const listen = (call: unknown): void => void calls.push(call)
  subscribe('kubewright:rest:exec-plugin', listen)
  const run = async (plugin: TestPlugin, fields: Partial<ExecConfig> = {}): Promise<void> => {
    const authenticator = plugin.authenticator({ config: plugin.config(fields) })
    await authenticator.credentials().catch(() => {})
  }
  await run(new TestPlugin('echo no'))
  await run(new TestPlugin('exit 3'))
  await run(new TestPlugin(), { command: '/does/not/exist' })
  await run(new TestPlugin(), { args: ['\0'] })
  unsubscribe('kubewright:rest:exec-plugin', listen)
  expect(calls).toEqual([
    { exitCode: 0, status: 'no_error' },
    { exitCode: 3, status: 'plugin_execution_error' },
    { exitCode: 1, status: 'plugin_not_found_error' },
    { exitCode: 1, status: 'client_internal_error' },
  ])
})
