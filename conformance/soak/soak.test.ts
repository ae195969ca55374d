// Two minutes of what `npm run soak` does for half an hour.

import { expect, it } from 'vitest'
import { controlPlane, describeWithControlPlane } from '../control-plane/fixture.js'
import { soak, trendOf } from './soak.js'

describeWithControlPlane('informers under steady churn', () => {
  it('lose nothing in two minutes, and their heap does not grow', { timeout: 300_000 }, async () => {
    const { samples, problems, writes, connections } = await soak({
      kubeconfig: controlPlane().kubeconfigPath,
      minutes: 2,
    })
    expect(problems).toEqual([])
    expect(writes).toBeGreaterThan(1000)
    expect(connections).toBeGreaterThan(5)
    // The heap in use is some 12 MiB, and what is under way makes it differ by less than one. Of 200 events a second one
    // that is kept, of 2 KiB, would add 32 MiB to the line.
    expect(trendOf('heapUsed', samples).growth).toBeLessThan(0.15)
  })
})
