import { mergePatch } from 'kubewright'
import { expect, it } from 'vitest'
import { describeWithControlPlane, testNamespace } from '../../conformance/control-plane/fixture.js'
import { eventually } from '../../conformance/suite/eventually.js'
import { clientsetFor, deployment } from '../../conformance/suite/helpers.js'
import { start } from '../run.test-support.js'

describeWithControlPlane('informers that are held', () => {
  it('follow what a ConfigMap names, from when it does to when it does not, until Ctrl-C', async () => {
    const namespace = await testNamespace()
    await using clientset = await clientsetFor()
    const core = clientset.coreV1()
    const name = 'followed'
    const choose = (resources: string) => core.configMaps(namespace).patch(name, mergePatch({ data: { resources } }))
    await core.configMaps(namespace).create({ metadata: { name }, data: { resources: 'secrets.v1.' } })
    await core.secrets(namespace).create({ metadata: { name: 'first' } })

    const program = start('hold-informers', '--namespace', namespace)
    const printed = (line: string) => eventually(() => program.stdout.split('\n').includes(line))
    await printed(`secrets.v1. + ${namespace}/first`)

    await choose('secrets.v1. deployments.v1.apps')
    await clientset.appsV1().deployments(namespace).create(deployment('web'))
    await printed(`deployments.v1.apps + ${namespace}/web`)
    await core.secrets(namespace).delete('first')
    await printed(`secrets.v1. - ${namespace}/first`)

    await choose('deployments.v1.apps')
    await printed('secrets.v1. is not followed any more')
    await core.secrets(namespace).create({ metadata: { name: 'unseen' } })
    await choose('deployments.v1.apps secrets.v1.')
    await printed(`secrets.v1. + ${namespace}/unseen`)

    await core.configMaps(namespace).delete(name)
    await printed('deployments.v1.apps is not followed any more')
    expect(await program.interrupt()).toBe(0)
    expect(program.stderr).toBe('')
  })
})
