// What test files on the real control plane import: the suite that is skipped where there is none, a namespace of
// one's own, kubectl, and credentials. Nothing here goes through the library under test.
import { randomBytes } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, inject, onTestFinished, type TestContext } from 'vitest'
import { describeWherePossible } from '../describe-where-possible.js'
import type { RunResult } from '../run.js'
import {
  type ClientCertificateOptions,
  ControlPlaneAccess,
  type KubectlOptions,
  type ServiceAccountTokenOptions,
  type TokenUser,
} from './access.js'
import type {} from './global-setup.js'

let access: ControlPlaneAccess | undefined

/** The control plane of this test run. For use inside tests and hooks: it throws where there is none. */
export function controlPlane(): ControlPlaneAccess {
  const provided = inject('controlPlane')
  if ('unavailable' in provided) throw new Error(provided.unavailable)
  access ??= new ControlPlaneAccess(provided.info)
  return access
}

/**
 * `describe` for tests that need the control plane. Without one its tests are reported as skipped, by name; in CI
 * (the environment variable CI is set) the suite fails instead.
 */
export function describeWithControlPlane(name: string, fn: () => void): void {
  const provided = inject('controlPlane')
  describeWherePossible(name, 'unavailable' in provided ? provided.unavailable : undefined, fn)
}

export interface NamespaceOptions {
  /** Of the Namespace. */
  labels?: Readonly<Record<string, string>> | undefined
  /** The test's context; needed in concurrent tests only. */
  test?: Pick<TestContext, 'onTestFinished'> | undefined
}

/**
 * A fresh namespace for the test that is running (or about to, in `beforeEach`): its unique name. Pods can be created
 * in it. It is deleted when the test has finished; nobody waits for that.
 */
export async function testNamespace(options: NamespaceOptions = {}): Promise<string> {
  const { labels, test } = options
  const name = namespaceName(expect.getState().currentTestName?.split(' > ').at(-1) ?? 'test')
  const finished = test ? test.onTestFinished.bind(test) : onTestFinished
  finished(() => deleteNamespace(name))
  await createNamespace(name, labels)
  return name
}

/** Called in a suite's body: one namespace for all tests of the suite. Tests and hooks get its name by calling. */
export function suiteNamespace(options: Pick<NamespaceOptions, 'labels'> = {}): () => string {
  const name = namespaceName('suite')
  beforeAll(() => createNamespace(name, options.labels))
  afterAll(() => deleteNamespace(name))
  return () => name
}

/** Runs kubectl, as the administrator unless `kubeconfig` says otherwise; its failure is in `code`, not thrown. */
export function kubectl(args: readonly string[], options: KubectlOptions = {}): Promise<RunResult> {
  return controlPlane().kubectl(args, options)
}

/** Path of a kubeconfig with the bearer token of a predefined user: `limited`, `developer`, `admin`. */
export async function mintToken(user: TokenUser): Promise<string> {
  return (await controlPlane().mintToken(user)).kubeconfigPath
}

/** Path of a kubeconfig with a new client certificate for any user and groups. */
export async function mintClientCertificate(options: ClientCertificateOptions): Promise<string> {
  return (await controlPlane().mintClientCertificate(options)).kubeconfigPath
}

/** Path of a kubeconfig with a new token of an existing ServiceAccount. */
export async function mintServiceAccountToken(options: ServiceAccountTokenOptions): Promise<string> {
  return (await controlPlane().mintServiceAccountToken(options)).kubeconfigPath
}

function namespaceName(of: string): string {
  const slug = of
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .slice(0, 40)
  return `t-${slug}-${randomBytes(4).toString('hex')}`.replaceAll(/-+/g, '-')
}

async function createNamespace(name: string, labels: NamespaceOptions['labels']): Promise<void> {
  const server = controlPlane()
  const body = { apiVersion: 'v1', kind: 'Namespace', metadata: { name, labels } }
  const created = await server.request('POST', '/api/v1/namespaces', { body })
  if (created.status !== 201) throw new Error(`creating the namespace ${name}: ${created.text}`)
  if (!server.info.controllers) return
  // Pods are refused until the controllers have made it.
  const account = `/api/v1/namespaces/${name}/serviceaccounts/default`
  const deadline = Date.now() + 30_000
  while ((await server.request('GET', account)).status !== 200) {
    if (Date.now() > deadline) throw new Error(`the namespace ${name} has no default ServiceAccount after 30 s`)
    await sleep(20)
  }
}

async function deleteNamespace(name: string): Promise<void> {
  const { status, text } = await controlPlane().request('DELETE', `/api/v1/namespaces/${name}`)
  if (status >= 300 && status !== 404) throw new Error(`deleting the namespace ${name}: ${text}`)
}
