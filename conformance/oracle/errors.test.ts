import fc from 'fast-check'
import * as meta from 'kubewright/meta'
import { expect, it } from 'vitest'
import { newGenericServerResponse } from '../../packages/kubewright/src/rest/status-error.js'
import { runs } from './arbitraries.js'
import { describeWithOracle } from './describe-with-oracle.js'

const request = { method: 'GET', url: 'https://example.com/api/v1/pods/web' }

const reasons = [
  ...['Unauthorized', 'Forbidden', 'NotFound', 'AlreadyExists', 'Conflict', 'Gone', 'Invalid', 'ServerTimeout'],
  ...['StorageReadError', 'Timeout', 'TooManyRequests', 'BadRequest', 'MethodNotAllowed', 'NotAcceptable', 'Expired'],
  ...['RequestEntityTooLarge', 'UnsupportedMediaType', 'InternalError', 'ServiceUnavailable', 'Unknown', '', 'Strange'],
]
const codes = [200, 400, 401, 403, 404, 405, 406, 409, 410, 413, 415, 422, 429, 500, 502, 503, 504, 507]

interface Held {
  predicates: Record<string, boolean>
  delay: boolean
  seconds: number
}

describeWithOracle('api/errors', (oracle) => {
  const cause = fc.record({
    reason: fc.constantFrom('UnexpectedServerResponse', 'FieldValueInvalid'),
    message: fc.constant('m'),
  })
  const details = fc.record(
    { retryAfterSeconds: fc.integer({ min: -1, max: 3 }), causes: fc.array(cause, { maxLength: 2 }) },
    { requiredKeys: [], noNullPrototype: true },
  )
  const status = fc.record(
    {
      kind: fc.constant('Status' as const),
      apiVersion: fc.constant('v1' as const),
      metadata: fc.constant({}),
      status: fc.constant('Failure'),
      reason: fc.constantFrom(...reasons),
      code: fc.constantFrom(...codes),
      message: fc.constant('message'),
      details,
    },
    { requiredKeys: ['kind', 'apiVersion', 'metadata'], noNullPrototype: true },
  )

  it('tells any Status as Go does', async () => {
    const named = meta as unknown as Record<string, (err: unknown) => boolean>
    await fc.assert(
      fc.asyncProperty(status, async (status) => {
        const answer = await oracle.ask<Held>('status.predicates', { status })
        if ('error' in answer) throw new Error(answer.error)
        const err = new meta.ApiError(status, request)
        const { predicates, delay, seconds } = answer.result
        const ours = Object.fromEntries(Object.keys(predicates).map((name) => [name, named[name]?.(err)]))
        expect(ours).toEqual(predicates)
        expect(meta.suggestsClientDelay(err)).toBe(delay ? seconds : undefined)
      }),
      runs(3000),
    )
  })

  it('makes of any answer without a Status the one that Go makes', async () => {
    const text = fc.constantFrom('unknown', 'some "text"', 'é\n')
    const facts = fc.record({
      code: fc.oneof(fc.constantFrom(...codes), fc.integer({ min: 300, max: 599 })),
      verb: fc.constantFrom('GET', 'POST', 'PUT', 'PATCH', 'DELETE'),
      group: fc.constantFrom('', 'apps'),
      resource: fc.constantFrom('', 'deployments'),
      name: fc.constantFrom('', 'web'),
      serverMessage: text,
      retryAfterSeconds: fc.constantFrom(0, 1, 30),
      unexpected: fc.boolean(),
    })
    // No group has a resource without a name.
    const sensible = facts.filter(({ group, resource }) => group === '' || resource !== '')
    await fc.assert(
      fc.asyncProperty(sensible, async ({ verb, unexpected, ...facts }) => {
        const go = await oracle.ask('status.generic', { ...facts, verb, unexpected })
        // What is empty Go leaves out.
        const {
          apiVersion: _,
          kind: __,
          reason,
          ...ours
        } = newGenericServerResponse({
          ...facts,
          method: verb,
          isUnexpectedResponse: unexpected,
        })
        expect({ result: { ...ours, ...(reason && { reason }) } }).toEqual(go)
      }),
      runs(2000),
    )
  })
})
