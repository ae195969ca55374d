// Where Go keeps the modules that facts are read from, and which packages hold API types and clients.

import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Kubernetes' version, and that of the modules published from it. */
export const kubernetesVersion = 'v1.36.3'
export const stagingVersion = 'v0.36.3'

/** Go packages of API types, `<dir>/<folder>/<version>`, and how their definitions' names begin. */
export const apiPackages = [
  { name: 'io.k8s.api', module: 'k8s.io/api', dir: '' },
  { name: 'io.k8s.apiextensions-apiserver.pkg.apis', module: 'k8s.io/apiextensions-apiserver', dir: 'pkg/apis' },
  { name: 'io.k8s.kube-aggregator.pkg.apis', module: 'k8s.io/kube-aggregator', dir: 'pkg/apis' },
] as const

/** Folders of Go clients. `version`: only that one is wanted, because it alone is served. */
export const clientFolders: readonly { module: string; dir: string; version?: string }[] = [
  { module: 'k8s.io/client-go', dir: 'kubernetes/typed' },
  { module: 'k8s.io/apiextensions-apiserver', dir: 'pkg/client/clientset/clientset/typed', version: 'v1' },
  { module: 'k8s.io/kube-aggregator', dir: 'pkg/client/clientset_generated/clientset/typed', version: 'v1' },
]

/** The folder of a module in Go's module cache; downloads it where it is missing. */
export function moduleDir(module: string): string {
  return download(module, module === 'k8s.io/kubernetes' ? kubernetesVersion : stagingVersion)
}

/** The folder of a module that client-go requires, at the version it requires. */
export function clientGoDependency(module: string): string {
  const requirements = readFileSync(join(moduleDir('k8s.io/client-go'), 'go.mod'), 'utf8')
  const version = requirements.match(new RegExp(`^\\s*${module.replaceAll('.', '\\.')} (v\\S+)`, 'm'))?.[1]
  if (!version) throw new Error(`reading client-go's requirements: ${module} is not among them`)
  return download(module, version)
}

function download(module: string, version: string): string {
  const out = execFileSync('go', ['mod', 'download', '-json', `${module}@${version}`], { encoding: 'utf8' })
  return (JSON.parse(out) as { Dir: string }).Dir
}

/** `k8s.io/api/apps/v1` → `io.k8s.api.apps.v1`, as far as the packages above go. */
export function definitionPackage(goPackage: string): string {
  const home = apiPackages.find((p) => goPackage.startsWith(`${p.module}/`))
  if (!home) throw new Error(`reading the API description: ${goPackage} is no package of API types`)
  const path = goPackage.slice(home.module.length + 1 + (home.dir ? home.dir.length + 1 : 0))
  return `${home.name}.${path.replaceAll('/', '.')}`
}
