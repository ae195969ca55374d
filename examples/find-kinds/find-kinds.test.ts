// What the program finds on a real server.
import { expect, it } from 'vitest'
import { describeWithControlPlane, testNamespace } from '../../conformance/control-plane/fixture.js'
import { clientsetFor, deployment } from '../../conformance/suite/helpers.js'
import { run } from '../run.test-support.js'

describeWithControlPlane('finding kinds', () => {
  it('lists what can be watched, expands a short name, and reads a scale', async () => {
    const namespace = await testNamespace()
    await using clientset = await clientsetFor()
    await clientset
      .appsV1()
      .deployments(namespace)
      .create(deployment('web', { replicas: 0 }))
    const { stdout, stderr } = await run('find-kinds', namespace)
    expect(stderr).toBe('')
    const lines = stdout.trimEnd().split('\n')
    expect(lines.find((line) => line.startsWith('v1: '))).toMatch(/\bpods\b/)
    expect(lines.find((line) => line.startsWith('v1: '))).not.toMatch(/componentstatuses|bindings/)
    expect(lines.slice(-2)).toEqual(['deploy is deployments of apps/v1, of kind Deployment', 'web: 0 of 0 replicas'])
    expect((await run('find-kinds', namespace, 'cm')).stdout).toContain(
      'cm is configmaps of the core group/v1, of kind ConfigMap\nweb: there is none, or it has no replicas\n',
    )
  })
})
