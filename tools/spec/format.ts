// The files of spec/: what each holds, and how they are read and written. spec/README.md describes the same in words.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** A type expression: of a property, a list's items or a map's values. */
export interface Schema {
  type?: 'string' | 'integer' | 'number' | 'boolean' | 'array' | 'object'
  format?: string
  /** A definition: `Name` in the same file, `<group>/<version>.Name` elsewhere. */
  ref?: string
  items?: Schema
  /** Type of a map's values. */
  values?: Schema
  default?: unknown
  enum?: string[]
  /** Sent as null, not left out, when there is no value. */
  nullable?: true
  listType?: 'atomic' | 'set' | 'map'
  listMapKeys?: string[]
  mapType?: 'atomic' | 'granular'
  patchStrategy?: string
  patchMergeKey?: string
  deprecated?: true
}

export interface Definition {
  /** Of definitions that are kinds. */
  apiVersion?: string
  kind?: string
  /** Of definitions that are no objects with properties. */
  type?: Schema['type']
  format?: string
  oneOf?: string[]
  mapType?: Schema['mapType']
  unions?: { discriminator?: string; 'fields-to-discriminateBy': Record<string, string> }[]
  deprecated?: true
  required?: string[]
  properties?: Record<string, Schema>
}

export interface KindReference {
  group: string
  version: string
  kind: string
}

export interface ResourceFacts {
  kind: string
  namespaced: boolean
  /** Absent when the server does not serve the resource (any more): then only a client's facts are known. */
  served?: {
    singular: string
    shortNames?: string[]
    categories?: string[]
    verbs: string[]
  }
  /** `kind` where it is not the resource's own. */
  subresources?: Record<string, { kind?: KindReference; verbs: string[] }>
  /** The Go client of the resource. */
  client?: {
    /** Name of the accessor: `Deployments`. */
    accessor: string
    methods: string[]
    /** Hand-written methods beside the generated ones. */
    expansion?: string[]
    /** The definition that the scale methods work on. */
    scale?: string
  }
}

export interface GroupVersionFacts {
  group: string
  version: string
  /** The group's folder in Go's client and API packages: `rbac` for rbac.authorization.k8s.io. */
  folder: string
  served: boolean
  /** The group-version's accessor on Go's Clientset: `AppsV1`. */
  accessor?: string
  resources?: Record<string, ResourceFacts>
  definitions: Record<string, Definition>
}

/** A group-version's file below spec/, without `.json`; names of other files' definitions begin with it. */
export function fileOf({ group, version }: { group: string; version: string }): string {
  return `${group || 'core'}/${version}`
}

/** Reads every file of a spec folder; the order is that of file names. */
export function readSpec(dir: string): GroupVersionFacts[] {
  const files = readdirSync(dir, { recursive: true, encoding: 'utf8' }).filter((f) => f.endsWith('.json'))
  if (files.length === 0) throw new Error(`reading the API description: no .json file in ${dir}`)
  return files.sort().map((file) => JSON.parse(readFileSync(join(dir, file), 'utf8')) as GroupVersionFacts)
}

/** Replaces the files of a spec folder; what is no group-version's file is left alone. */
export function writeSpec(dir: string, all: readonly GroupVersionFacts[]): void {
  if (existsSync(dir)) {
    for (const f of readdirSync(dir, { recursive: true, encoding: 'utf8' })) {
      if (f.endsWith('.json')) rmSync(join(dir, f))
    }
  }
  for (const facts of all) {
    const file = join(dir, `${fileOf(facts)}.json`)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, formatFacts(facts))
  }
}

const expandedPaths = [
  [],
  ['resources'],
  ['resources', '*'],
  ['resources', '*', 'served'],
  ['resources', '*', 'subresources'],
  ['resources', '*', 'client'],
  ['definitions'],
  ['definitions', '*'],
  ['definitions', '*', 'properties'],
]

/** The text of a file: one resource's fact or one property a line, so that differences read well. */
export function formatFacts(facts: GroupVersionFacts): string {
  return `${write(facts, [])}\n`
}

function write(value: unknown, path: readonly string[]): string {
  const expanded = expandedPaths.some((p) => p.length === path.length && p.every((s, i) => s === '*' || s === path[i]))
  if (!expanded || !isObject(value) || Object.keys(value).length === 0) return inline(value)
  const indent = '  '.repeat(path.length)
  const lines = entries(value).map(([k, v]) => `${indent}  ${JSON.stringify(k)}: ${write(v, [...path, k])}`)
  return `{\n${lines.join(',\n')}\n${indent}}`
}

function inline(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(inline).join(', ')}]`
  if (!isObject(value)) return JSON.stringify(value)
  const members = entries(value).map(([k, v]) => `${JSON.stringify(k)}: ${inline(v)}`)
  return members.length === 0 ? '{}' : `{ ${members.join(', ')} }`
}

function entries(value: object): [string, unknown][] {
  return Object.entries(value).filter(([, v]) => v !== undefined)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
