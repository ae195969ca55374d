import { describe, expect, it } from 'vitest'
import { Clientset, tables } from './index.js'
import { recordingConfig } from './recording.test-support.js'

const columnDefinitions = [{ name: 'Name', type: 'string', format: 'name', description: '', priority: 0 }]
const table = (...cells: string[]) => ({
  kind: 'Table',
  apiVersion: 'meta.k8s.io/v1',
  metadata: { resourceVersion: '5' },
  rows: cells.map((cell) => ({ cells: [cell], object: null })),
})

function recording(answer: unknown, lines?: unknown[]) {
  const { config, requests, accepted } = recordingConfig(answer, lines ? { lines } : {})
  return { pods: tables(new Clientset(config).coreV1().pods('shop')), requests, accepted }
}

describe('tables', () => {
  it('are asked for by their media type', async () => {
    const { pods, requests, accepted } = recording({ ...table('a', 'b'), columnDefinitions })
    const listed = await pods.list({ labelSelector: 'a=b', includeObject: 'None' })
    expect(listed.rows.map(({ cells }) => cells)).toEqual([['a'], ['b']])
    await pods.get('a', { includeObject: 'Object' })
    expect(requests.map(({ line }) => line)).toEqual([
      'GET /api/v1/namespaces/shop/pods?includeObject=None&labelSelector=a=b',
      'GET /api/v1/namespaces/shop/pods/a?includeObject=Object',
    ])
    expect(new Set(accepted)).toEqual(new Set(['application/json;as=Table;v=v1;g=meta.k8s.io']))
  })

  it('have rows, even where the server says null', async () => {
    const { pods } = recording({ ...table(), rows: null, columnDefinitions })
    expect((await pods.list()).rows).toEqual([])
  })

  it('are not what a server sends that makes none', async () => {
    const { pods } = recording({ kind: 'PodList', apiVersion: 'v1', items: [] })
    await expect(pods.list()).rejects.toThrow(/\/pods: the answer is no Table; is the host an API server/)
  })

  it('of a watch all have the columns that only the first one names', async () => {
    const { pods, requests } = recording({}, [
      { type: 'ADDED', object: { ...table('a'), columnDefinitions } },
      { type: 'MODIFIED', object: { ...table('b'), columnDefinitions: null } },
      { type: 'DELETED', object: table('c') },
    ])
    const seen: unknown[] = []
    for await (const event of await pods.watch({ resourceVersion: '5' })) {
      if (event.type === 'ERROR' || event.type === 'BOOKMARK') continue
      seen.push([event.type, event.object.rows[0]?.cells[0], event.object.columnDefinitions])
    }
    expect(seen).toEqual([
      ['ADDED', 'a', columnDefinitions],
      ['MODIFIED', 'b', columnDefinitions],
      ['DELETED', 'c', columnDefinitions],
    ])
    expect(requests[0]?.line).toBe('GET /api/v1/namespaces/shop/pods?resourceVersion=5&watch=true')
  })

  it('are not made of a fake', () => {
    expect(() => tables({} as never)).toThrow('tables are made by a server')
  })
})
