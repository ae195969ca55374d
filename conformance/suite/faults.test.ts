// Informers whose connections a proxy breaks while somebody writes; `npm run faults -- --real` makes more such runs.

import { expect, it } from 'vitest'
import { controlPlane, describeWithControlPlane } from '../control-plane/fixture.js'
import { realRun } from '../faults/real-run.js'

describeWithControlPlane('informers under faults', () => {
  it.each([1, 2, 3, 4, 6])(
    'end where the server is (seed %i)',
    async (seed) => {
      const { problems, trace } = await realRun({ seed, kubeconfig: controlPlane().kubeconfigPath })
      expect(problems, trace.join(', ')).toEqual([])
    },
    180_000,
  )
})
