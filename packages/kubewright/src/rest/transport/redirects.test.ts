import { expect, it } from 'vitest'
import { fakeTransport } from '../fake-transport.test-support.js'
import { withRedirects } from './redirects.js'
import { failure } from './servers.test-support.js'
import type { Transport, TransportRequest } from './transport.js'

interface Fake {
  transport: Transport
  seen: TransportRequest[]
  closed: () => number
}

/** A transport that answers `status` and `location` as told for each request, then 200. */
function answering(...answers: readonly [status: number, location?: string][]): Fake {
  const inner = fakeTransport((_request, index) => {
    const [status, location] = answers[index] ?? [200]
    return { status, headers: { location } }
  })
  return { transport: withRedirects(inner), seen: inner.sent, closed: () => inner.sent.length - inner.open }
}

const request = (method: string, url: string, more: Partial<TransportRequest> = {}): TransportRequest => ({
  method,
  url: new URL(url),
  headers: {},
  ...more,
})

it.each<[number, string, Partial<TransportRequest>, string]>([
  [301, 'GET', {}, 'GET http://h/b?c=1'],
  [302, 'GET', {}, 'GET http://h/b?c=1'],
  [303, 'HEAD', {}, 'HEAD http://h/b?c=1'],
  [307, 'GET', {}, 'GET http://h/b?c=1'],
  [308, 'POST', { body: 'x' }, 'POST http://h/b?c=1'],
  [307, 'DELETE', {}, 'DELETE http://h/b?c=1'],
])('%d of %s is followed', async (status, method, more, expected) => {
  const { transport, seen, closed } = answering([status, '../b?c=1'])
  expect((await transport.roundTrip(request(method, 'http://h/a/', more))).status).toBe(200)
  expect(seen.map(({ method, url }) => `${method} ${url}`)).toEqual([`${method} http://h/a/`, expected])
  expect(seen[1]?.body).toBe(more.body)
  expect(closed()).toBe(1)
})

it.each<[number, string, Partial<TransportRequest>, string | undefined]>([
  [301, 'DELETE', {}, '/b'],
  [302, 'POST', { body: 'x' }, '/b'],
  [303, 'PATCH', { body: 'x' }, '/b'],
  [307, 'POST', { body: (async function* () {})() }, '/b'],
  [304, 'GET', {}, '/b'],
  [200, 'GET', {}, '/b'],
  [302, 'GET', {}, undefined],
])('%d of %s %j to %s is the answer', async (status, method, more, location) => {
  const { transport, seen, closed } = answering(location === undefined ? [status] : [status, location])
  expect((await transport.roundTrip(request(method, 'http://h/a', more))).status).toBe(status)
  expect([seen.length, closed()]).toEqual([1, 0])
})

const secrets = { authorization: 'Bearer t', 'impersonate-user': 'jane', 'impersonate-extra-x': 'y' }

it.each([
  ['https://api.test/a', 'https://api.test/b', true],
  ['https://api.test/a', 'https://api.test:8443/b', true],
  ['https://api.test/a', 'https://sub.api.test/b', true],
  ['http://api.test/a', 'https://api.test/b', true],
  ['https://api.test/a', 'https://other.test/b', false],
  ['https://api.test/a', 'https://evil-api.test/b', false],
  ['https://sub.api.test/a', 'https://api.test/b', false],
  ['https://api.test/a', 'http://api.test/b', false],
])('from %s to %s, credentials go along: %s', async (from, to, goAlong) => {
  const { transport, seen } = answering([302, to], [302, to])
  await transport.roundTrip(request('GET', from, { headers: { ...secrets, accept: 'x' } }))
  const expected = goAlong ? { ...secrets, accept: 'x' } : { accept: 'x' }
  expect(seen.slice(1).map(({ headers }) => headers)).toEqual([expected, expected])
})

it('credentials that were left behind do not come back', async () => {
  const { transport, seen } = answering([302, 'https://other.test/'], [302, 'https://api.test/'])
  await transport.roundTrip(request('GET', 'https://api.test/', { headers: secrets }))
  expect(seen[2]?.headers).toEqual({})
})

it('whoever redirects does not say who we are', async () => {
  const { transport, seen } = answering([302, 'http://user:password@h/b'])
  await transport.roundTrip(request('GET', 'http://h/a'))
  expect(seen[1]?.url.href).toBe('http://h/b')
})

it('follows ten, and no eleventh', async () => {
  const ten = answering(...Array.from({ length: 10 }, (): [number, string] => [302, '/b']))
  expect((await ten.transport.roundTrip(request('GET', 'http://h/a'))).status).toBe(200)
  const eleven = answering(...Array.from({ length: 11 }, (): [number, string] => [302, '/b']))
  const err = await failure(eleven.transport.roundTrip(request('GET', 'http://h/a')))
  expect(err.message).toBe('GET http://h/a: stopped after 10 redirects')
  expect([eleven.seen.length, eleven.closed()]).toEqual([11, 11])
})

it.each(['ftp://h/', 'http://[', 'file:///etc/passwd'])('does not follow to %s', async (location) => {
  const { transport, seen } = answering([302, location])
  expect((await failure(transport.roundTrip(request('GET', 'http://h/a')))).reason).toBe('protocol')
  expect(seen.length).toBe(1)
})
