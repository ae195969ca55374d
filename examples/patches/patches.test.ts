// What the program prints, of patches and of what they have come to.
import { expect, it } from 'vitest'
import { describeWithControlPlane, testNamespace } from '../../conformance/control-plane/fixture.js'
import { run } from '../run.test-support.js'

describeWithControlPlane('patches of every kind', () => {
  it('are computed, sent, and take effect', async () => {
    const { stdout, stderr } = await run('patches', await testNamespace())
    expect(stderr).toBe('')
    expect(stdout.trimEnd().split('\n')).toEqual([
      'JSON patch: [{"op":"replace","path":"/spec/template/spec/containers/0/image","value":"nginx:1.28"}]',
      'merge patch, its containers: ["web","log"]',
      'strategic merge patch: {"spec":{"template":{"spec":{"containers":[{"image":"nginx:1.30","name":"web"}],' +
        '"$setElementOrder/containers":[{"name":"web"},{"name":"log"}]}}}}',
      'apply: 1',
      'image=nginx:1.30 replicas=1',
    ])
  })
})
