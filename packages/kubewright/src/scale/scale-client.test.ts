// What is sent for a scale, and what is made of the answer.

import { describe, expect, it } from 'vitest'
import { isConflict, mergePatch } from '../meta/index.js'
import { fakeTransport } from '../rest/fake-transport.test-support.js'
import { Config } from '../rest/index.js'
import { fromScale, ScaleClient, toScale } from './index.js'

const deployments = { group: 'apps', resource: 'deployments' }

function scaleSubresource(name: string, group?: string, version?: string) {
  return { name, singularName: '', namespaced: true, kind: 'Scale', verbs: [], ...(group && { group, version }) }
}

const resource = (name: string, kind: string) => ({ name, singularName: '', namespaced: true, kind, verbs: [] })

/** A server of Deployments, whose Scale is of the version given. */
function serverOf({ scale = 'autoscaling/v1', answer }: { scale?: string; answer?: { code?: number } & object } = {}) {
  const [group = '', version = ''] = scale.split('/')
  const requests: { line: string; body?: unknown; contentType?: unknown }[] = []
  const answers: Record<string, object> = {
    '/api': { versions: ['v1'] },
    '/apis': { groups: [{ name: 'apps', versions: [{ groupVersion: 'apps/v1', version: 'v1' }] }] },
    '/api/v1': {
      resources: [resource('pods', 'Pod'), resource('nothings', 'Nothing'), scaleSubresource('nothings/scale')],
    },
    '/apis/apps/v1': {
      groupVersion: 'apps/v1',
      resources: [resource('deployments', 'Deployment'), scaleSubresource('deployments/scale', group, version)],
    },
  }
  const transport = fakeTransport(({ method, url, body, headers }) => {
    const found = answers[url.pathname]
    if (found) return { body: JSON.stringify(found) }
    const text = typeof body === 'string' ? body : new TextDecoder().decode(body as Uint8Array | undefined)
    requests.push({
      line: `${method} ${url.pathname}${url.search}`,
      ...(text !== '' && { body: JSON.parse(text), contentType: headers['content-type'] }),
    })
    return {
      status: answer?.code,
      body: JSON.stringify(answer ?? { kind: 'Scale', apiVersion: scale, ...given }),
    }
  })
  return { client: new ScaleClient(new Config({ host: 'http://server', qps: -1, transport })), requests }
}

const given = { metadata: { name: 'web', resourceVersion: '7' }, spec: { replicas: 2 }, status: { replicas: 1 } }

describe('a scale client', () => {
  it('reads through the preferred version of the resource', async () => {
    const { client, requests } = serverOf()
    const scale = await client.scales('shop').get(deployments, 'web', { resourceVersion: '5' })
    expect(scale).toEqual({ kind: 'Scale', apiVersion: 'autoscaling/v1', ...given })
    expect(requests).toEqual([{ line: 'GET /apis/apps/v1/namespaces/shop/deployments/web/scale?resourceVersion=5' }])
    await client.scales('').get(deployments, 'web')
    expect(requests.at(-1)?.line).toBe('GET /apis/apps/v1/deployments/web/scale')
  })

  it('writes the version of Scale that the resource takes', async () => {
    const { client, requests } = serverOf({ scale: 'extensions/v1beta1' })
    const scales = client.scales('shop')
    const updated = await scales.update(
      deployments,
      { ...given, status: { replicas: 1, selector: 'b=1,a=2' } },
      { dryRun: ['All'] },
    )
    expect(updated.apiVersion).toBe('autoscaling/v1')
    expect(requests).toEqual([
      {
        line: 'PUT /apis/apps/v1/namespaces/shop/deployments/web/scale?dryRun=All',
        contentType: 'application/json',
        body: {
          kind: 'Scale',
          apiVersion: 'extensions/v1beta1',
          metadata: given.metadata,
          spec: { replicas: 2 },
          status: { replicas: 1, selector: { a: '2', b: '1' }, targetSelector: 'a=2,b=1' },
        },
      },
    ])
  })

  it('takes the version of the resource where discovery names none', async () => {
    const { client } = serverOf()
    const written = client.scales('shop').update({ group: '', resource: 'nothings' }, given)
    await expect(written).rejects.toThrow('could not convert scale update to external Scale: v1 has no kind Scale')
  })

  it('patches without asking anything else', async () => {
    const { client, requests } = serverOf()
    const patched = { group: '', version: 'v1', resource: 'replicationcontrollers' }
    await client.scales('shop').patch(patched, 'web', mergePatch({ spec: { replicas: 3 } }), { fieldManager: 'me' })
    expect(requests).toEqual([
      {
        line: 'PATCH /api/v1/namespaces/shop/replicationcontrollers/web/scale?fieldManager=me',
        contentType: 'application/merge-patch+json',
        body: { spec: { replicas: 3 } },
      },
    ])
  })

  it('says what cannot be scaled', async () => {
    const { client, requests } = serverOf()
    const scales = client.scales('shop')
    await expect(scales.get({ group: 'none', resource: 'x' }, 'web')).rejects.toThrow(
      'unable to get client for x.none: unable to get full preferred group-version-resource for x.none: ' +
        'no matches for none/, Resource=x',
    )
    await expect(scales.update({ group: '', resource: 'pods' }, given)).rejects.toThrow(
      'could not find proper group-version for scale subresource of /v1, Resource=pods: ' +
        'could not find scale subresource for /v1, Resource=pods in discovery information',
    )
    await expect(scales.update(deployments, { spec: { replicas: 1 } })).rejects.toThrow(
      'the scale has no metadata.name',
    )
    const outside = scales.patch({ group: '..', version: '..', resource: 'x' }, 'web', mergePatch({}))
    await expect(outside).rejects.toThrow('invalid group-version "../.."')
    expect(requests).toEqual([])
  })

  it('passes the server’s errors on', async () => {
    const answer = {
      kind: 'Status',
      apiVersion: 'v1',
      status: 'Failure',
      reason: 'Conflict',
      message: 'changed',
      code: 409,
    }
    const { client } = serverOf({ answer })
    await expect(client.scales('shop').update(deployments, given)).rejects.toSatisfy(isConflict)
  })

  it('does not take for a scale what is none', async () => {
    const pod = { kind: 'Pod', apiVersion: 'v1' }
    const { client } = serverOf({ answer: pod })
    await expect(client.scales('shop').get(deployments, 'web')).rejects.toThrow(
      'received an object from a /scale endpoint which was not convertible to autoscaling Scale: it is of kind "Pod" of "v1"',
    )
  })
})

it('always has replicas', () => {
  expect(toScale({ kind: 'Scale', apiVersion: 'autoscaling/v1' })).toMatchObject({
    spec: { replicas: 0 },
    status: { replicas: 0 },
  })
  expect(fromScale({}, { group: 'autoscaling', version: 'v1' })).toMatchObject({ spec: { replicas: 0 } })
})
