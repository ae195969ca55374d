// The control plane's Go program, and what its build is told beside its sources.
import type { GoProgram } from '../go-binary.js'

export const controlPlaneProgram: GoProgram = {
  name: 'control-plane',
  title: 'the control plane',
  buildTime: 'about 6 minutes on 2 idle cores the first time, well under one after that',
  // Upstream's build scripts set these; kubectl and version negotiation cannot do without.
  variables(goMod) {
    const [, version, major, minor] = /k8s\.io\/kubernetes (v(\d+)\.(\d+)\.\S+)/.exec(goMod) ?? []
    if (version === undefined) throw new Error("the control plane's go.mod names no version of k8s.io/kubernetes")
    return [
      `k8s.io/component-base/version.gitVersion=${version}`,
      `k8s.io/component-base/version.gitMajor=${major}`,
      `k8s.io/component-base/version.gitMinor=${minor}`,
      'k8s.io/component-base/version.gitTreeState=clean',
      `k8s.io/client-go/pkg/version.gitVersion=${version}`,
    ]
  },
}
