// Credentials from a plugin: when it runs, and for how long what it gave is used.

import { type Clock, SingleFlight } from '../../../clock/index.js'
import { goQuote, messageOf } from '../../../meta/index.js'
import type { Environment } from '../../environment.js'
import type { CertificateSource, ClientCertificate } from '../../transport/certificate-source.js'
import type { ExecConfig } from '../exec-config.js'
import { type ExecCredentials, parseExecCredential } from './credentials.js'
import { type ExecCluster, execApiVersions, execInfo, execInfoVariable } from './exec-info.js'
import { InstallHint } from './install-hint.js'
import { lookPath } from './look-path.js'
import { publishCertificate, publishPluginCall, publishPolicyCall } from './plugin-calls.js'
import { ExecPluginError } from './plugin-error.js'
import { type ExecPluginPolicy, refusal, validateExecPluginPolicy } from './policy.js'
import { runPlugin } from './run-plugin.js'

/** What of the process a plugin gets to see. */
export interface ExecSurroundings {
  environ: () => Environment
  isTerminal: () => boolean
  /** File descriptors. */
  stdin: number
  stderr: number
}

const ofTheProcess: ExecSurroundings = {
  environ: () => process.env,
  isTerminal: () => process.getBuiltinModule('node:tty').isatty(0),
  stdin: 0,
  stderr: 2,
}

/** Options of {@link ExecAuthenticator}. */
export interface ExecAuthenticatorOptions {
  config: ExecConfig
  /** Told to the plugin when the config says so. */
  cluster?: ExecCluster | undefined
  /** @defaultValue all may run */
  policy?: ExecPluginPolicy | undefined
  /** Standard input cannot be had; a text says why. @defaultValue false */
  stdinUnavailable?: boolean | string | undefined
  clock: Clock
  /** @defaultValue the process's own */
  surroundings?: Partial<ExecSurroundings> | undefined
}

/**
 * Runs one plugin for one user of one cluster, and keeps what it gives.
 *
 * **Guarantees**
 * - Credentials are used until after their expiration, or, having none, until the server refuses them.
 * - The plugin runs at most once at a time, whoever asks, and is ended when nobody waits for it any more.
 */
export class ExecAuthenticator implements CertificateSource {
  readonly #options: ExecAuthenticatorOptions
  readonly #surroundings: ExecSurroundings
  readonly #hint: InstallHint
  readonly #flight = new SingleFlight<ExecCredentials>((signal) => this.#refresh(signal))
  readonly #listeners = new Set<() => void>()
  /** For those who listen, in place of the authenticator itself, which has credentials. */
  readonly #identity = Object.freeze({})
  #credentials: ExecCredentials | undefined
  #rejected = false

  /** @throws Error when the config names no command, an unknown apiVersion, or the policy is not valid. */
  constructor(options: ExecAuthenticatorOptions) {
    const { config, policy, clock, surroundings } = options
    if (!config.command) throw new Error('exec plugin: command must be specified')
    if (!execApiVersions.includes(config.apiVersion)) {
      throw new Error(`exec plugin: invalid apiVersion ${goQuote(config.apiVersion)}`)
    }
    validateExecPluginPolicy(policy ?? {})
    this.#options = options
    this.#surroundings = { ...ofTheProcess, ...surroundings }
    this.#hint = new InstallHint(config.installHint, clock)
  }

  /**
   * Credentials for a request, those at hand or new ones.
   *
   * @throws ExecPluginError when the plugin gives none; the signal's reason when it aborts.
   */
  async credentials({ signal }: { signal?: AbortSignal | undefined } = {}): Promise<ExecCredentials> {
    signal?.throwIfAborted()
    const { clock } = this.#options
    const current = this.#credentials
    const usable = current && !this.#rejected && !(clock.now() > (current.expiresAt ?? Number.POSITIVE_INFINITY))
    return usable ? current : this.#flight.run(signal)
  }

  /** The server refused these: the next request has the plugin run, unless it has run meanwhile. */
  reject(credentials: ExecCredentials): void {
    if (credentials === this.#credentials) this.#rejected = true
  }

  /** The certificate for new connections, as far as it is known; never runs the plugin. */
  currentCertificate(): ClientCertificate | undefined {
    return this.#credentials?.certificate
  }

  /**
   * Calls `listener` whenever {@link currentCertificate} gives another one, before a request is sent with it. Connections
   * made before that prove the wrong identity and are to be closed.
   *
   * @returns ends it.
   */
  onCertificateChange(listener: () => void): () => void {
    const own = (): void => listener()
    this.#listeners.add(own)
    return () => void this.#listeners.delete(own)
  }

  async #refresh(signal: AbortSignal): Promise<ExecCredentials> {
    const { config, clock } = this.#options
    const stdout = await this.#run(signal)
    let credentials: ExecCredentials
    try {
      credentials = parseExecCredential(stdout, config.apiVersion)
    } catch (err) {
      throw this.#error(messageOf(err))
    }
    const previous = this.#credentials?.certificate
    const changed = !isSame(previous, credentials.certificate)
    this.#credentials = credentials
    this.#rejected = false
    publishCertificate(this.#identity, {
      now: clock.now(),
      current: credentials.certificate?.certData,
      replaced: changed ? previous?.certData : undefined,
    })
    if (changed) for (const listener of this.#listeners) listener()
    return credentials
  }

  async #run(signal: AbortSignal): Promise<string> {
    const { config, cluster, policy = {}, clock } = this.#options
    const { environ, stdin, stderr } = this.#surroundings
    const { command, args = [], apiVersion, provideClusterInfo } = config
    const interactive = this.#isInteractive()
    const ours = environ()
    const path = lookPath(command, ours)
    const refused = refusal(policy, { command, path, env: ours })
    publishPolicyCall({ status: refused ? 'denied' : 'allowed' })
    if (refused) throw this.#error(refused)
    if (path === undefined) {
      publishPluginCall({ exitCode: 1, status: 'plugin_not_found_error' })
      throw this.#error(`exec: executable ${command} not found${this.#hint.next()}`)
    }
    const env = {
      ...ours,
      ...Object.fromEntries((config.env ?? []).map(({ name, value }) => [name, value])),
      [execInfoVariable]: execInfo(apiVersion, interactive, provideClusterInfo ? cluster : undefined),
    }
    try {
      const stdout = await runPlugin({
        command,
        path,
        args,
        env,
        stdin: interactive ? stdin : undefined,
        stderr,
        clock,
        signal,
      })
      publishPluginCall({ exitCode: 0, status: 'no_error' })
      return stdout
    } catch (err) {
      if (!(err instanceof ExecPluginError)) throw err
      const { exitCode } = err
      if (exitCode === undefined) publishPluginCall({ exitCode: 1, status: 'client_internal_error' })
      else publishPluginCall({ exitCode, status: 'plugin_execution_error' })
      throw err
    }
  }

  #isInteractive(): boolean {
    const { config, stdinUnavailable } = this.#options
    const { isTerminal } = this.#surroundings
    const cannot = (why: string): Error => this.#error(`exec plugin cannot support interactive mode: ${why}`)
    switch (config.interactiveMode) {
      case 'Never':
        return false
      case 'IfAvailable':
        return !stdinUnavailable && isTerminal()
      case 'Always':
        if (!isTerminal()) throw cannot('standard input is not a terminal')
        if (stdinUnavailable) {
          const why = typeof stdinUnavailable === 'string' ? `: ${stdinUnavailable}` : ''
          throw cannot(`standard input is unavailable${why}`)
        }
        return true
      default:
        throw cannot(
          `unknown interactiveMode: ${goQuote(config.interactiveMode ?? '')}; give Never, IfAvailable or Always`,
        )
    }
  }

  #error(problem: string): ExecPluginError {
    return new ExecPluginError(problem, { command: this.#options.config.command })
  }
}

function isSame(a: ClientCertificate | undefined, b: ClientCertificate | undefined): boolean {
  return a?.certData === b?.certData && a?.keyData === b?.keyData
}
