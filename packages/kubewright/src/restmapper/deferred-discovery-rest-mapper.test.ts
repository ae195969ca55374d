// When the server is asked, and how often.

import { describe, expect, it } from 'vitest'
import { FakeClock } from '../clock/index.js'
import type { CachedDiscoveryInterface } from '../discovery/index.js'
import { groupsOf, list } from './discovered.test-support.js'
import { DeferredDiscoveryRESTMapper, NoResourceMatchError } from './index.js'

/** A cached client of a server whose resources can be changed: remembers until it is invalidated. */
function cachedServer({ fresh }: { fresh: boolean }) {
  const names = ['pods']
  const state = { fresh, asked: 0, invalidated: 0, fails: false, hold: Promise.resolve() }
  let known: readonly string[] | undefined
  const client = {
    async serverGroupsAndResources() {
      state.asked++
      await state.hold
      if (state.fails) throw new Error('no server')
      known ??= [...names]
      const resources = [list('v1', ...known.map((name) => ({ name, kind: name.slice(0, -1) })))]
      return { groups: groupsOf(resources), resources }
    },
    fresh: () => state.fresh,
    invalidate() {
      state.invalidated++
      state.fresh = true
      known = undefined
    },
  }
  return { client: client as unknown as CachedDiscoveryInterface, names, state }
}

const wanted = { group: '', version: 'v1', resource: 'widgets' }

describe('a deferred mapper', () => {
  it('asks when it is first needed, once for all who wait', async () => {
    const { client, state } = cachedServer({ fresh: true })
    const mapper = new DeferredDiscoveryRESTMapper(client)
    expect(state.asked).toBe(0)
    await Promise.all([mapper.resourceFor({ resource: 'pods' }), mapper.kindsFor({ resource: 'pod' })])
    await mapper.resourceSingularizer('pods')
    expect(state).toMatchObject({ asked: 1, invalidated: 0 })
  })

  it('asks once more for what is not found in what is not fresh, for all who miss something', async () => {
    const { client, names, state } = cachedServer({ fresh: false })
    const mapper = new DeferredDiscoveryRESTMapper(client)
    await mapper.resourceFor({ resource: 'pods' })
    names.push('widgets')
    const found = await Promise.all([
      mapper.resourceFor({ resource: 'widget' }),
      mapper.resourcesFor({ resource: 'widget' }),
      mapper.kindFor({ resource: 'widget' }),
      mapper.kindsFor({ resource: 'widget' }),
      mapper.restMapping({ group: '', kind: 'widget' }),
      mapper.restMappings({ group: '', kind: 'widget' }),
      mapper.resourceSingularizer('widgets'),
    ])
    expect(found[0]).toEqual(wanted)
    expect(state).toMatchObject({ asked: 2, invalidated: 1 })
    await expect(mapper.resourceFor({ resource: 'none' })).rejects.toThrow(NoResourceMatchError)
    expect(state).toMatchObject({ asked: 2, invalidated: 1 })
  })

  it('does not ask for what is fresh, until it is reset', async () => {
    const { client, names, state } = cachedServer({ fresh: true })
    const mapper = new DeferredDiscoveryRESTMapper(client)
    await mapper.resourceFor({ resource: 'pods' })
    names.push('widgets')
    await expect(mapper.resourceFor({ resource: 'widgets' })).rejects.toThrow(NoResourceMatchError)
    expect(state.asked).toBe(1)
    mapper.reset()
    expect(await mapper.resourceFor({ resource: 'widgets' })).toEqual(wanted)
  })

  it('asks for what is fresh, once it is of an age', async () => {
    const { client, names, state } = cachedServer({ fresh: true })
    const clock = new FakeClock()
    const mapper = new DeferredDiscoveryRESTMapper(client, { maxAge: 1000, clock })
    await mapper.resourceFor({ resource: 'pods' })
    names.push('widgets')
    await clock.advance(999)
    await expect(mapper.resourceFor({ resource: 'widgets' })).rejects.toThrow(NoResourceMatchError)
    await clock.advance(1)
    expect(await mapper.resourceFor({ resource: 'widgets' })).toEqual(wanted)
    await expect(mapper.resourceFor({ resource: 'none' })).rejects.toThrow(NoResourceMatchError)
    expect(state.asked).toBe(2)
  })

  it('does not ask for a question that is none', async () => {
    const { client, state } = cachedServer({ fresh: false })
    await expect(new DeferredDiscoveryRESTMapper(client).kindFor({ resource: '' })).rejects.toThrow(TypeError)
    expect(state.asked).toBe(1)
  })

  it.each([Number.NaN, -1])('has no maxAge of %d', (maxAge) => {
    expect(() => new DeferredDiscoveryRESTMapper(cachedServer({ fresh: true }).client, { maxAge })).toThrow(RangeError)
  })

  it('tries again after a failure, and ends when told', async () => {
    const { client, state } = cachedServer({ fresh: false })
    const mapper = new DeferredDiscoveryRESTMapper(client)
    state.fails = true
    await expect(mapper.kindFor({ resource: 'pods' })).rejects.toThrow('no server')
    state.fails = false
    expect(await mapper.kindFor({ resource: 'pods' })).toMatchObject({ kind: 'pod' })
    mapper.reset()
    state.hold = new Promise(() => {})
    const controller = new AbortController()
    const waiting = mapper.kindFor({ resource: 'pods' }, { signal: controller.signal })
    controller.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
  })
})
