// The pages about authentication, taken at their word: each program runs and prints what its page says, each kubeconfig
// stanza logs in. The server is one of their own, since it has to trust an identity provider.

import { readdirSync, readFileSync } from 'node:fs'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Clientset, getConfig } from 'kubewright'
import { load, writeToFile } from 'kubewright/clientcmd'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { controlPlane, describeWithControlPlane } from '../control-plane/fixture.js'
import { type ControlPlane, startControlPlane } from '../control-plane/index.js'
import { startConnectProxy, type TestProxy } from '../faults/proxies.js'
import { type OidcIssuer, startOidcIssuer } from './oidc-issuer.js'
import { blocks, printedBy, programsOf } from './page-programs.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const folder = 'docs/authentication'
const pages = readdirSync(join(root, folder)).map((name) => ({
  name,
  text: readFileSync(join(root, folder, name), 'utf8'),
}))
/** Whom the stanza of a page logs in. */
const users: Readonly<Record<string, string>> = {
  'client-certificate.md': 'jane',
  'impersonation.md': 'jane',
  'oidc.md': 'jane@issuer',
  'basic.md': 'system:anonymous',
}
const programs = pages.flatMap(programsOf)
const stanzas = pages.flatMap(({ name, text }) =>
  blocks(text, 'yaml').map(({ code }) => ({ page: name, code, user: users[name] ?? 'developer' })),
)

/** Pages whose `getConfig()` finds an administrator. */
const asAdmin = ['impersonation.md']

describeWithControlPlane(`the pages of ${folder}`, () => {
  let directory: string
  let server: ControlPlane
  let issuer: OidcIssuer
  let proxy: TestProxy
  /** What a plugin is told. */
  let execInfo: string
  let placeholders: readonly (readonly [string, string])[]

  beforeAll(async () => {
    // Within the repository, so that what is imported is transformed and finds the library.
    await mkdir(join(root, '.cache'), { recursive: true })
    directory = await mkdtemp(join(root, '.cache/docs-'))
    const certificates = controlPlane().directory
    issuer = await startOidcIssuer({
      cert: await readFile(join(certificates, 'apiserver.crt'), 'utf8'),
      key: await readFile(join(certificates, 'apiserver.key'), 'utf8'),
      clientId: 'kubernetes',
      users: { 'my-refresh-token': 'jane@issuer', 'another-refresh-token': 'jane@issuer' },
    })
    server = await startControlPlane({
      apiServerFlags: [
        `--oidc-issuer-url=${issuer.url}`,
        `--oidc-ca-file=${controlPlane().caFile}`,
        '--oidc-client-id=kubernetes',
        '--oidc-username-prefix=-',
      ],
    })
    proxy = await startConnectProxy()
    const jane = await server.mintClientCertificate({ user: 'jane', groups: ['operators'] })
    const robot = await server.mintServiceAccountToken({ namespace: 'default', name: 'default' })
    const developer = await server.mintToken('developer')
    const admin = await server.mintToken('admin')
    const account = join(directory, 'pod/var/run/secrets/kubernetes.io/serviceaccount')
    await mkdir(account, { recursive: true })
    await cp(server.caFile, join(account, 'ca.crt'))
    await writeFile(join(account, 'token'), robot.token ?? '')
    await cp(server.caFile, join(directory, 'ca.crt'))
    await cp(controlPlane().caFile, join(directory, 'issuer-ca.crt'))
    await cp(jane.certificateFile ?? '', join(directory, 'client.crt'))
    await cp(jane.keyFile ?? '', join(directory, 'client.key'))
    await writeFile(join(directory, 'token'), `${developer.token}\n`)
    const { hostname, port } = new URL(server.url)
    const env = JSON.stringify({ KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port })
    placeholders = [
      ['https://kubernetes.example:6443', server.url],
      ['/etc/kubernetes', directory],
      ['/usr/local/bin/kubernetes-token', join(directory, 'kubernetes-token')],
      ['https://issuer.example', issuer.url],
      ['http://proxy.example:3128', proxy.url],
      ['my-token', developer.token ?? ''],
      ['my-admin-token', admin.token ?? ''],
      ['inClusterConfig()', `inClusterConfig({ rootDirectory: '${join(directory, 'pod')}', env: ${env} })`],
    ]
    execInfo = JSON.stringify({
      apiVersion: 'client.authentication.k8s.io/v1',
      kind: 'ExecCredential',
      spec: { interactive: false, cluster: { server: server.url } },
    })
    const [plugin] = blocks(pages.find(({ name }) => name === 'exec-plugin.md')?.text ?? '', 'sh')
    await writeFile(join(directory, 'kubernetes-token'), replaced(plugin?.code ?? ''), { mode: 0o755 })
  })
  afterAll(async () => {
    await server?.stop()
    await proxy?.stop()
    await issuer?.stop()
    await rm(directory, { recursive: true, force: true })
  })
  afterEach(() => {
    vi.restoreAllMocks()
    vi.unstubAllEnvs()
  })

  const replaced = (text: string): string => placeholders.reduce((all, [from, to]) => all.replaceAll(from, to), text)

  it('the overview says what stands for something', () => {
    const overview = pages.find(({ name }) => name === 'README.md')?.text
    for (const [placeholder] of placeholders) expect(overview).toContain(`\`${placeholder}\``)
  })

  describe('programs', () => {
    it('are on every page', () => {
      expect(new Set(programs.map(({ page }) => page))).toEqual(new Set(pages.map(({ name }) => name)))
    })

    it.each(programs.map((program, index) => ({ ...program, index })))(
      'of $page',
      async ({ page, code, output, index }) => {
        vi.stubEnv(
          'KUBECONFIG',
          (await server.mintToken(asAdmin.includes(page) ? 'admin' : 'developer')).kubeconfigPath,
        )
        vi.stubEnv('KUBERNETES_EXEC_INFO', execInfo)
        const tunnels = proxy.asked.length
        const file = join(directory, `${page}-${index}.ts`)
        await writeFile(file, replaced(code))
        expect(await printedBy(file)).toBe(output)
        if (page === 'proxies.md') expect(proxy.asked.length).toBe(tunnels + 1)
      },
    )
  })

  describe('kubeconfig stanzas', () => {
    it.each(stanzas)('of $page', async ({ page, code, user }) => {
      // A refresh token is good once, and the page's program has had its.
      const kubeconfig = await load(replaced(code).replace('my-refresh-token', 'another-refresh-token'))
      const [clusterName = 'here'] = kubeconfig.clusters.keys()
      const [userName = 'me'] = kubeconfig.users.keys()
      if (kubeconfig.clusters.size === 0) {
        kubeconfig.clusters.set(clusterName, { server: server.url, 'certificate-authority': 'ca.crt' })
      }
      if (kubeconfig.users.size === 0) kubeconfig.users.set(userName, { tokenFile: 'token' })
      kubeconfig.contexts.set('it', { cluster: clusterName, user: userName })
      kubeconfig.currentContext = 'it'
      const file = join(directory, `${page}.kubeconfig`)
      await writeToFile(kubeconfig, file)

      const clientset = new Clientset(await getConfig({ kubeconfig: file }))
      try {
        const review = clientset.authenticationV1().selfSubjectReviews().create({})
        const seen = await review.then(
          ({ status }) => status.userInfo?.username,
          (err: unknown) => /User "(.*?)" cannot/.exec(String(err))?.[1] ?? err,
        )
        expect(seen).toBe(user)
      } finally {
        await clientset.close()
      }
    })
  })
})
