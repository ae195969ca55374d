import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { controlPlane, describeWithControlPlane, testNamespace } from '../../conformance/control-plane/fixture.js'
import { clientsetFor } from '../../conformance/suite/helpers.js'

const program = fileURLToPath(new URL('dist/main.js', import.meta.url))
const total = 5000

describeWithControlPlane('paging', () => {
  it('goes through 5,000 ConfigMaps, each once', { timeout: 120_000 }, async () => {
    const namespace = await testNamespace()
    await using clientset = await clientsetFor()
    const configMaps = clientset.coreV1().configMaps(namespace)
    let next = 0
    const worker = async (): Promise<void> => {
      while (next < total) await configMaps.create({ metadata: { name: `cm-${next++}` }, data: { text: 'ten chars.' } })
    }
    await Promise.all(Array.from({ length: 32 }, worker))

    const { stdout, stderr } = await promisify(execFile)(process.execPath, [
      program,
      ...['--kubeconfig', controlPlane().kubeconfigPath, '--namespace', namespace, '--page-size', '1000'],
    ])
    expect(stderr).toBe('')
    // One ConfigMap is made by the server in every namespace, and may not be there yet.
    const items = Number(/^items=(\d+) /.exec(stdout)?.[1])
    expect([total, total + 1]).toContain(items)
    const pages = stdout.trimEnd().split('\n').slice(1)
    expect(pages.length).toBe(Math.ceil(items / 1000))
    expect(pages[0]).toBe(`page of 1000, ${items - 1000} to come`)
    expect(pages.at(-1)).toMatch(/, 0 to come$/)
  })
})
