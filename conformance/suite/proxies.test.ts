// A real server behind each sort of proxy, told of by the Config, by a kubeconfig and by the environment.

import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Clientset, ConnectionError, getConfig } from 'kubewright'
import { loadFromFile, writeToFile } from 'kubewright/clientcmd'
import { copyConfig } from 'kubewright/rest'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { controlPlane, describeWithControlPlane, testNamespace } from '../control-plane/fixture.js'
import { type ConnectProxyOptions, startConnectProxy, startSocksProxy, type TestProxy } from '../faults/proxies.js'

/** Entry of the library as it is built, for a process of its own. */
const library = new URL('../../packages/kubewright/dist/index.js', import.meta.url).href

describeWithControlPlane('proxies', () => {
  const cleanups: (() => Promise<unknown>)[] = []
  let directory: string
  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'kubewright-'))
    cleanups.push(() => rm(directory, { recursive: true }))
  })
  afterEach(async () => {
    for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
  })

  const started = async (proxy: Promise<TestProxy>): Promise<TestProxy> => {
    cleanups.push(async () => (await proxy).stop())
    return proxy
  }
  const httpProxy = (options?: ConnectProxyOptions): Promise<TestProxy> => started(startConnectProxy(options))
  const httpsProxy = async (): Promise<TestProxy> => {
    // The server's own certificate, so what the cluster's authority signed is good for a proxy too.
    const pem = (name: string): Promise<string> => readFile(join(controlPlane().directory, name), 'utf8')
    return httpProxy({ tls: { cert: await pem('apiserver.crt'), key: await pem('apiserver.key') } })
  }

  /** The administrator's kubeconfig, with a proxy for its cluster. */
  async function kubeconfigThrough(proxy: string): Promise<string> {
    const kubeconfig = await loadFromFile(controlPlane().kubeconfigPath)
    for (const cluster of kubeconfig.clusters.values()) cluster['proxy-url'] = proxy
    const file = join(directory, 'config')
    await writeToFile(kubeconfig, file)
    return file
  }

  const open = (clientset: Clientset): Clientset => {
    cleanups.push(() => clientset.close())
    return clientset
  }

  const sorts: [string, () => Promise<TestProxy>][] = [
    ['an HTTP proxy', httpProxy],
    ['an HTTPS proxy', httpsProxy],
    ['a SOCKS 5 proxy', () => started(startSocksProxy())],
  ]

  describe.each(sorts)('%s', (_name, start) => {
    it.each(['proxyUrl of the Config', 'proxy-url of a kubeconfig'])(
      'from %s: lists, watches and 20 GETs at once go through one tunnel',
      async (from) => {
        const namespace = await testNamespace()
        const proxy = await start()
        const kubeconfig = from.startsWith('proxyUrl')
          ? controlPlane().kubeconfigPath
          : await kubeconfigThrough(proxy.url)
        const config = await getConfig({ kubeconfig })
        const proxyUrl = from.startsWith('proxyUrl') ? proxy.url : config.proxyUrl
        const clientset = open(new Clientset(copyConfig(config, { qps: -1, proxyUrl })))
        const configMaps = clientset.coreV1().configMaps(namespace)

        const { metadata } = await configMaps.list()
        const watch = await configMaps.watch({
          resourceVersion: metadata.resourceVersion,
          fieldSelector: 'metadata.name=seen',
        })
        await configMaps.create({ metadata: { name: 'seen' }, data: { large: 'x'.repeat(500_000) } })
        for await (const event of watch) {
          expect(event).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'seen' } } })
          break
        }
        const read = await Promise.all(
          Array.from({ length: 20 }, async () => (await configMaps.get('seen')).data?.['large']?.length),
        )
        expect(read).toEqual(Array(20).fill(500_000))
        expect(proxy.asked).toEqual([new URL(controlPlane().url).host])
      },
    )
  })

  it('a name and a password for the proxy; without them, an error that says so', async () => {
    const proxy = await httpProxy({ credentials: 'jane:S3CRET' })
    const config = await getConfig({ kubeconfig: controlPlane().kubeconfigPath })
    const through = (url: string): Clientset => open(new Clientset(copyConfig(config, { proxyUrl: url })))
    await through(proxy.url.replace('//', '//jane:S3CRET@')).coreV1().namespaces().get('default')
    expect(proxy.asked).toHaveLength(1)

    const err = await through(proxy.url.replace('//', '//jane:WR0NG@'))
      .coreV1()
      .namespaces()
      .get('default')
      .catch((err: unknown) => err)
    expect(err).toBeInstanceOf(ConnectionError)
    expect(err).toMatchObject({ reason: 'proxy' })
    expect(String(err)).toContain(`through the proxy ${proxy.url}: it asks for a user name and password`)
    expect(String(err)).not.toContain('WR0NG')
  })

  it('a proxy that is gone: the error names it, and the server', async () => {
    const proxy = await startConnectProxy()
    await proxy.stop()
    const config = await getConfig({ kubeconfig: await kubeconfigThrough(proxy.url) })
    const err = await open(new Clientset(config))
      .coreV1()
      .namespaces()
      .list()
      .catch((err: unknown) => err)
    expect(String(err)).toContain(
      `cannot connect to ${new URL(controlPlane().url).host} through the proxy ${proxy.url}: connecting to the proxy: connection refused`,
    )
  })

  it('kubectl proxy, a server without TLS: it works, and is told no credentials', async () => {
    const namespace = await testNamespace()
    const { binary, kubeconfigPath } = controlPlane().info
    const child = spawn(binary, ['kubectl', `--kubeconfig=${kubeconfigPath}`, 'proxy', '--port=0'], { stdio: 'pipe' })
    cleanups.push(async () => {
      const ended = once(child, 'close')
      child.kill()
      await ended
    })
    const [line] = (await once(child.stdout.setEncoding('utf8'), 'data')) as [string]
    const address = /127\.0\.0\.1:\d+/.exec(line)?.[0]

    const kubeconfig = await loadFromFile(controlPlane().kubeconfigPath)
    for (const cluster of kubeconfig.clusters.values()) cluster.server = `http://${address}`
    await writeToFile(kubeconfig, join(directory, 'config'))
    const sent: unknown[] = []
    const config = copyConfig(await getConfig({ kubeconfig: join(directory, 'config') }), {
      wrapTransport: (inner) => ({
        close: () => inner.close(),
        roundTrip(request) {
          sent.push(request.headers['authorization'])
          return inner.roundTrip(request)
        },
      }),
    })
    const configMaps = open(new Clientset(config)).coreV1().configMaps(namespace)
    const { metadata } = await configMaps.list()
    const watch = await configMaps.watch({ resourceVersion: metadata.resourceVersion })
    await configMaps.create({ metadata: { name: 'aaa' } })
    for await (const event of watch) {
      expect(event).toMatchObject({ type: 'ADDED', object: { metadata: { name: 'aaa' } } })
      break
    }
    expect(sent).toEqual([undefined, undefined, undefined])
  })

  describe('in the environment of a process', () => {
    // Servers on this machine are never reached through a proxy of the environment, so the server gets another name,
    // which only the proxy can look up.
    async function run(env: Record<string, string>): Promise<string> {
      const kubeconfig = await loadFromFile(controlPlane().kubeconfigPath)
      for (const cluster of kubeconfig.clusters.values()) {
        cluster.server = `https://kubernetes.default.svc:${new URL(controlPlane().url).port}`
      }
      const file = join(directory, 'config')
      await writeToFile(kubeconfig, file)
      const program = join(directory, 'program.mjs')
      await writeFile(
        program,
        `import { Clientset, getConfig } from ${JSON.stringify(library)}
        const clientset = new Clientset(await getConfig())
        try {
          console.log((await clientset.coreV1().namespaces().get('default')).metadata.name)
        } catch (err) {
          console.log(err.message)
        }
        await clientset.close()`,
      )
      const { PATH = '' } = process.env
      const options = { env: { PATH, KUBECONFIG: file, ...env } }
      return (await promisify(execFile)(process.execPath, [program], options)).stdout.trim()
    }
    const resolving = (): Promise<TestProxy> => httpProxy({ to: '127.0.0.1' })

    it.each(['HTTPS_PROXY', 'https_proxy'])('%s is used', async (name) => {
      const proxy = await resolving()
      expect(await run({ [name]: proxy.url })).toBe('default')
      expect(proxy.asked).toEqual([`kubernetes.default.svc:${new URL(controlPlane().url).port}`])
    })

    it.each(['kubernetes.default.svc', '.svc', 'svc', '*'])('NO_PROXY=%s goes before it', async (list) => {
      const proxy = await resolving()
      // The name means nothing to this machine.
      expect(await run({ HTTPS_PROXY: proxy.url, NO_PROXY: list })).toMatch(/kubernetes\.default\.svc/)
      expect(proxy.asked).toEqual([])
    })

    it('HTTP_PROXY is not for https', async () => {
      const proxy = await resolving()
      expect(await run({ HTTP_PROXY: proxy.url })).not.toBe('default')
      expect(proxy.asked).toEqual([])
    })
  })
})
