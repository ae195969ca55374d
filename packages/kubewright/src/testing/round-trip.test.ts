// Kubernetes' own test objects, one of every kind with every field set, come out of the clients and the fake as they went in.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import type { Unstructured } from '../meta/index.js'
import { encodeJSON, jsonParserFor } from '../rest/index.js'
import { FakeClientset } from './index.js'
import { ObjectTracker } from './object-tracker.js'
import { ResourceRegistry } from './resources.js'

const goPath = process.env['GOPATH'] || join(homedir(), 'go')
const moduleCache = process.env['GOMODCACHE'] || join(goPath, 'pkg/mod')
const dir = join(moduleCache, 'k8s.io/api@v0.36.3/testdata/HEAD')
const missing = !existsSync(dir)
const files = missing ? [] : readdirSync(dir).filter((file) => file.endsWith('.json'))
const resources = new ResourceRegistry()

const parse = jsonParserFor({ losslessIntegers: true })
const read = (file: string): Unstructured => parse(readFileSync(join(dir, file), 'utf8')) as Unstructured

/** The objects that can be kept: of a known kind, which is no review. */
const kept = files.filter((file) => {
  const { apiVersion, kind } = read(file)
  const info = resources.all().find((info) => info.apiVersion === apiVersion && info.kind === kind)
  return info?.verbs.includes('get')
})

/** Without the namespace that objects of some kinds have there by mistake, being in none. */
function stored(object: Unstructured): { object: Unstructured; namespace: string } {
  const { namespaced } = resources.ofObject(object)
  const { namespace = '', ...metadata } = object.metadata
  return namespaced ? { object, namespace } : { object: { ...object, metadata }, namespace: '' }
}

// In CI the module cache has to be there: then this runs and fails, instead of being skipped.
describe.skipIf(missing && !process.env['CI'])('test objects of k8s.io/api', () => {
  it('are there', () => {
    expect(kept.length).toBeGreaterThan(100)
  })

  it.each(files)('%s is the same, read and written', (file) => {
    const text = readFileSync(join(dir, file), 'utf8')
    expect(parse(encodeJSON(parse(text)))).toEqual(parse(text))
    // Not a digit, key or their order is lost.
    expect(encodeJSON(parse(text))).toBe(text.replace(/\n\s*/g, '').replace(/(":) /g, '$1'))
  })

  it.each(kept)('%s is the same in the tracker', (file) => {
    const { object, namespace } = stored(read(file))
    const tracker = new ObjectTracker({ resources })
    tracker.add(object)
    const { metadata } = object
    const found = tracker.get(resources.ofObject(object), namespace, metadata.name)
    expect(found).toEqual({
      ...object,
      metadata: { ...metadata, resourceVersion: expect.stringMatching(/^\d+$/) as string },
    })
  })

  const fake = new FakeClientset({ config: { losslessIntegers: true } })
  const creatable = kept.filter((file) => resources.ofObject(read(file)).verbs.includes('create'))

  it.each(creatable)('%s is the same to a client', async (file) => {
    const { object, namespace } = stored(read(file))
    const { group, version, resource } = resources.ofObject(object)
    const { resourceVersion: _, deletionTimestamp: __, deletionGracePeriodSeconds: ___, ...metadata } = object.metadata
    const given = { ...object, metadata }
    const client = fake.dynamicClient.resource({ group, version, resource }).namespace(namespace)
    const created = await client.create(given)
    const own = ['uid', 'creationTimestamp', 'generation', 'managedFields', 'resourceVersion', 'selfLink']
    expect(without(created, own)).toEqual(without(given, own))
  })
})

/** Of metadata what a client can write, and no status, which is another endpoint's. */
function without(object: { metadata?: object; status?: unknown }, names: readonly string[]): object {
  const metadata = Object.entries(object.metadata ?? {}).filter(([name]) => !names.includes(name))
  const { status: _, ...rest } = object
  return { ...rest, metadata: Object.fromEntries(metadata) }
}
