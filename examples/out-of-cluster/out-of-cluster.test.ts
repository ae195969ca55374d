import { expect, it } from 'vitest'
import { describeWithControlPlane, testNamespace } from '../../conformance/control-plane/fixture.js'
import { eventually } from '../../conformance/suite/eventually.js'
import { clientsetFor } from '../../conformance/suite/helpers.js'
import { start } from '../run.test-support.js'

const count = (text: string): number => Number(/^there are (\d+) pods in the cluster\n/.exec(text)?.[1])

describeWithControlPlane('a program beside the cluster', () => {
  it('counts the Pods of all namespaces and tells whether one is there, until Ctrl-C', async () => {
    const namespace = await testNamespace()
    await using clientset = await clientsetFor()
    const spec = { containers: [{ name: 'main', image: 'nginx:1.27' }] }
    await clientset
      .coreV1()
      .pods(namespace)
      .create({ metadata: { name: 'web' }, spec })

    const found = start('out-of-cluster', '--pod', `${namespace}/web`)
    const missing = start('out-of-cluster')
    await eventually(() => found.stdout.endsWith(`found pod ${namespace}/web\n`))
    await eventually(() => missing.stdout.endsWith('pod default/example-xxxxx not found\n'))
    expect(count(found.stdout)).toBeGreaterThan(0)
    // Between two looks: they are ten seconds apart.
    expect(await Promise.all([found.interrupt(), missing.interrupt()])).toEqual([0, 0])
    expect([found.stderr, missing.stderr]).toEqual(['', ''])
  })

  it('looks again after a while', async () => {
    const program = start('out-of-cluster', '--every', '1')
    await eventually(() => program.stdout.split('there are ').length === 2)
    const first = performance.now()
    await eventually(() => program.stdout.split('there are ').length === 3)
    expect(performance.now() - first).toBeGreaterThan(500)
    expect(await program.interrupt()).toBe(0)
  })
})
