// The generated table against the server: every resource it lists is served, with the verbs the table says.

import { type Clientset, isNotFound, type KubernetesList } from 'kubewright'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { resourceTable } from '../../packages/kubewright/src/gen/table.js'
import { controlPlane, describeWithControlPlane, kubectl } from '../control-plane/fixture.js'
import { clientsetFor } from './helpers.js'

type Lists = { list(): Promise<KubernetesList<{ kind?: string }>> }

describeWithControlPlane('every resource of the table', () => {
  let clientset: Clientset
  let served: Set<string>
  beforeAll(async () => {
    clientset = await clientsetFor()
    const { stdout } = await kubectl(['api-versions'])
    served = new Set(stdout.trim().split('\n'))
    expect(served.size).toBeGreaterThan(15)
    expect(controlPlane().url).toContain('https://')
  })
  afterAll(() => clientset.close())

  for (const [accessor, { group, version, resources }] of Object.entries(resourceTable)) {
    it(`${accessor}: every listable resource can be listed, or the group-version is not served`, async () => {
      const groupVersion = group === '' ? version : `${group}/${version}`
      const client = (clientset as unknown as Record<string, () => Record<string, () => Partial<Lists>>>)[accessor]?.()
      expect(client).toBeDefined()
      for (const [method, facts] of Object.entries(resources)) {
        const resource = client?.[method]?.()
        expect(resource, method).toBeDefined()
        if (!facts.methods.includes('list')) continue
        const answer = await (resource as Lists).list().catch((err: unknown) => err)
        if (served.has(groupVersion)) {
          expect(answer, method).toMatchObject({ kind: `${facts.kind}List`, items: expect.any(Array) })
        } else {
          expect(answer, method).toSatisfy(isNotFound)
        }
      }
    })
  }
})
