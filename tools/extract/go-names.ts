// The public names of client-go, and of those packages of apimachinery and utils that programs with client-go import.

import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { root } from '../root.js'
import type { GroupVersionFacts } from '../spec/format.js'
import { formatNames, goNamesFile, parseNames } from '../spec/go-names.js'
import { withoutGenerated } from './generated-names.js'
import { clientGoDependency, moduleDir, stagingVersion } from './go-modules.js'

const companions = [
  ...['api/equality', 'api/errors', 'api/meta', 'api/resource', 'apis/meta/v1', 'apis/meta/v1/unstructured'],
  ...['fields', 'labels', 'runtime', 'runtime/schema', 'selection', 'types', 'version', 'watch'],
  ...['util/duration', 'util/errors', 'util/intstr', 'util/json', 'util/jsonmergepatch', 'util/managedfields'],
  ...['util/mergepatch', 'util/rand', 'util/resourceversion', 'util/runtime', 'util/sets', 'util/strategicpatch'],
  ...['util/uuid', 'util/validation', 'util/wait', 'util/yaml'],
].map((path) => `k8s.io/apimachinery/pkg/${path}`)
const utils = ['clock', 'clock/testing', 'pointer', 'ptr', 'set'].map((path) => `k8s.io/utils/${path}`)
const wanted = new Set([...companions, ...utils])

/** Writes spec/client-go/names.txt. The facts are those of all group-versions. */
export function writeGoNames(facts: readonly GroupVersionFacts[]): void {
  const { packages, left } = withoutGenerated(readGoNames(), facts)
  const head = `Public names of client-go ${stagingVersion} and of what is imported with it, as spec/README.md describes them.
${left} more follow by rule from the resources of the other files.`
  mkdirSync(dirname(goNamesFile), { recursive: true })
  writeFileSync(goNamesFile, formatNames(head, packages))
  console.log(`spec: names of ${packages.size} packages of client-go ${stagingVersion}; ${left} more follow by rule`)
}

function readGoNames() {
  const modules = ['k8s.io/client-go', 'k8s.io/apimachinery'].map((module) => `${module}=${moduleDir(module)}`)
  const program = join(root, 'tools/extract/go-names/main.go')
  const text = execFileSync('go', ['run', program, ...modules, `k8s.io/utils=${clientGoDependency('k8s.io/utils')}`], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
  })
  const all = parseNames(text)
  const missing = [...wanted].filter((path) => !all.has(path))
  if (missing.length > 0) throw new Error(`reading Go's names: none in ${missing.join(', ')}`)
  return new Map([...all].filter(([path]) => path.startsWith('k8s.io/client-go/') || wanted.has(path)))
}
