// What Go's typed clients have: read from their generated sources, which all have one form.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One resource's client. */
export interface GoResourceClient {
  resource: string
  kind: string
  accessor: string
  namespaced: boolean
  methods: string[]
  expansion: string[]
  /** Go package path and name of the type of its scale methods. */
  scale?: { pkg: string; name: string }
}

/** One group-version's client. */
export interface GoGroupVersionClient {
  folder: string
  version: string
  accessor: string
  resources: GoResourceClient[]
}

/** Reads the clients below a folder laid out as `<group>/<version>/*.go`. */
export function readGoClients(typedDir: string): GoGroupVersionClient[] {
  return directories(typedDir).flatMap((folder) =>
    directories(join(typedDir, folder)).map((version) =>
      readGroupVersion(join(typedDir, folder, version), folder, version),
    ),
  )
}

function directories(dir: string): string[] {
  return readdirSync(dir, { withFileTypes: true })
    .filter((e) => e.isDirectory())
    .map((e) => e.name)
    .sort()
}

function readGroupVersion(dir: string, folder: string, version: string): GoGroupVersionClient {
  const sources = readdirSync(dir)
    .filter((f) => f.endsWith('.go') && !f.endsWith('_test.go'))
    .map((f) => readFileSync(join(dir, f), 'utf8'))
  const accessors = new Set<string>()
  const expansions = new Map<string, string[]>()
  const resources: GoResourceClient[] = []
  for (const source of sources) {
    for (const [, name = '', body = ''] of source.matchAll(/^type (\w+)Interface interface \{\n(.*?)^\}/gms)) {
      if (body.includes('RESTClient()')) accessors.add(name)
      else resources.push(readResource(source, name, body, dir))
    }
    for (const [, name = '', body = ''] of source.matchAll(/^type (\w+)Expansion interface \{\n(.*?)^\}/gms)) {
      expansions.set(name, methodNames(body))
    }
  }
  const [accessor] = accessors
  if (accessor === undefined || accessors.size !== 1) {
    throw new Error(`reading the Go client in ${dir}: expected one group interface, found ${[...accessors]}`)
  }
  for (const resource of resources) resource.expansion = expansions.get(resource.kind) ?? []
  return { folder, version, accessor, resources }
}

function readResource(source: string, kind: string, body: string, dir: string): GoResourceClient {
  const getter = source.match(new RegExp(`^\\t(\\w+)\\((namespace string)?\\) ${kind}Interface$`, 'm'))
  const resource = source.match(/gentype\.New\w+\[[^\]]*\]\(\s*"(\w+)"/)?.[1]
  if (!getter?.[1] || !resource)
    throw new Error(`reading the Go client of ${kind} in ${dir}: its form is not the known one`)
  const scale = body.match(/\tGetScale\(.*\) \(\*(\w+)\.(\w+), error\)/)
  const pkg = scale && source.match(new RegExp(`^\\t${scale[1]} "([^"]+)"$`, 'm'))?.[1]
  return {
    resource,
    kind,
    accessor: getter[1],
    namespaced: getter[2] !== undefined,
    methods: methodNames(body),
    expansion: [],
    ...(pkg && scale[2] ? { scale: { pkg, name: scale[2] } } : {}),
  }
}

function methodNames(body: string): string[] {
  return [...body.matchAll(/^\t(\w+)\(/gm)].map((m) => m[1] ?? '')
}

/** Reads a group's name from its API package. */
export function readGroupName(packageDir: string): string {
  for (const file of ['register.go', 'doc.go']) {
    const path = join(packageDir, file)
    const name = existsSync(path) && readFileSync(path, 'utf8').match(/GroupName\s*=\s*"([^"]*)"/)?.[1]
    if (typeof name === 'string') return name
  }
  throw new Error(`reading the API package ${packageDir}: no GroupName in it`)
}
