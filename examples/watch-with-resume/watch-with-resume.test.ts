// The watch's connections are cut again and again: the program prints every change, once and in order.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loadFromFile, writeToFile } from 'kubewright/clientcmd'
import { expect, it, onTestFinished } from 'vitest'
import { controlPlane, describeWithControlPlane, testNamespace } from '../../conformance/control-plane/fixture.js'
import { startTcpProxy } from '../../conformance/faults/tcp-proxy.js'
import { eventually } from '../../conformance/suite/eventually.js'
import { clientsetFor } from '../../conformance/suite/helpers.js'

const program = fileURLToPath(new URL('dist/main.js', import.meta.url))

describeWithControlPlane('watching Pods over a connection that breaks', () => {
  it('prints every change', async () => {
    const namespace = await testNamespace()
    const server = new URL(controlPlane().url)
    const proxy = await startTcpProxy({ host: server.hostname, port: Number(server.port) })
    onTestFinished(() => proxy.stop())
    const directory = await mkdtemp(join(tmpdir(), 'kubewright-'))
    onTestFinished(() => rm(directory, { recursive: true }))
    const kubeconfig = join(directory, 'config')
    const config = await loadFromFile(controlPlane().kubeconfigPath)
    for (const [name, cluster] of config.clusters) {
      config.clusters.set(name, { ...cluster, server: `https://127.0.0.1:${proxy.port}` })
    }
    await writeToFile(config, kubeconfig)

    const args = [program, '--kubeconfig', kubeconfig, '--namespace', namespace]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => void child.kill('SIGKILL'))
    let printed = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
    await eventually(() => /^listed 0 pods at version \d+\n/.test(printed))

    await using clientset = await clientsetFor()
    const pods = clientset.coreV1().pods(namespace)
    const expected: string[] = []
    for (let i = 0; i < 12; i++) {
      const name = `pod-${i}`
      const spec = { containers: [{ name: 'main', image: 'nginx:1.27' }] }
      const created = await pods.create({ metadata: { name }, spec })
      expected.push(`event=ADDED pod=${name} version=${created.metadata.resourceVersion}`)
      if (i % 3 === 0) proxy.cut()
    }
    await eventually(() => printed.includes('pod=pod-11 '))
    expect(printed.split('\n').slice(1, -1)).toEqual(expected)
    expect(proxy.accepted).toBeGreaterThan(1)
    const closed = once(child, 'close')
    child.kill('SIGINT')
    expect((await closed)[0]).toBe(0)
  })
})
