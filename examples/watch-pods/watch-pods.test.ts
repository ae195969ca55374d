import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { controlPlane, describeWithControlPlane, testNamespace } from '../../conformance/control-plane/fixture.js'
import { eventually } from '../../conformance/suite/eventually.js'
import { clientsetFor } from '../../conformance/suite/helpers.js'

const program = fileURLToPath(new URL('dist/main.js', import.meta.url))

describeWithControlPlane('watching Pods', () => {
  it('prints what happens to them, until Ctrl-C', async () => {
    const namespace = await testNamespace()
    await using clientset = await clientsetFor()
    const pods = clientset.coreV1().pods(namespace)
    await pods.create({ metadata: { name: 'web' }, spec: { containers: [{ name: 'main', image: 'nginx:1.27' }] } })

    const args = [program, '--kubeconfig', controlPlane().kubeconfigPath, '--namespace', namespace]
    const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
    onTestFinished(() => void child.kill('SIGKILL'))
    let printed = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      printed += text
    })
    await eventually(() => printed === 'event=ADDED kind=Pod\n')
    await pods.delete('web', { gracePeriodSeconds: 0 })
    await eventually(() => printed.endsWith('event=DELETED kind=Pod\n'))
    const closed = once(child, 'close')
    child.kill('SIGINT')
    expect((await closed)[0]).toBe(0)
  })
})
