// A control plane of its own, whose kube-apiserver starts anew over a compacted etcd.
import { expect, it } from 'vitest'
import { startControlPlane } from './control-plane.js'
import { describeWithControlPlane } from './fixture.js'

describeWithControlPlane('a kube-apiserver that is started again', () => {
  it('is where it was, and has what it had, but not its history', async () => {
    await using server = await startControlPlane({ controllers: false })
    const path = '/api/v1/namespaces/default/configmaps'
    const create = async (name: string): Promise<string> => {
      const { status, json } = await server.request('POST', path, { body: { metadata: { name } } })
      expect(status).toBe(201)
      return json.metadata.resourceVersion
    }
    const old = await create('a')
    await create('b')
    const before = server.pids
    await server.compact()
    await server.restartApiServer()
    expect(Object.keys(server.pids)).toEqual(Object.keys(before))
    expect(server.pids['kube-apiserver']).not.toBe(before['kube-apiserver'])
    const { json } = await server.request('GET', path)
    expect(json.items.map(({ metadata }: { metadata: { name: string } }) => metadata.name)).toEqual(
      expect.arrayContaining(['a', 'b']),
    )
    const exact = await server.request('GET', `${path}?resourceVersion=${old}&resourceVersionMatch=Exact`)
    expect(exact.status).toBe(410)
  })
})
