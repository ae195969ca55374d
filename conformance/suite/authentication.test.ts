// Who the server says we are, for each way to log in; and that what is renewed while requests run fails none of them.

import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  Clientset,
  ConnectionError,
  getConfig,
  inClusterConfig,
  isBadRequest,
  isForbidden,
  isUnauthorized,
} from 'kubewright'
import type { UserInfo } from 'kubewright/api/authentication/v1'
import {
  type AuthInfo,
  getNamespace,
  InClusterClientConfig,
  load,
  loadFromFile,
  newKubeConfig,
  writeToFile,
} from 'kubewright/clientcmd'
import { FakeClock } from 'kubewright/clock'
import { type ConfigOptions, copyConfig, ExecPluginError, noLogger } from 'kubewright/rest'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { controlPlane, describeWithControlPlane, suiteNamespace } from '../control-plane/fixture.js'
import { type ControlPlane, startControlPlane } from '../control-plane/index.js'
import { startTcpProxy, type TcpProxy } from '../faults/tcp-proxy.js'
import { eventually } from './eventually.js'
import { clientsetFor } from './helpers.js'
import { type OidcIssuer, startOidcIssuer } from './oidc-issuer.js'

const v1 = 'client.authentication.k8s.io/v1'
const minute = 60_000
const workers = 8
/** Less than what a connection may be silent before it is asked for a sign of life. */
const step = 10_000

describeWithControlPlane('authentication', () => {
  let directory: string
  const cleanups: (() => Promise<unknown>)[] = []
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'kubewright-'))
  })
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
    await rm(directory, { recursive: true })
  })

  /** A client that trusts the server and has the credentials of the options. */
  function client(options: ConfigOptions): Clientset {
    const { url, caFile } = controlPlane()
    const clientset = new Clientset({
      host: url,
      qps: -1,
      logger: noLogger,
      ...options,
      tlsClientConfig: { caFile, ...options.tlsClientConfig },
    })
    cleanups.push(() => clientset.close())
    return clientset
  }

  async function whoAmI(clientset: Clientset): Promise<UserInfo> {
    const { status } = await clientset.authenticationV1().selfSubjectReviews().create({})
    return status.userInfo ?? {}
  }

  const failure = async (promise: Promise<unknown>): Promise<unknown> =>
    promise.then(
      (value) => expect.fail(`resolved with ${JSON.stringify(value)}`),
      (err: unknown) => err,
    )

  interface Traffic<T> {
    /** What each request was answered, in the order they were sent. */
    answers: Promise<T>[]
    /** Lets time go by, with answers all along as a server that is alive gives them. */
    pass(ms: number): Promise<void>
    /** Waits for so many more answers. */
    answered(count: number): Promise<void>
  }

  /** Has {@link workers} send requests without a pause while `change` goes on; gives the answers. */
  async function meanwhile<T>(
    { request, clock }: { request: () => Promise<T>; clock: FakeClock },
    change: (traffic: Traffic<T>) => Promise<void>,
  ): Promise<T[]> {
    const answers: Promise<T>[] = []
    let settled = 0
    const over = new AbortController()
    let busy = workers
    const work = async (): Promise<void> => {
      while (!over.signal.aborted) {
        const answer = request()
        answers.push(answer)
        await answer.catch(() => {})
        settled++
      }
      busy--
    }
    // A request that is sent again waits for a moment first, by this clock.
    const until = (isSo: () => boolean): Promise<boolean> =>
      eventually(() => isSo() || clock.advance(10).then(() => isSo()), { everyMs: 1 })
    const answered = async (count: number): Promise<void> => {
      const enough = settled + count
      await until(() => settled >= enough)
    }
    const pass = async (ms: number): Promise<void> => {
      for (let left = ms; left > 0; left -= step) {
        await clock.advance(Math.min(step, left))
        await answered(workers)
      }
    }
    const all = Promise.all(Array.from({ length: workers }, work))
    try {
      await change({ answers, pass, answered })
    } finally {
      over.abort()
      await until(() => busy === 0)
      await all
    }
    return Promise.all(answers)
  }

  describe('with ServiceAccounts', () => {
    const namespace = suiteNamespace()
    const nameOf = (account: string): string => `system:serviceaccount:${namespace()}:${account}`
    let admin: Clientset
    beforeAll(async () => {
      admin = await clientsetFor()
      for (const name of ['first', 'second']) {
        await admin.coreV1().serviceAccounts(namespace()).create({ metadata: { name } })
      }
    })
    afterAll(() => admin?.close())

    const tokenOf = async (name: string): Promise<string> =>
      (await controlPlane().mintServiceAccountToken({ namespace: namespace(), name })).token ?? ''

    it('a token file is replaced while requests run: none fails, and later ones have the new token', async () => {
      const file = join(directory, 'token')
      const [first, second] = [await tokenOf('first'), await tokenOf('second')]
      await writeFile(file, first)
      const clock = new FakeClock()
      const clientset = client({ bearerTokenFile: file, clock })
      let sentWithNewToken = Number.POSITIVE_INFINITY
      const request = async (): Promise<string | undefined> => (await whoAmI(clientset)).username
      const users = await meanwhile({ request, clock }, async ({ answers, pass, answered }) => {
        await answered(50)
        // As a careless writer does it: for a while there is nothing in it.
        await writeFile(file, '')
        await pass(minute)
        await writeFile(file, `${second}\n`)
        await pass(minute)
        sentWithNewToken = answers.length
        await answered(50)
      })
      expect(users.length).toBeGreaterThan(sentWithNewToken + 25)
      expect(new Set(users)).toEqual(new Set([nameOf('first'), nameOf('second')]))
      expect(new Set(users.slice(0, 50))).toEqual(new Set([nameOf('first')]))
      expect(new Set(users.slice(sentWithNewToken))).toEqual(new Set([nameOf('second')]))
    })

    it('a token file with a token that the server does not take is read again after the 401', async () => {
      const file = join(directory, 'token')
      await writeFile(file, 'expired')
      const clientset = client({ bearerTokenFile: file, clock: new FakeClock() })
      expect(await failure(whoAmI(clientset))).toSatisfy(isUnauthorized)
      await writeFile(file, await tokenOf('first'))
      expect((await whoAmI(clientset)).username).toBe(nameOf('first'))
    })

    it('in a pod: server, authority, token and namespace from the environment and the files of the pod', async () => {
      const account = join(directory, 'var/run/secrets/kubernetes.io/serviceaccount')
      await mkdir(account, { recursive: true })
      await copyFile(controlPlane().caFile, join(account, 'ca.crt'))
      await writeFile(join(account, 'namespace'), namespace())
      await writeFile(join(account, 'token'), await tokenOf('first'))
      const { hostname, port } = new URL(controlPlane().url)
      const env = { KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port }
      const clock = new FakeClock()
      const config = copyConfig(inClusterConfig({ env, rootDirectory: directory }), { clock, logger: noLogger })
      const clientset = new Clientset(config)
      cleanups.push(() => clientset.close())
      expect((await whoAmI(clientset)).username).toBe(nameOf('first'))

      await writeFile(join(account, 'token'), await tokenOf('second'))
      expect((await whoAmI(clientset)).username).toBe(nameOf('first'))
      await clock.advance(minute)
      expect((await whoAmI(clientset)).username).toBe(nameOf('second'))

      const inCluster = new InClusterClientConfig({ env, rootDirectory: directory })
      const found = new Clientset(await getConfig({ env, inCluster }))
      cleanups.push(() => found.close())
      expect((await whoAmI(found)).username).toBe(nameOf('second'))
      expect(await getNamespace({ env, inCluster })).toBe(namespace())
    })

    it('an account that may not do a thing is told so by name', async () => {
      const err = await failure(
        client({ bearerToken: await tokenOf('first') })
          .coreV1()
          .nodes()
          .list(),
      )
      expect(err).toSatisfy(isForbidden)
      expect(String(err)).toContain(`User "${nameOf('first')}" cannot list resource "nodes"`)
    })
  })

  it('a token', async () => {
    const { token } = await controlPlane().mintToken('developer')
    expect(await whoAmI(client({ bearerToken: token }))).toMatchObject({
      username: 'developer',
      groups: ['developers', 'system:authenticated'],
    })
  })

  describe('client certificates', () => {
    const put = async (user: string): Promise<{ certFile: string; keyFile: string }> => {
      const { certificateFile = '', keyFile: key = '' } = await controlPlane().mintClientCertificate({ user })
      const [certFile, keyFile] = [join(directory, 'tls.crt'), join(directory, 'tls.key')]
      await copyFile(certificateFile, certFile)
      await copyFile(key, keyFile)
      return { certFile, keyFile }
    }

    it('are replaced in their files while requests run: what breaks says why, later requests are those of the new user', async () => {
      const clock = new FakeClock()
      const clientset = client({ tlsClientConfig: await put('cert-one'), clock })
      expect((await whoAmI(clientset)).username).toBe('cert-one')
      const request = (): Promise<string> =>
        clientset
          .discovery()
          .serverVersion()
          .then(({ gitVersion }) => gitVersion, String)
      const answers = await meanwhile({ request, clock }, async ({ pass, answered }) => {
        await answered(50)
        await put('cert-two')
        await pass(5 * minute)
        await answered(50)
      })
      // All connections are made anew. What has no answer yet is sent again; an answer that is being read is lost.
      const lost = answers.filter((answer) => answer !== controlPlane().info.version)
      expect(lost.length).toBeLessThanOrEqual(workers)
      for (const err of lost) expect(err).toMatch(/^ConnectionError: GET .*the client certificate has changed/)
      expect((await whoAmI(clientset)).username).toBe('cert-two')
    })

    it.each([
      [
        'that has expired',
        { begins: '-2h', ends: '-1h' },
        / has expired \(.*\): renew it, or check this machine's clock$/,
      ],
      [
        'that is not valid yet',
        { begins: '1h', ends: '2h' },
        / is not valid yet \(before .*\): check this machine's clock$/,
      ],
    ])('%s: the server only says Unauthorized, the error says why', async (_when, validity, message) => {
      const { certificateFile: certFile, keyFile } = await controlPlane().mintClientCertificate({
        user: 'cert',
        ...validity,
      })
      const err = await failure(whoAmI(client({ tlsClientConfig: { certFile, keyFile } })))
      expect(err).toSatisfy(isUnauthorized)
      expect((err as Error).message).toMatch(message)
      expect((err as Error).message).toContain(certFile)
    })

    it('of another authority are Unauthorized', async () => {
      const certFile = join(controlPlane().directory, 'apiserver.crt')
      const keyFile = join(controlPlane().directory, 'apiserver.key')
      expect(await failure(whoAmI(client({ tlsClientConfig: { certFile, keyFile } })))).toSatisfy(isUnauthorized)
    })
  })

  it('a server whose certificate another authority signed is not sent the token', async () => {
    const { token = '' } = await controlPlane().mintToken('developer')
    const caFile = controlPlane().info.clientCAFile
    const err = await failure(whoAmI(client({ bearerToken: token, tlsClientConfig: { caFile } })))
    expect(err).toBeInstanceOf(ConnectionError)
    expect(err).toMatchObject({ reason: 'tls' })
    expect(String(err)).toMatch(/127\.0\.0\.1:\d+.*signed by an unknown CA/s)
    expect(String(err)).not.toContain(token)
  })

  it('name and password reach the server, which does not look at them', async () => {
    const seen: unknown[] = []
    const clientset = client({
      username: 'jane',
      password: 'pässword:1',
      wrapTransport: (inner) => ({
        close: () => inner.close(),
        roundTrip(request) {
          seen.push(request.headers.authorization)
          return inner.roundTrip(request)
        },
      }),
    })
    const err = await failure(whoAmI(clientset))
    expect(err).toSatisfy(isForbidden)
    expect(String(err)).toContain('User "system:anonymous"')
    expect(String(err)).not.toContain('pässword')
    expect(seen).toEqual([`Basic ${Buffer.from('jane:pässword:1').toString('base64')}`])
  })

  describe('an exec plugin', () => {
    /** Prints what is in `out`; writes down what it was told. */
    const plugin = async (status: object): Promise<{ command: string; prints: (status: object) => Promise<void> }> => {
      const command = join(directory, 'plugin')
      await writeFile(
        command,
        '#!/bin/sh\nprintf "%s\\n" "$KUBERNETES_EXEC_INFO" >> "$0.told"\necho "$1 $PROFILE" >> "$0.asked"\ncat "$0.out"\n',
        { mode: 0o755 },
      )
      const prints = (next: object): Promise<void> =>
        writeFile(`${command}.out`, JSON.stringify({ apiVersion: v1, kind: 'ExecCredential', status: next }))
      await prints(status)
      return { command, prints }
    }
    const lines = async (name: string): Promise<string[]> =>
      (await readFile(join(directory, name), 'utf8')).trim().split('\n')

    it('that prints a token, out of a kubeconfig: run once for many requests, told the cluster, run again after a 401', async () => {
      const { token } = await controlPlane().mintToken('developer')
      const { prints } = await plugin({ token: 'expired' })
      const kubeconfig = await load('')
      kubeconfig.clusters.set('c', {
        server: controlPlane().url,
        'certificate-authority': controlPlane().caFile,
        extensions: [{ name: 'client.authentication.k8s.io/exec', extension: { audience: 'me' } }],
      })
      kubeconfig.users.set('u', {
        exec: {
          apiVersion: v1,
          // Beside the kubeconfig, wherever this process runs.
          command: './plugin',
          args: ['get'],
          env: [{ name: 'PROFILE', value: 'work' }],
          interactiveMode: 'Never',
          provideClusterInfo: true,
        },
      })
      kubeconfig.contexts.set('x', { cluster: 'c', user: 'u' })
      kubeconfig.currentContext = 'x'
      const file = join(directory, 'config')
      await writeToFile(kubeconfig, file)
      const clientsets = [await clientsetFor(file), await clientsetFor(file)]
      for (const clientset of clientsets) cleanups.push(() => clientset.close())
      const [one, two] = clientsets as [Clientset, Clientset]

      expect(await failure(whoAmI(one))).toSatisfy(isUnauthorized)
      await prints({ token })
      const users = await Promise.all(
        Array.from({ length: 20 }, async (_, i) => (await whoAmI(i % 2 === 0 ? one : two)).username),
      )
      expect(new Set(users)).toEqual(new Set(['developer']))
      expect(await lines('plugin.asked')).toEqual(['get work', 'get work'])
      const ca = await readFile(controlPlane().caFile)
      expect(JSON.parse((await lines('plugin.told'))[1] ?? '')).toEqual({
        apiVersion: v1,
        kind: 'ExecCredential',
        spec: {
          interactive: false,
          cluster: {
            server: controlPlane().url,
            'certificate-authority-data': ca.toString('base64'),
            config: { audience: 'me' },
          },
        },
      })
    })

    it('that prints a client certificate, and another one when that has expired', async () => {
      const certificate = async (user: string): Promise<object> => {
        const { certificateFile = '', keyFile = '' } = await controlPlane().mintClientCertificate({ user })
        return {
          clientCertificateData: await readFile(certificateFile, 'utf8'),
          clientKeyData: await readFile(keyFile, 'utf8'),
        }
      }
      const clock = new FakeClock(Date.parse('2026-01-01T00:00:00Z'))
      const { command, prints } = await plugin({
        ...(await certificate('exec-one')),
        expirationTimestamp: '2026-01-01T00:10:00Z',
      })
      const clientset = client({ execProvider: { apiVersion: v1, command, interactiveMode: 'Never' }, clock })
      expect((await whoAmI(clientset)).username).toBe('exec-one')
      await prints(await certificate('exec-two'))
      await clock.advance(10 * minute)
      expect((await whoAmI(clientset)).username).toBe('exec-one')
      await clock.advance(1)
      const users = await Promise.all(Array.from({ length: 10 }, async () => (await whoAmI(clientset)).username))
      expect(new Set(users)).toEqual(new Set(['exec-two']))
      expect(await lines('plugin.told')).toHaveLength(2)
    })

    it('that is missing, fails, or prints something else: the error says which, and quotes nothing', async () => {
      const provider = { apiVersion: v1, interactiveMode: 'Never' } as const
      const errorOf = async (command: string, args: string[] = []): Promise<unknown> =>
        failure(whoAmI(client({ execProvider: { ...provider, command, args, installHint: 'ask Jane' } })))

      const missing = await errorOf('kubewright-no-such-plugin')
      expect(missing).toBeInstanceOf(ExecPluginError)
      expect(String(missing)).toMatch(/executable kubewright-no-such-plugin not found.*ask Jane/s)

      const fails = await errorOf('sh', ['-c', 'echo S3CRET; exit 3'])
      expect(fails).toMatchObject({ name: 'ExecPluginError', exitCode: 3 })
      expect(String(fails)).toContain('executable sh failed with exit code 3')
      const chats = await errorOf('sh', ['-c', 'echo S3CRET'])
      expect(String(chats)).toContain('decoding stdout')
      for (const err of [fails, chats]) expect(String(err)).not.toContain('S3CRET')
    })
  })

  describe('a kubeconfig', () => {
    /** A kubeconfig of one context `x`, with a user `u` and a server. */
    async function kubeconfigOf(name: string, user: AuthInfo, server = controlPlane().url): Promise<string> {
      const kubeconfig = newKubeConfig({ currentContext: 'x' })
      kubeconfig.clusters.set('c', { server, 'certificate-authority': controlPlane().caFile })
      kubeconfig.users.set('u', user)
      kubeconfig.contexts.set('x', { cluster: 'c', user: 'u' })
      const file = join(directory, name)
      await writeToFile(kubeconfig, file)
      return file
    }
    const opened = async (kubeconfig: string): Promise<Clientset> => {
      const clientset = await clientsetFor(kubeconfig)
      cleanups.push(() => clientset.close())
      return clientset
    }

    it('and another with a plugin for a user of the same name: each has its own credentials', async () => {
      const plugin = (token = ''): AuthInfo => {
        const printed = JSON.stringify({ apiVersion: v1, kind: 'ExecCredential', status: { token } })
        return { exec: { apiVersion: v1, command: 'echo', args: [printed], interactiveMode: 'Never' } }
      }
      const clientsets: Clientset[] = []
      for (const user of ['developer', 'limited'] as const) {
        const { token } = await controlPlane().mintToken(user)
        clientsets.push(await opened(await kubeconfigOf(user, plugin(token))))
      }
      const users = await Promise.all(
        [...clientsets, ...clientsets].map(async (clientset) => (await whoAmI(clientset)).username),
      )
      expect(users).toEqual(['developer', 'limited', 'developer', 'limited'])
    })

    it('that is changed leaves the clients made of it where they are, as whom they are', async () => {
      const { hostname, port } = new URL(controlPlane().url)
      const [first, second] = [
        await startTcpProxy({ host: hostname, port: Number(port) }),
        await startTcpProxy({ host: hostname, port: Number(port) }),
      ]
      cleanups.push(() => Promise.all([first.stop(), second.stop()]))
      const tokenOf = async (user: 'developer' | 'limited'): Promise<string | undefined> =>
        (await controlPlane().mintToken(user)).token
      const at = (proxy: TcpProxy): string => `https://127.0.0.1:${proxy.port}`

      const kubeconfig = await kubeconfigOf('config', { token: await tokenOf('developer') }, at(first))
      const before = await opened(kubeconfig)
      await kubeconfigOf('config', { token: await tokenOf('limited') }, at(second))
      const after = await opened(kubeconfig)
      expect((await whoAmI(before)).username).toBe('developer')
      expect([first.accepted, second.accepted]).toEqual([1, 0])
      expect((await whoAmI(after)).username).toBe('limited')
      // Also where it has to connect once more.
      first.cut()
      expect((await eventually(() => whoAmI(before))).username).toBe('developer')
      expect([first.accepted, second.accepted]).toEqual([2, 1])
    })

    describe('with OIDC', () => {
      let issuer: OidcIssuer
      let server: ControlPlane
      beforeAll(async () => {
        const pem = (name: string): Promise<string> => readFile(join(controlPlane().directory, name), 'utf8')
        issuer = await startOidcIssuer({
          cert: await pem('apiserver.crt'),
          key: await pem('apiserver.key'),
          clientId: 'kubernetes',
          users: { one: 'jane' },
        })
        server = await startControlPlane({
          controllers: false,
          apiServerFlags: [
            `--oidc-issuer-url=${issuer.url}`,
            `--oidc-ca-file=${controlPlane().caFile}`,
            '--oidc-client-id=kubernetes',
            '--oidc-username-prefix=oidc:',
          ],
        })
      })
      afterAll(async () => {
        await server?.stop()
        await issuer?.stop()
      })

      it('refreshes an expired ID token once for many requests and clients, and keeps what it got', async () => {
        // Relative to the kubeconfig.
        await copyFile(controlPlane().caFile, join(directory, 'issuer.crt'))
        await copyFile(server.caFile, join(directory, 'server.crt'))
        const file = await kubeconfigOf('config', {
          'auth-provider': {
            name: 'oidc',
            config: {
              'idp-issuer-url': issuer.url,
              'idp-certificate-authority': 'issuer.crt',
              'client-id': 'kubernetes',
              'id-token': issuer.idToken('jane', -60),
              'refresh-token': 'one',
            },
          },
        })
        const kubeconfig = await loadFromFile(file)
        kubeconfig.clusters.set('c', { server: server.url, 'certificate-authority': 'server.crt' })
        await writeToFile(kubeconfig, file)

        const clientsets = [await opened(file), await opened(file)]
        const users = await Promise.all(
          [...clientsets, ...clientsets].map(async (clientset) => (await whoAmI(clientset)).username),
        )
        expect(new Set(users)).toEqual(new Set(['oidc:jane']))
        expect(issuer.refreshes).toEqual(['one'])

        const kept = (await loadFromFile(file)).users.get('u')?.['auth-provider']?.config
        expect(kept).toMatchObject({ 'refresh-token': 'one+', 'idp-issuer-url': issuer.url })
        const config = await getConfig({ kubeconfig: file })
        const byHand = new Clientset({ ...config, authProvider: undefined, bearerToken: kept?.['id-token'] })
        cleanups.push(() => byHand.close())
        expect((await whoAmI(byHand)).username).toBe('oidc:jane')
      })
    })
  })

  describe('impersonation', () => {
    const adminConfig = async (): Promise<ConfigOptions> => getConfig({ kubeconfig: controlPlane().kubeconfigPath })

    it('of a user, uid, groups and extra fields with odd names', async () => {
      const extra = {
        'acme.example/project': ['apollo', 'gemini'],
        'größe %2f ünd:(x)': ['a b', 'c,d'],
        "all!#$&'*+-.^_`|~signs": ['1'],
        'oben/Über': ['2'],
      }
      const clientset = client({
        ...(await adminConfig()),
        impersonate: { userName: 'jane:doe@acme.example', uid: 'uid-1', groups: ['on call', 'a,b', 'oidc:x'], extra },
      })
      expect(await whoAmI(clientset)).toEqual({
        username: 'jane:doe@acme.example',
        uid: 'uid-1',
        groups: ['on call', 'a,b', 'oidc:x', 'system:authenticated'],
        extra,
      })
    })

    it('reads keys of extra fields in lower case', async () => {
      const clientset = client({
        ...(await adminConfig()),
        impersonate: { userName: 'jane', extra: { 'Acme.Example/Project': ['Apollo'] } },
      })
      expect((await whoAmI(clientset)).extra).toEqual({ 'acme.example/project': ['Apollo'] })
    })

    it('gives names that are not ASCII to the server as UTF-8', async () => {
      const impersonate = { userName: 'jürgen', groups: ['größen', '日本'], extra: { stadt: ['köln'] } }
      for (const nextProtos of [['h2'], ['http/1.1']]) {
        const config = await adminConfig()
        const tlsClientConfig = { ...config.tlsClientConfig, nextProtos }
        const { username, groups, extra } = await whoAmI(client({ ...config, tlsClientConfig, impersonate }))
        expect({ username, groups, extra }).toEqual({
          username: 'jürgen',
          groups: ['größen', '日本', 'system:authenticated'],
          extra: { stadt: ['köln'] },
        })
      }
    })

    it('of a user by somebody who may not', async () => {
      const { token } = await controlPlane().mintToken('developer')
      const err = await failure(whoAmI(client({ bearerToken: token, impersonate: { userName: 'jane' } })))
      expect(err).toSatisfy(isForbidden)
      expect(String(err)).toContain('User "developer" cannot impersonate')
    })

    it('of groups without a user is refused by the server, not left out by us', async () => {
      const err = await failure(
        whoAmI(client({ ...(await adminConfig()), impersonate: { groups: ['system:masters'] } })),
      )
      expect(err).toSatisfy(isBadRequest)
      expect(String(err)).toContain('without impersonating a user name')
    })
  })
})
