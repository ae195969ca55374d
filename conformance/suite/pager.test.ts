// Lists in pages, on a server that changes meanwhile and that forgets.

import type { Clientset } from 'kubewright'
import { ApiError, isBadRequest, isInvalid, isResourceExpired, type ListOptions } from 'kubewright/meta'
import { pager } from 'kubewright/pager'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithControlPlane, testNamespace } from '../control-plane/fixture.js'
import { clientsetFor } from './helpers.js'

const total = 2000
const nameOf = (n: number): string => `cm-${String(n).padStart(4, '0')}`

describeWithControlPlane('paging through 2,000 ConfigMaps', () => {
  let clientset: Clientset
  beforeAll(async () => {
    clientset = await clientsetFor()
  })
  afterAll(() => clientset.close())

  const made = { labelSelector: 'suite=pager' }

  async function withConfigMaps(count: number) {
    const namespace = await testNamespace()
    const configMaps = clientset.coreV1().configMaps(namespace)
    let next = 0
    const worker = async (): Promise<void> => {
      while (next < count) {
        await configMaps.create({ metadata: { name: nameOf(next++), labels: { suite: 'pager' } } })
      }
    }
    await Promise.all(Array.from({ length: 32 }, worker))
    return configMaps
  }

  it('brings each object of the beginning once, whatever is written meanwhile', { timeout: 120_000 }, async () => {
    const configMaps = await withConfigMaps(total)
    const seen: string[] = []
    // No reading ahead: each write comes between two pages.
    for await (const page of pager(configMaps, { pageSize: 100, pageBufferSize: 0 }).pages(made)) {
      expect(page.items.length).toBeLessThanOrEqual(100)
      // The last one: the server has looked at what does not match the selector.
      if (page.items.length === 0) continue
      for (const { metadata } of page.items) seen.push(metadata.name)
      const n = seen.length
      await configMaps.create({ metadata: { name: `${nameOf(n - 1)}-new`, labels: { suite: 'pager' } } })
      // One that was read, and one that was not.
      await configMaps.delete(nameOf(n - 50))
      if (n + 230 < total) await configMaps.delete(nameOf(n + 230))
    }
    expect(seen).toEqual(Array.from({ length: total }, (_, i) => nameOf(i)))

    const after = await pager(configMaps, { pageSize: 100 }).list(made)
    const names = (await configMaps.list(made)).items.map(({ metadata }) => metadata.name)
    expect(after.paginated).toBe(true)
    expect(after.list.items.map(({ metadata }) => metadata.name)).toEqual(names)
    expect(after.list.metadata.continue).toBeUndefined()
  })

  it('tells how many are to come, and reads each item once while pages are read ahead', async () => {
    const configMaps = await withConfigMaps(250)
    const toCome: (number | undefined)[] = []
    for await (const { metadata } of pager(configMaps, { pageSize: 100 }).pages())
      toCome.push(metadata.remainingItemCount)
    expect(toCome).toHaveLength(3)
    expect(toCome[2]).toBeUndefined()
    expect(toCome[0]).toBeGreaterThanOrEqual(150)
    const seen: string[] = []
    await pager(configMaps, { pageSize: 10 }).eachListItem(made, ({ metadata }) => void seen.push(metadata.name))
    expect(seen).toEqual(Array.from({ length: 250 }, (_, i) => nameOf(i)))
  })

  it('with a token that has expired, fails item by item, and as a list asks for the whole', async () => {
    const configMaps = await withConfigMaps(30)
    const asked: (string | undefined)[] = []
    const client = {
      async list(options: ListOptions) {
        asked.push(options.continue)
        if (options.continue) throw expired
        return configMaps.list(options)
      },
    }
    const seen: string[] = []
    const items = async (): Promise<void> => {
      for await (const { metadata } of pager(client, { pageSize: 10 }).items(made)) seen.push(metadata.name)
    }
    await expect(items()).rejects.toSatisfy(isResourceExpired)
    expect(seen).toHaveLength(10)
    asked.length = 0
    const { list, paginated } = await pager(client, { pageSize: 10 }).list(made)
    expect([list.items.length, paginated]).toEqual([30, true])
    expect(asked.map((token) => token !== undefined)).toEqual([false, true, false])
    await expect(pager(client, { pageSize: 10, fullListIfExpired: false }).list(made)).rejects.toSatisfy(
      isResourceExpired,
    )
  })

  it('with a version: a list sends it once, items are refused from the second page on', async () => {
    const configMaps = await withConfigMaps(30)
    const { resourceVersion } = (await configMaps.list(made)).metadata
    const options = { ...made, resourceVersion, resourceVersionMatch: 'NotOlderThan' }
    const { list, paginated } = await pager(configMaps, { pageSize: 10 }).list(options)
    expect([list.items.length, paginated]).toEqual([30, true])
    const seen: unknown[] = []
    const items = async (): Promise<void> => {
      for await (const item of pager(configMaps, { pageSize: 10 }).items(options)) seen.push(item)
    }
    await expect(items()).rejects.toSatisfy((err) => isInvalid(err) || isBadRequest(err))
    expect(seen).toHaveLength(10)
  })
})

/** What the server says of a token of a version that it has compacted: minutes after it gave it out. */
const expired = new ApiError(
  {
    apiVersion: 'v1',
    kind: 'Status',
    metadata: {},
    status: 'Failure',
    code: 410,
    reason: 'Expired',
    message: 'The provided continue parameter is too old to display a consistent list result.',
  },
  { method: 'GET', url: 'https://server/api/v1/configmaps' },
)
