// A running control plane as its users see it: where it is, kubectl, raw requests, and credentials of every sort.
// Works in any process on the machine, from the directory of the control plane alone.
import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { Agent, request as httpsRequest } from 'node:https'
import { join } from 'node:path'
import { type RunResult, run } from '../run.js'
import { writeKubeconfig } from './kubeconfig.js'

/** What there is to know about a running control plane; JSON, without secrets. */
export interface ControlPlaneInfo {
  /** Holds its files: logs (NAME.log), certificates, kubeconfigs. */
  directory: string
  /** Of kube-apiserver: https://127.0.0.1:PORT, without a slash at the end. */
  url: string
  /** Of Kubernetes, such as v1.36.3. */
  version: string
  /** Administrator: user `admin` of group `system:masters`, by token. */
  kubeconfigPath: string
  /** kubectl of the same version, an executable that talks to this control plane unless told otherwise. */
  kubectlPath: string
  /** PEM of the authority that signed the server's certificate. */
  caFile: string
  /** PEM of the authority that client certificates are checked against; its key lies beside it. */
  clientCAFile: string
  binary: string
  /** Whether kube-controller-manager runs. */
  controllers: boolean
}

/**
 * Users with a bearer token, which kube-apiserver reads at its start. `admin` may do everything. The others have no
 * rights but what a test binds to them: `limited` is in no group, `developer` is in the group `developers`.
 */
export const tokenUsers = { admin: ['system:masters'], limited: [], developer: ['developers'] } as const
export type TokenUser = keyof typeof tokenUsers

export interface Credentials {
  /** As `kubectl auth whoami` shows it. */
  user: string
  kubeconfigPath: string
  token?: string
  /** PEM files of the client certificate and its key. */
  certificateFile?: string
  keyFile?: string
}

export interface ClientCertificateOptions {
  user: string
  groups?: readonly string[] | undefined
  /** When it becomes valid and expires, from now on, as Go writes durations: `-2h`. Default an hour ago, and in a week. */
  begins?: string | undefined
  ends?: string | undefined
}

export interface ServiceAccountTokenOptions {
  namespace: string
  name: string
  /** As kubectl takes it, such as `10m`, which is the least; default an hour. */
  duration?: string | undefined
  /** Default: the API server's. */
  audience?: string | undefined
}

export interface KubectlOptions {
  /** Text for its standard input. */
  input?: string | undefined
  /** Path; default: the administrator's. */
  kubeconfig?: string | undefined
  signal?: AbortSignal | undefined
}

export interface RequestOptions {
  /** Sent as JSON, or as it is when it is a string. */
  body?: unknown
  /** Of the body; default application/json. */
  contentType?: string | undefined
  headers?: Readonly<Record<string, string>> | undefined
  /** Default: the administrator's. */
  credentials?: Credentials | undefined
  signal?: AbortSignal | undefined
}

export interface Response {
  status: number
  headers: IncomingHttpHeaders
  text: string
  /** The body parsed as JSON, undefined when it is something else. Untyped: it is for assertions. */
  // oxlint-disable-next-line typescript/no-explicit-any -- any shape may come
  json: any
}

const infoFile = (directory: string): string => join(directory, 'control-plane.json')
const tokenFile = (directory: string, user: string): string => join(directory, `${user}.token`)

/** The control plane whose files are in `directory`, started by whatever process. */
export async function openControlPlane(directory: string): Promise<ControlPlaneAccess> {
  const text = await readFile(infoFile(directory), 'utf8').catch((cause: Error) => {
    throw new Error(`${directory} is not the directory of a running control plane: ${cause.message}`, { cause })
  })
  return new ControlPlaneAccess(JSON.parse(text) as ControlPlaneInfo)
}

export class ControlPlaneAccess {
  readonly info: ControlPlaneInfo
  readonly #agents = new Map<string, Promise<Agent>>()

  constructor(info: ControlPlaneInfo) {
    this.info = info
  }

  get directory(): string {
    return this.info.directory
  }
  get url(): string {
    return this.info.url
  }
  get kubeconfigPath(): string {
    return this.info.kubeconfigPath
  }
  get kubectlPath(): string {
    return this.info.kubectlPath
  }
  get caFile(): string {
    return this.info.caFile
  }

  /** Runs kubectl; a failure of kubectl is in `code`, not thrown. */
  async kubectl(args: readonly string[], options: KubectlOptions = {}): Promise<RunResult> {
    const { input, kubeconfig, signal } = options
    const all = kubeconfig === undefined ? args : [`--kubeconfig=${kubeconfig}`, ...args]
    return run(this.info.kubectlPath, all, { input, signal })
  }

  /** One HTTP request; every status is a result, not an error. `path` is all after the host, query included. */
  async request(method: string, path: string, options: RequestOptions = {}): Promise<Response> {
    const { body, contentType = 'application/json', headers, signal } = options
    const credentials = options.credentials ?? (await this.mintToken('admin'))
    const agent = await this.#agent(credentials)
    const payload = body === undefined || typeof body === 'string' ? body : JSON.stringify(body)
    return new Promise((resolve, reject) => {
      const request = httpsRequest(this.info.url + path, {
        method,
        agent,
        signal,
        headers: {
          accept: 'application/json',
          ...(payload === undefined ? {} : { 'content-type': contentType }),
          ...(credentials.token === undefined ? {} : { authorization: `Bearer ${credentials.token}` }),
          ...headers,
        },
      })
      request.on('error', (cause) => reject(new Error(`${method} ${path}: ${cause.message}`, { cause })))
      request.on('response', (response) => {
        let text = ''
        response.setEncoding('utf8').on('data', (chunk: string) => {
          text += chunk
        })
        response.on('error', reject)
        response.on('end', () => {
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text, json: parsed(text) })
        })
      })
      request.end(payload)
    })
  }

  /** Credentials of one of the users that are there from the start. */
  async mintToken(user: TokenUser): Promise<Credentials> {
    const token = await readFile(tokenFile(this.directory, user), 'utf8')
    return { user, token, kubeconfigPath: join(this.directory, `${user}.kubeconfig`) }
  }

  /** A client certificate for any user and groups, accepted for days. */
  async mintClientCertificate(options: ClientCertificateOptions): Promise<Credentials> {
    const { user, groups = [], begins, ends } = options
    const out = this.#newFile('client')
    const args = ['client-certificate', '-directory', this.directory, '-user', user, '-out', out]
    if (begins !== undefined) args.push('-begins', begins)
    if (ends !== undefined) args.push('-ends', ends)
    const { code, stderr } = await run(this.info.binary, [...args, ...groups.flatMap((group) => ['-group', group])])
    if (code !== 0) throw new Error(`making a client certificate for ${user}: ${stderr}`)
    const credentials = {
      user,
      kubeconfigPath: `${out}.kubeconfig`,
      certificateFile: `${out}.crt`,
      keyFile: `${out}.key`,
    }
    await this.writeKubeconfig(credentials)
    return credentials
  }

  /** A token of an existing ServiceAccount. */
  async mintServiceAccountToken(options: ServiceAccountTokenOptions): Promise<Credentials> {
    const { namespace, name, duration, audience } = options
    const args = ['create', 'token', name, '--namespace', namespace]
    if (duration !== undefined) args.push('--duration', duration)
    if (audience !== undefined) args.push('--audience', audience)
    const { code, stdout, stderr } = await this.kubectl(args)
    if (code !== 0) throw new Error(`making a token for the ServiceAccount ${namespace}/${name}: ${stderr}`)
    const credentials = {
      user: `system:serviceaccount:${namespace}:${name}`,
      token: stdout.trim(),
      kubeconfigPath: `${this.#newFile('service-account')}.kubeconfig`,
    }
    await this.writeKubeconfig(credentials)
    return credentials
  }

  /** Writes the kubeconfig that the credentials name. */
  async writeKubeconfig({ user, kubeconfigPath, token, certificateFile, keyFile }: Credentials): Promise<void> {
    await writeKubeconfig(kubeconfigPath, {
      url: this.url,
      ca: await readFile(this.caFile, 'utf8'),
      user,
      token,
      certificate: certificateFile && (await readFile(certificateFile, 'utf8')),
      key: keyFile && (await readFile(keyFile, 'utf8')),
    })
  }

  /** Closes the connections that `request` keeps open. */
  async closeConnections(): Promise<void> {
    const agents = [...this.#agents.values()]
    this.#agents.clear()
    for (const agent of agents) (await agent).destroy()
  }

  #newFile(kind: string): string {
    return join(this.directory, `${kind}-${randomBytes(6).toString('hex')}`)
  }

  // Connections are shared between requests of the same client certificate.
  #agent({ certificateFile, keyFile }: Credentials): Promise<Agent> {
    const key = certificateFile ?? ''
    let agent = this.#agents.get(key)
    if (!agent) {
      agent = (async () =>
        new Agent({
          keepAlive: true,
          ca: await readFile(this.caFile),
          cert: certificateFile && (await readFile(certificateFile)),
          key: keyFile && (await readFile(keyFile)),
        }))()
      this.#agents.set(key, agent)
    }
    return agent
  }
}

/** Where a control plane being started records itself and its users' tokens. */
export const controlPlaneFiles = { info: infoFile, token: tokenFile } as const

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
