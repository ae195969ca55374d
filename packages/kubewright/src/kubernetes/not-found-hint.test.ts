// The answers are kube-apiserver's own.
import { expect, it } from 'vitest'
import type { Status } from '../gen/api/meta/v1.js'
import { ApiError } from '../meta/index.js'
import { type RequestedPath, withNotFoundHint } from './not-found-hint.js'

const noPath: Status = {
  apiVersion: 'v1',
  kind: 'Status',
  metadata: {},
  status: 'Failure',
  message: 'the server could not find the requested resource',
  reason: 'NotFound',
  details: {},
  code: 404,
}
const noMethod: Status = { ...noPath, message: 'no such method', reason: 'MethodNotAllowed', code: 405 }
const noPage: Status = {
  ...noPath,
  details: { kind: 'deployments', causes: [{ reason: 'UnexpectedServerResponse', message: '404 page not found' }] },
}
const noObject: Status = { ...noPath, message: 'not found', details: { name: 'web', kind: 'deployments' } }
const deployments: RequestedPath = { apiVersion: 'apps/v1', resource: 'deployments', namespace: undefined }

const hint = (status: Status, path: Partial<RequestedPath> = {}) => {
  const err = new ApiError(status, { method: 'GET', url: 'https://server/apis/apps/v1/deployments/web' })
  const before = err.message
  expect(withNotFoundHint(err, { ...deployments, ...path })).toBe(err)
  expect(err.status).toBe(status)
  return err.message.slice(before.length)
}

it.each([noPath, noPage])('without a namespace it asks for one', (status) => {
  expect(hint(status)).toMatch(/^; is it namespaced\? then use \.namespace\('…'\); does the server have "deployments"/)
})

it('a path that has other methods needs a namespace', () => {
  expect(hint(noMethod)).toBe(`; is it namespaced? then use .namespace('…')`)
})

it('a kind is no resource', () => {
  for (const namespace of [undefined, 'default']) {
    expect(hint(noPath, { resource: 'Deployment', namespace })).toMatch(
      /^; "Deployment" is written as a kind is; a resource is named in the plural and in lower case, as deployments$/,
    )
  }
})

it('with a namespace it asks whether there is such a resource, in namespaces', () => {
  expect(hint(noPath, { namespace: 'default' })).toMatch(/"deployments" .* in apps\/v1, and is it namespaced\?$/)
  expect(hint(noMethod, { namespace: 'default' })).toBe('')
})

it('an object that does not exist needs no hint, nor any other failure', () => {
  expect(hint(noObject)).toBe('')
  expect(hint({ ...noPath, reason: 'Forbidden', code: 403 })).toBe('')
  const err = new Error('boom')
  expect(withNotFoundHint(err, deployments)).toBe(err)
  expect(err.message).toBe('boom')
})
