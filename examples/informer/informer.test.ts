import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { mergePatch } from 'kubewright'
import { loadFromFile, writeToFile } from 'kubewright/clientcmd'
import { expect, it, onTestFinished } from 'vitest'
import { controlPlane, describeWithControlPlane, testNamespace } from '../../conformance/control-plane/fixture.js'
import { eventually } from '../../conformance/suite/eventually.js'
import { clientsetFor, deployment } from '../../conformance/suite/helpers.js'
import { start } from '../run.test-support.js'

describeWithControlPlane('the informer of Deployments', () => {
  it('tells what was there, what comes, changes and goes, and resyncs, until Ctrl-C', async () => {
    const namespace = await testNamespace()
    await using clientset = await clientsetFor()
    const deployments = clientset.appsV1().deployments(namespace)
    await deployments.create(deployment('web', { replicas: 2 }))

    const program = start('informer', '--namespace', namespace, '--resync', '1')
    const printed = (line: string) => eventually(() => program.stdout.split('\n').includes(line))
    await printed('1 deployments cached')
    await printed(`add ${namespace}/web (was there)`)
    await printed(`cached ${namespace}/web replicas=2`)
    await deployments.create(deployment('api'))
    await printed(`add ${namespace}/api`)
    await deployments.patch('api', mergePatch({ spec: { replicas: 3 } }))
    await printed(`update ${namespace}/api replicas 1 -> 3`)
    await printed(`resync ${namespace}/web`)
    await deployments.delete('web')
    await printed(`delete ${namespace}/web`)
    expect(await program.interrupt()).toBe(0)
    expect(program.stderr).toBe('')
  })

  it('ends cleanly while it still waits for its first list', async () => {
    const directory = await mkdtemp(join(tmpdir(), 'kubewright-'))
    onTestFinished(() => rm(directory, { recursive: true }))
    const kubeconfig = join(directory, 'config')
    const config = await loadFromFile(controlPlane().kubeconfigPath)
    for (const [name, cluster] of config.clusters)
      config.clusters.set(name, { ...cluster, server: 'https://127.0.0.1:1' })
    await writeToFile(config, kubeconfig)

    const program = start('informer', '--kubeconfig', kubeconfig)
    await eventually(() => program.stderr.includes('connection refused'))
    expect(await program.interrupt()).toBe(0)
    expect(program.stdout).toBe('')
  })
})
