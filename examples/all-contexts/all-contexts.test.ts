// Three contexts: one that may read, one that may not, and one whose server is gone. None disturbs the others.

import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { load, loadFromFile, writeToFile } from 'kubewright/clientcmd'
import { expect, it, onTestFinished } from 'vitest'
import {
  controlPlane,
  describeWithControlPlane,
  mintToken,
  testNamespace,
} from '../../conformance/control-plane/fixture.js'
import { clientsetFor, deployment } from '../../conformance/suite/helpers.js'

const program = fileURLToPath(new URL('dist/main.js', import.meta.url))

describeWithControlPlane('Deployments of all contexts', () => {
  it('lists what each context may see, and says why another shows nothing', async () => {
    const namespace = await testNamespace()
    const clientset = await clientsetFor()
    await clientset
      .appsV1()
      .deployments(namespace)
      .create(deployment('web', { replicas: 3 }))
    await clientset.close()
    const directory = await mkdtemp(join(tmpdir(), 'kubewright-'))
    onTestFinished(() => rm(directory, { recursive: true }))

    const admin = await loadFromFile(controlPlane().kubeconfigPath)
    const limited = await loadFromFile(await mintToken('limited'))
    const all = await load('')
    const add = (name: string, from: typeof admin, server?: string): void => {
      const context = from.contexts.get(from.currentContext)
      const cluster = from.clusters.get(context?.cluster ?? '')
      const user = from.users.get(context?.user ?? '')
      if (!cluster || !user) throw new Error(`no cluster or user in the kubeconfig of ${name}`)
      all.clusters.set(name, server === undefined ? cluster : { ...cluster, server })
      all.users.set(name, user)
      all.contexts.set(name, { cluster: name, user: name, namespace })
    }
    add('reader', admin)
    add('stranger', limited)
    add('gone', admin, 'https://127.0.0.1:1')
    const kubeconfig = join(directory, 'config')
    await writeToFile(all, kubeconfig)

    const { stdout, stderr } = await promisify(execFile)(process.execPath, [program, '--kubeconfig', kubeconfig])
    expect(stderr).toBe('')
    const lines = stdout.trimEnd().split('\n')
    expect(lines[0]).toMatch(/^CONTEXT +NAMESPACE +NAME +READY$/)
    const row = (context: string): string | undefined => lines.find((line) => line.startsWith(context))
    expect(row('reader')).toMatch(new RegExp(`^reader +${namespace} +web +0/3$`))
    expect(row('stranger')).toContain('User "limited" cannot list resource "deployments"')
    expect(row('gone')).toContain('connection refused')
    expect(lines).toHaveLength(4)
  })
})
