// The built program with the files and the environment of a Pod. Its files begin elsewhere: nothing else is changed.

import { execFile } from 'node:child_process'
import { copyFile, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it, onTestFinished } from 'vitest'
import {
  controlPlane,
  describeWithControlPlane,
  kubectl,
  testNamespace,
} from '../../conformance/control-plane/fixture.js'
import { clientsetFor } from '../../conformance/suite/helpers.js'
import { programOf } from '../run.test-support.js'

const cache = fileURLToPath(new URL('../../.cache/', import.meta.url))

/** A directory with what a Pod of the namespace finds in its own; and the program that looks there. */
async function podOf(namespace: string): Promise<{ program: string; env: NodeJS.ProcessEnv }> {
  await mkdir(cache, { recursive: true })
  const directory = await mkdtemp(join(cache, 'in-cluster-')) // in the repository, so that the copy finds the library
  onTestFinished(() => rm(directory, { recursive: true }))
  const account = join(directory, 'var/run/secrets/kubernetes.io/serviceaccount')
  await mkdir(account, { recursive: true })
  const { token = '' } = await controlPlane().mintServiceAccountToken({ namespace, name: 'default' })
  await writeFile(join(account, 'token'), token)
  await copyFile(controlPlane().caFile, join(account, 'ca.crt'))
  const text = await readFile(programOf('in-cluster'), 'utf8')
  expect(text.split('inClusterConfig()')).toHaveLength(2)
  const program = join(directory, 'main.mjs')
  await writeFile(program, text.replace('inClusterConfig()', `inClusterConfig({ rootDirectory: '${directory}' })`))
  const { hostname, port } = new URL(controlPlane().url)
  return { program, env: { ...process.env, KUBERNETES_SERVICE_HOST: hostname, KUBERNETES_SERVICE_PORT: port } }
}

describeWithControlPlane('a program in a Pod', () => {
  it('counts the Pods once its ServiceAccount may', async () => {
    const namespace = await testNamespace()
    await using clientset = await clientsetFor()
    const spec = { containers: [{ name: 'main', image: 'nginx:1.27' }] }
    for (const name of ['one', 'two']) await clientset.coreV1().pods(namespace).create({ metadata: { name }, spec })
    const { program, env } = await podOf(namespace)
    const run = () => promisify(execFile)(process.execPath, [program], { env })

    const account = `system:serviceaccount:${namespace}:default`
    await expect(run()).rejects.toThrow(
      `User "${account}" cannot list resource "pods" in API group "" at the cluster scope`,
    )

    onTestFinished(async () => void (await kubectl(['delete', 'clusterrolebinding', namespace])))
    const bind = [
      'create',
      'clusterrolebinding',
      namespace,
      '--clusterrole=view',
      `--serviceaccount=${namespace}:default`,
    ]
    expect((await kubectl(bind)).code).toBe(0)
    // Other tests come and go with Pods of theirs; these two are there all the time.
    await expect
      .poll(async () => /^there are (\d+) pods in the cluster\n$/.exec((await run()).stdout)?.[1], { timeout: 10_000 })
      .toSatisfy((count) => Number(count) >= 2)
  })

  it('says that it is in none', async () => {
    const { KUBERNETES_SERVICE_HOST: _, ...env } = process.env
    const outside = promisify(execFile)(process.execPath, [programOf('in-cluster')], { env })
    await expect(outside).rejects.toThrow('NotInClusterError: unable to load in-cluster configuration')
  })
})
