// vitest's globalSetup: one control plane for a whole test run, given to the test files by `provide`. With
// KUBEWRIGHT_CONTROL_PLANE set to the directory of one that is running (`npm run control-plane` prints it), that one
// is used and left running.
import type { TestProject } from 'vitest/node'
import { GoUnavailable } from '../go-binary.js'
import { type ControlPlaneInfo, openControlPlane } from './access.js'
import { startControlPlane } from './control-plane.js'

declare module 'vitest' {
  interface ProvidedContext {
    controlPlane: { info: ControlPlaneInfo } | { unavailable: string }
  }
}

export default async function setup(project: TestProject): Promise<(() => Promise<void>) | undefined> {
  const running = process.env['KUBEWRIGHT_CONTROL_PLANE']
  if (running) {
    project.provide('controlPlane', { info: (await openControlPlane(running)).info })
    return undefined
  }
  try {
    const controlPlane = await startControlPlane({ onProgress: (line) => console.error(line) })
    project.provide('controlPlane', { info: controlPlane.info })
    return () => controlPlane.stop()
  } catch (err) {
    if (!(err instanceof GoUnavailable)) throw err
    console.error(`No control plane for the tests that need one: ${err.message}`)
    project.provide('controlPlane', { unavailable: err.message })
    return undefined
  }
}
