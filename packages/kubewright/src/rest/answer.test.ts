// Answers that are no success: the errors that callers get.

import { describe, expect, it } from 'vitest'
import { ApiError, isForbidden, isInternalError, isNotFound, isUnexpectedServerError } from '../meta/index.js'
import { rejection, script } from './fake-transport.test-support.js'

describe('errors of the server', () => {
  const about = ' (get deployments.apps web)'

  it("keeps the server's Status", async () => {
    const status = {
      kind: 'Status',
      apiVersion: 'v1',
      status: 'Failure',
      reason: 'NotFound',
      code: 404,
      message: 'no web',
    }
    const err = await rejection(
      script([{ status: 404, body: JSON.stringify(status) }])
        .client.get()
        .name('web')
        .do(),
    )
    expect(err).toBeInstanceOf(ApiError)
    expect((err as ApiError).status).toEqual(status)
    expect(err.message).toBe('GET http://h/apis/apps/v1/web: no web')
    expect(isNotFound(err)).toBe(true)
  })

  it('shows a message that is no text as JSON', async () => {
    const status = { kind: 'Status', apiVersion: 'v1', status: 'Failure', code: 409, message: { a: ['b'] } }
    const { client } = script([{ status: 409, body: JSON.stringify(status) }])
    expect((await rejection(client.get().name('web').do())).message).toBe('GET http://h/apis/apps/v1/web: {"a":["b"]}')
  })

  it.each<[number, string, string]>([
    [400, 'BadRequest', `the server rejected our request for an unknown reason${about}`],
    [401, 'Unauthorized', `the server has asked for the client to provide credentials${about}`],
    [403, 'Forbidden', `body${about}`],
    [404, 'NotFound', `the server could not find the requested resource${about}`],
    [405, 'MethodNotAllowed', `the server does not allow this method on the requested resource${about}`],
    [406, 'NotAcceptable', `body${about}`],
    [409, 'Conflict', `the server reported a conflict${about}`],
    [415, 'UnsupportedMediaType', `body${about}`],
    [422, 'Invalid', `the server rejected our request due to an error in our request${about}`],
    [429, 'TooManyRequests', `the server has received too many requests and has asked us to try again later${about}`],
    [500, 'InternalError', `an error on the server ("body") has prevented the request from succeeding${about}`],
    [502, 'InternalError', `an error on the server ("body") has prevented the request from succeeding${about}`],
    [503, 'ServiceUnavailable', `the server is currently unable to handle the request${about}`],
    [
      504,
      'Timeout',
      `the server was unable to return a response in the time allotted, but may still be processing the request${about}`,
    ],
    [418, '', `the server responded with the status code 418 but did not return more information${about}`],
    [302, '', `the server responded with the status code 302 but did not return more information${about}`],
  ])('makes a Status of the bare code %d', async (status, reason, message) => {
    const { client } = script([{ status, body: 'body', headers: { 'content-type': 'text/plain' } }])
    const err = (await rejection(client.get().resource('deployments').name('web').do())) as ApiError
    expect(err.status).toMatchObject({ code: status, reason, message, status: 'Failure' })
    expect(err.status.details).toEqual({
      group: 'apps',
      kind: 'deployments',
      name: 'web',
      causes: [{ reason: 'UnexpectedServerResponse', message: 'body' }],
    })
    const rest = message.includes('body') ? '' : ': body'
    expect(err.message).toBe(`GET http://h/apis/apps/v1/deployments/web: ${message}${rest}`)
    expect(isUnexpectedServerError(err)).toBe(true)
  })

  it('says what the server said about a request it did not understand', async () => {
    const body = 'Client sent an HTTP request to an HTTPS server.\n'
    const { client } = script([{ status: 400, body, headers: { 'content-type': '' } }])
    expect((await rejection(client.get().resource('pods').do())).message).toBe(
      'GET http://h/apis/apps/v1/pods: the server rejected our request for an unknown reason (get pods.apps): ' +
        'Client sent an HTTP request to an HTTPS server.',
    )
  })

  it('tells a create conflict from the others', async () => {
    const { client } = script([{ status: 409 }])
    expect(await rejection(client.post().do())).toMatchObject({ reason: 'AlreadyExists' })
  })

  it.each<[string, string, string, string]>([
    [
      'an HTML page',
      'text/html',
      '<html><head><title>502 Bad Gateway</title></head><body>long</body></html>',
      'an HTML page titled \\"502 Bad Gateway\\"',
    ],
    ['HTML without a type', '', '<!DOCTYPE html><p>x', 'an HTML page'],
    ['a long text', 'text/plain', 'x'.repeat(5000), 'x'.repeat(2048)],
    ['binary', 'application/octet-stream', 'secret', 'unknown'],
    ['nothing', 'text/plain', '', 'unknown'],
    ['JSON that is no Status', 'application/json', '{"error":1}', 'unknown'],
  ])('does not dump %s', async (_name, type, body, shown) => {
    const { client } = script([{ status: 500, body, headers: { 'content-type': type } }])
    const err = await rejection(client.get().absPath('/x').do())
    expect(err.message).toBe(
      `GET http://h/x: an error on the server ("${shown}") has prevented the request from succeeding`,
    )
    expect(isInternalError(err)).toBe(true)
  })

  it.each(['do', 'doRaw', 'stream', 'watch'] as const)('come out of %s, connection released', async (call) => {
    const body = '{"kind":"Status","apiVersion":"v1","status":"Failure","reason":"Forbidden","code":403,"message":"no"}'
    const { client, open } = script([{ status: 403, body }])
    const err = await rejection(client.get()[call]())
    expect(isForbidden(err)).toBe(true)
    expect(open()).toBe(0)
  })
})
