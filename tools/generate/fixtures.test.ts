// Kubernetes' own test objects, one of every kind with every field set, must be what the generated types say: each field
// of an object is a property of its interface, and each property is a field of some object.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { root } from '../root.js'
import { fileOf, readSpec, type Schema } from '../spec/format.js'
import { apiFiles } from './api.js'
import { Model } from './model.js'

const goPath = process.env['GOPATH'] || join(homedir(), 'go')
const moduleCache = process.env['GOMODCACHE'] || join(goPath, 'pkg/mod')
const dir = join(moduleCache, 'k8s.io/api@v0.36.3/testdata/HEAD')
const missing = !existsSync(dir)

/** Kinds of group-versions that no client has. */
const notOurs = /^(admission\.k8s\.io|imagepolicy\.k8s\.io|apidiscovery\.k8s\.io\.v2beta1)\./
const model = new Model(readSpec(join(root, 'spec')))
const interfaces = readInterfaces()
const seen = new Map<string, Set<string>>()

// In CI the module cache has to be there: then this runs and fails, instead of being skipped.
describe.skipIf(missing && !process.env['CI'])('test objects of k8s.io/api', () => {
  const files = missing ? [] : readdirSync(dir).filter((f) => f.endsWith('.json') && !notOurs.test(f))

  it('are there', () => {
    expect(files.length).toBeGreaterThan(150)
  })

  it.each(files)('%s', (file) => {
    const object = JSON.parse(readFileSync(join(dir, file), 'utf8')) as object
    const [, group, version, kind = ''] = file.match(/^(.+)\.(\w+)\.(\w+)\.json$/) ?? []
    // What every group-version shares, DeleteOptions say, has its file under the core group.
    const name = [`${group}/${version}.${kind}`, `meta/v1.${kind}`].find((n) => model.has(n)) ?? file
    const { apiVersion } = model.definition(name)
    if (apiVersion !== undefined) expect(object).toMatchObject({ apiVersion, kind })
    expect(problems(object, { ref: name }, name, kind)).toEqual([])
  })

  it('are of every kind that has a client, as far as k8s.io/api holds them', () => {
    const kinds = model
      .clients()
      .filter((gv) => gv.folder !== 'apiextensions' && gv.folder !== 'apiregistration')
      .flatMap((gv) => model.clientResources(gv).map((r) => `${fileOf(gv)}.${r.facts.kind}`))
    // Of this one, Kubernetes keeps no test object.
    expect(kinds.filter((kind) => !seen.has(kind))).toEqual(['authentication.k8s.io/v1alpha1.SelfSubjectReview'])
  })

  it('have every field of the types they are made of', () => {
    const unseen = [...seen].flatMap(([name, keys]) => {
      const known = interfaces.get(place(name)) ?? []
      return [...known].filter((key) => !keys.has(key)).map((key) => `${name}.${key}`)
    })
    expect(unseen).toEqual([])
  })
})

it('every property in spec/ is in the generated interface, and in that of what is written', () => {
  for (const home of model.groupVersions) {
    for (const [short, { properties }] of Object.entries(home.definitions)) {
      const name = `${fileOf(home)}.${short}`
      if (!properties) continue
      expect([...(interfaces.get(place(name)) ?? [])].sort(), name).toEqual(Object.keys(properties))
      if (!model.hasInput(name)) continue
      expect([...(interfaces.get(`${place(name)}Input`) ?? [])].sort(), `${name}Input`).toEqual(Object.keys(properties))
    }
  }
})

function place(name: string): string {
  const { module, type } = model.place(name)
  return `${module}.${type}`
}

/** The property names of each generated interface, by `<module>.<type>`. */
function readInterfaces(): Map<string, Set<string>> {
  const found = new Map<string, Set<string>>()
  for (const [path, text] of apiFiles(model)) {
    for (const [, type, body = ''] of text.matchAll(/^export interface (\w+) \{\n(.*?)^\}/gms)) {
      const keys = [...body.matchAll(/^ {2}(?:'([^']+)'|([\w$]+))\??:/gm)].map((m) => m[1] ?? m[2] ?? '')
      found.set(`${path.replace(/\.ts$/, '')}.${type}`, new Set(keys))
    }
  }
  return found
}

/** Where a value is not of its type: fields that are unknown, and values of another JSON type. */
function problems(value: unknown, schema: Schema, from: string, path: string): string[] {
  const home = model.home(from)
  const is = (ok: boolean, what: string) => (ok ? [] : [`${path}: ${JSON.stringify(value)} is no ${what}`])
  if (value === null) return is(schema.nullable === true, 'value')
  if (schema.ref !== undefined) {
    const name = model.resolve(schema.ref, home)
    const { properties, oneOf, type } = model.definition(name)
    if (oneOf) return is(oneOf.includes(typeof value) || (oneOf.includes('integer') && Number.isInteger(value)), name)
    if (type === 'object') return is(typeof value === 'object', name)
    if (type) return is(typeof value === type, name)
    if (!properties) return []
    if (typeof value !== 'object' || Array.isArray(value)) return is(false, name)
    const keys = seen.get(name) ?? new Set()
    seen.set(name, keys)
    return Object.entries(value).flatMap(([key, member]) => {
      keys.add(key)
      const property = interfaces.get(place(name))?.has(key) ? properties[key] : undefined
      return property
        ? problems(member, property, name, `${path}.${key}`)
        : [`${path}.${key}: ${name} has no such field`]
    })
  }
  switch (schema.type) {
    case 'array':
      if (!Array.isArray(value)) return is(false, 'array')
      return schema.items ? value.flatMap((v, i) => problems(v, schema.items as Schema, from, `${path}[${i}]`)) : []
    case 'object': {
      if (typeof value !== 'object' || Array.isArray(value)) return is(schema.values === undefined, 'map')
      const { values } = schema
      // A zero time as a map's value, which is null: only the maker of test objects has such.
      const members = Object.entries(value).filter(([, v]) => v !== null)
      return values ? members.flatMap(([k, v]) => problems(v, values, from, `${path}.${k}`)) : []
    }
    case 'integer':
      return is(Number.isInteger(value), 'integer')
    default:
      return is(typeof value === schema.type, schema.type ?? 'known type')
  }
}
