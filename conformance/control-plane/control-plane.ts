// Starts and stops a real Kubernetes control plane: etcd, kube-apiserver and kube-controller-manager as processes on
// this machine, each control plane in a directory of its own, so that any number of them can run at once.
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { chmod, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, resolve as resolvePath } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type BuildOptions, buildBinary } from '../go-binary.js'
import { run } from '../run.js'
import { ControlPlaneAccess, type ControlPlaneInfo, controlPlaneFiles, type TokenUser, tokenUsers } from './access.js'
import { Component, ComponentFailed } from './component.js'
import { writeKubeconfig } from './kubeconfig.js'
import { controlPlaneProgram } from './program.js'

export interface StartOptions extends BuildOptions {
  /**
   * Where to keep its files: created when missing, must be empty, and left as it is after `stop` (to read its logs).
   * Default: a temporary directory that is removed.
   */
  directory?: string | undefined
  /** Of kube-apiserver. Default: a free one. */
  port?: number | undefined
  /**
   * Whether kube-controller-manager runs; default true. Without it nobody makes ServiceAccounts, so Pods are admitted
   * without one, and a Namespace that is deleted stays Terminating.
   */
  controllers?: boolean | undefined
  /** More flags for kube-apiserver, such as `--goaway-chance=0.02`. Those given here win. */
  apiServerFlags?: readonly string[] | undefined
  /** More flags for kube-controller-manager. Those given here win. */
  controllerManagerFlags?: readonly string[] | undefined
  /** Ends a start (or the build before it) early; without effect on a control plane that is running. */
  signal?: AbortSignal | undefined
}

const readyTimeoutMs = 60_000
const pollMs = 25
const portAttempts = 5
// For a directory that is kept, and short all the same: kube-apiserver would wait a minute for watches to end.
const graceMs = { 'kube-controller-manager': 500, 'kube-apiserver': 1000, etcd: 500 } as const
const controllerManagerUser = 'system:kube-controller-manager'

/**
 * Starts a control plane and waits until it is ready to use: a few seconds, and minutes before that when its binary
 * has to be built first.
 *
 * **Guarantees**: when it throws, nothing that it started is left. When this process ends without `stop`, however it
 * ends, the components end too and the temporary directory is removed.
 *
 * @throws {GoUnavailable} when there is no binary and no Go to build it.
 * @throws {ComponentFailed} when a component ends early or is not ready in a minute, with the end of its log.
 */
export async function startControlPlane(options: StartOptions = {}): Promise<ControlPlane> {
  const binary = await buildBinary(controlPlaneProgram, options)
  const temporary = options.directory === undefined
  const directory = temporary
    ? await mkdtemp(join(tmpdir(), 'kubewright-control-plane-'))
    : await emptyDirectory(resolvePath(options.directory ?? ''))
  const launch = new Launch(binary, directory, temporary, options)
  try {
    return await launch.start()
  } catch (err) {
    await launch.stop()
    throw err
  }
}

/** A control plane that this process started. */
export class ControlPlane extends ControlPlaneAccess {
  /** Resolves when it has been stopped; rejects when a component ends before that. */
  readonly closed: Promise<void>
  readonly #launch: Launch

  constructor(info: ControlPlaneInfo, launch: Launch) {
    super(info)
    this.#launch = launch
    this.closed = launch.closed
  }

  /** Ids of its processes, by component. */
  get pids(): Readonly<Record<string, number>> {
    return Object.fromEntries(this.#launch.components.map(({ name, pid }) => [name, pid ?? 0]))
  }

  /**
   * Stops all its processes and removes its temporary directory, at once; with a directory that is kept, in order and
   * within about two seconds. May be called again.
   */
  async stop(): Promise<void> {
    await this.closeConnections()
    await this.#launch.stop()
  }

  /** Stops kube-apiserver and starts it again, on its port and over its data. Resolves when it is ready. */
  async restartApiServer(): Promise<void> {
    await this.closeConnections()
    await this.#launch.restartApiServer(this)
  }

  /** Makes etcd forget all revisions before the present one. */
  async compact(): Promise<void> {
    const socketPath = join(this.directory, 'etcd.sock:0')
    const { header } = await etcd(socketPath, '/v3/kv/range', { key: 'AA==' })
    await etcd(socketPath, '/v3/kv/compaction', { revision: header.revision, physical: true })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.stop()
  }
}

/** Asks etcd by its HTTP gateway. */
async function etcd(socketPath: string, path: string, body: object): Promise<{ header: { revision: string } }> {
  const sent = httpRequest({ socketPath, path, method: 'POST', host: 'localhost' })
  sent.end(JSON.stringify(body))
  const [answer] = (await once(sent, 'response')) as [IncomingMessage]
  const text = (await answer.setEncoding('utf8').toArray()).join('')
  if (answer.statusCode !== 200) throw new Error(`asking etcd for ${path}: ${answer.statusCode} ${text}`)
  return JSON.parse(text) as { header: { revision: string } }
}

/** The processes of one control plane, from the first to be started to the last to be stopped. */
class Launch {
  readonly components: Component[] = []
  readonly closed: Promise<void>
  readonly #binary: string
  readonly #directory: string
  readonly #temporary: boolean
  readonly #options: StartOptions
  #succeed: () => void = () => {}
  #fail: (err: Error) => void = () => {}
  #stopped: Promise<void> | undefined

  constructor(binary: string, directory: string, temporary: boolean, options: StartOptions) {
    this.#binary = binary
    this.#directory = directory
    this.#temporary = temporary
    this.#options = options
    this.closed = new Promise((resolve, reject) => {
      this.#succeed = resolve
      this.#fail = reject
    })
    // Whoever does not look at `closed` is not to be ended by it.
    this.closed.catch(() => {})
  }

  async start(): Promise<ControlPlane> {
    const { controllers = true } = this.#options
    await this.#startEtcd()
    await this.#writeTokens()
    await this.#writeCertificates()
    const access = await this.#startApiServer()
    if (controllers) await this.#startControllerManager(access)
    for (const component of this.components) void component.died.then(this.#fail)
    return new ControlPlane(access.info, this)
  }

  async restartApiServer(access: ControlPlaneAccess): Promise<void> {
    const old = this.components.findIndex(({ name }) => name === 'kube-apiserver')
    await this.components[old]?.stop(graceMs['kube-apiserver'])
    const server = this.#component('kube-apiserver', this.#apiServerArgs(Number(new URL(access.url).port)))
    this.components.splice(this.components.indexOf(server), 1)
    this.components[old] = server
    void server.died.then(this.#fail)
    await this.#until(server, 'was not ready', async (signal) => {
      const { status } = await access.request('GET', '/readyz', { signal })
      return status === 200
    })
  }

  stop(): Promise<void> {
    this.#stopped ??= (async () => {
      if (this.#temporary) {
        // All that they could save is removed with the directory, and Ctrl-C should not be kept waiting.
        await Promise.all(this.components.map((component) => component.stop(0)))
      } else {
        for (const component of [...this.components].reverse()) {
          await component.stop(graceMs[component.name as keyof typeof graceMs])
        }
      }
      if (this.#temporary) await rm(this.#directory, { recursive: true, force: true })
      this.#succeed()
    })()
    return this.#stopped
  }

  #path(name: string): string {
    return join(this.#directory, name)
  }

  #component(name: keyof typeof graceMs, args: readonly string[]): Component {
    const component = new Component({
      binary: this.#binary,
      name,
      args,
      directory: this.#directory,
      removeWhenOrphaned: this.#temporary && name === 'etcd' ? this.#directory : undefined,
    })
    this.components.push(component)
    return component
  }

  async #writeCertificates(): Promise<void> {
    const { code, stderr } = await run(this.#binary, ['certificates', '-directory', this.#directory])
    if (code !== 0) throw new Error(`making the certificates of the control plane: ${stderr}`)
  }

  // kube-apiserver reads the file only once, so every user with a token is in it from the start.
  async #writeTokens(): Promise<void> {
    const lines: string[] = []
    for (const [user, groups] of Object.entries({ ...tokenUsers, [controllerManagerUser]: [] })) {
      const token = randomBytes(24).toString('hex')
      lines.push(`${token},${user},${user},"${groups.join(',')}"\n`)
      await writeFile(controlPlaneFiles.token(this.#directory, user), token, { mode: 0o600 })
    }
    await writeFile(this.#path('tokens.csv'), lines.join(''), { mode: 0o600 })
  }

  // Sockets in the directory, not ports: nobody else can reach it, and there is nothing to clash with. etcd insists
  // on a port in their names, which are relative since a socket's path may not be long.
  async #startEtcd(): Promise<void> {
    const lines = [
      'name: etcd',
      'data-dir: etcd',
      'log-level: warn',
      'unsafe-no-fsync: true',
      'listen-client-urls: unix://etcd.sock:0',
      'advertise-client-urls: unix://etcd.sock:0',
      'listen-peer-urls: unix://etcd-peer.sock:0',
      'initial-advertise-peer-urls: unix://etcd-peer.sock:0',
      'initial-cluster: etcd=unix://etcd-peer.sock:0',
    ]
    await mkdir(this.#path('etcd'), { mode: 0o700 })
    await writeFile(this.#path('etcd.yaml'), `${lines.join('\n')}\n`)
    this.#component('etcd', ['--config-file', 'etcd.yaml'])
  }

  async #startApiServer(): Promise<ControlPlaneAccess> {
    for (let attempt = 1; ; attempt++) {
      // It may be taken between here and kube-apiserver's start.
      const port = this.#options.port ?? (await freePort())
      const server = this.#component('kube-apiserver', this.#apiServerArgs(port))
      const info: ControlPlaneInfo = {
        directory: this.#directory,
        url: `https://127.0.0.1:${port}`,
        version: '',
        kubeconfigPath: this.#path('admin.kubeconfig'),
        kubectlPath: this.#path('kubectl'),
        caFile: this.#path('server-ca.crt'),
        clientCAFile: this.#path('client-ca.crt'),
        binary: this.#binary,
        controllers: this.#options.controllers ?? true,
      }
      const access = new ControlPlaneAccess(info)
      try {
        await this.#until(server, 'was not ready', async (signal) => {
          const { status } = await access.request('GET', '/readyz', { signal })
          return status === 200
        })
        info.version = (await access.request('GET', '/version')).json.gitVersion
      } catch (err) {
        await access.closeConnections()
        const clash = err instanceof ComponentFailed && err.logTail.includes('address already in use')
        if (!clash || this.#options.port !== undefined || attempt === portAttempts) throw err
        this.components.splice(this.components.indexOf(server), 1)
        continue
      }
      await this.#writeAccess(access)
      return access
    }
  }

  #apiServerArgs(port: number): string[] {
    const { controllers = true, apiServerFlags = [] } = this.#options
    return [
      '--etcd-servers=unix://etcd.sock:0',
      '--bind-address=127.0.0.1',
      `--secure-port=${port}`,
      '--tls-cert-file=apiserver.crt',
      '--tls-private-key-file=apiserver.key',
      '--client-ca-file=client-ca.crt',
      '--token-auth-file=tokens.csv',
      '--authorization-mode=RBAC',
      '--service-account-issuer=https://kubernetes.default.svc',
      '--service-account-key-file=service-account.pub',
      '--service-account-signing-key-file=service-account.key',
      '--service-cluster-ip-range=10.0.0.0/24',
      '--advertise-address=127.0.0.1',
      '--endpoint-reconciler-type=none',
      '--allow-privileged=true',
      ...(controllers ? [] : ['--disable-admission-plugins=ServiceAccount']),
      ...apiServerFlags,
    ]
  }

  async #writeAccess(access: ControlPlaneAccess): Promise<void> {
    const { info } = access
    for (const user of Object.keys(tokenUsers) as TokenUser[]) {
      await access.writeKubeconfig(await access.mintToken(user))
    }
    // Preferences and caches of the user's own kubectl stay out: a port may have belonged to another server before.
    const kubectl = [
      '#!/bin/sh',
      '# kubectl for the control plane of this directory; --kubeconfig chooses other credentials.',
      `export KUBECONFIG=${quoted(info.kubeconfigPath)} KUBECACHEDIR=${quoted(this.#path('kubectl-cache'))} KUBERC=off`,
      `exec ${quoted(info.binary)} kubectl "$@"`,
    ]
    await writeFile(info.kubectlPath, `${kubectl.join('\n')}\n`)
    await chmod(info.kubectlPath, 0o755)
    await writeFile(controlPlaneFiles.info(info.directory), JSON.stringify(info, undefined, 2))
  }

  async #startControllerManager(access: ControlPlaneAccess): Promise<void> {
    await writeKubeconfig(this.#path('kube-controller-manager.kubeconfig'), {
      url: access.url,
      ca: await readFile(access.caFile, 'utf8'),
      user: controllerManagerUser,
      token: await readFile(controlPlaneFiles.token(this.#directory, controllerManagerUser), 'utf8'),
    })
    const manager = this.#component('kube-controller-manager', [
      '--kubeconfig=kube-controller-manager.kubeconfig',
      '--service-account-private-key-file=service-account.key',
      '--use-service-account-credentials=true',
      '--root-ca-file=server-ca.crt',
      '--leader-elect=false',
      '--secure-port=0',
      // The defaults hold back a suite that makes a namespace for each of its tests.
      '--kube-api-qps=500',
      '--kube-api-burst=1000',
      ...(this.#options.controllerManagerFlags ?? []),
    ])
    // The first thing of its doing that everybody needs: Pods are refused before it.
    const account = '/api/v1/namespaces/default/serviceaccounts/default'
    await this.#until(manager, 'did nothing', async (signal) => {
      const { status } = await access.request('GET', account, { signal })
      return status === 200
    })
  }

  /** Polls until `probe` holds; throws when a component ends before, when time is up, or on abort. */
  async #until(
    component: Component,
    complaint: string,
    probe: (signal: AbortSignal) => Promise<boolean>,
  ): Promise<void> {
    const { signal } = this.#options
    const death = new AbortController()
    for (const each of this.components) void each.died.then((err) => death.abort(err))
    const timeout = AbortSignal.timeout(readyTimeoutMs)
    // Ends a probe too: the port may belong to a stranger who accepts connections and says nothing.
    const over = AbortSignal.any([death.signal, timeout, ...(signal ? [signal] : [])])
    while (!(await probe(over).catch(() => false))) {
      if (timeout.aborted) throw await component.failure(`${complaint} after ${readyTimeoutMs / 1000} s`)
      over.throwIfAborted()
      await sleep(pollMs)
    }
  }
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

async function emptyDirectory(directory: string): Promise<string> {
  await mkdir(directory, { recursive: true, mode: 0o700 })
  if ((await readdir(directory)).length > 0) {
    throw new Error(
      `starting a control plane in ${directory}: the directory is not empty; give another one or empty it`,
    )
  }
  return directory
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer()
    server.on('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      server.close(() => resolve(typeof address === 'object' && address ? address.port : 0))
    })
  })
}
