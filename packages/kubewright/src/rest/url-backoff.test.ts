import { expect, it } from 'vitest'
import { FakeClock } from '../clock/index.js'
import { fakeTransport } from './fake-transport.test-support.js'
import { urlBackoffFromEnvironment, withURLBackoff } from './url-backoff.js'

const environment = (base: string, max: string) => ({
  KUBE_CLIENT_BACKOFF_BASE: base,
  KUBE_CLIENT_BACKOFF_DURATION: max,
})

it.each([
  [environment('1', '10'), true],
  [environment('1', ''), false],
  [environment('', '10'), false],
  [environment('1s', '10'), false],
  [environment('0.5', '10'), false],
  [{}, false],
])('%j', (env, isThere) => {
  expect(urlBackoffFromEnvironment(env, new FakeClock()) !== undefined).toBe(isThere)
})

interface Client {
  clock: FakeClock
  /** Seconds that a request to the host waits before it is answered so; `lost`: not at all. */
  waits: (status: number | 'lost', host?: string) => Promise<number>
}

function client(base = '1', max = '4'): Client {
  const clock = new FakeClock()
  let status: number | 'lost' = 200
  const inner = fakeTransport(() => (status === 'lost' ? new Error('lost') : { status }))
  const transport = withURLBackoff(inner, urlBackoffFromEnvironment(environment(base, max), clock), clock)
  return {
    clock,
    async waits(next, host = 'h') {
      status = next
      const sending = { done: false }
      const sent = transport.roundTrip({ method: 'GET', url: new URL(`http://${host}/`), headers: {} })
      void sent.then(
        () => (sending.done = true),
        () => (sending.done = true),
      )
      await clock.advance(0)
      const start = clock.monotonic()
      while (!sending.done && (await clock.advanceToNext()));
      return (clock.monotonic() - start) / 1000
    },
  }
}

it('waits twice as long after each overload, up to a limit, and not at all after another answer', async () => {
  const { waits } = client()
  const seen: number[] = []
  for (const status of [500, 503, 429, 500, 404, 200] as const) seen.push(await waits(status))
  expect(seen).toEqual([0, 1, 2, 4, 4, 0])
})

it.each<[max: string, statuses: number[], seconds: number[]]>([
  ['200', [504, 504, 504, 504, 200, 504, 504, 504, 200, 504], [0, 1, 2, 4, 8, 0, 1, 2, 4, 0]],
  ['60', [429, 500, 501, 502, 300, 500, 501, 502, 200], [0, 1, 2, 4, 8, 0, 1, 2, 4]],
  ['2', [500, 500, 500, 200], [0, 1, 2, 2]],
])('grows and recovers: up to %s s, after %j', async (max, statuses, seconds) => {
  const { waits } = client('1', max)
  const seen: number[] = []
  for (const status of statuses) seen.push(await waits(status, '1.2.3.4:8080'))
  expect(seen).toEqual(seconds)
  expect(await waits(200, '1.2.3.4:100')).toBe(0)
})

it('waits no longer than since the last answer', async () => {
  const { clock, waits } = client()
  await waits(500)
  await clock.advance(400)
  expect(await waits(500)).toBe(0.6)
})

it('knows hosts apart, and forgives connections that break', async () => {
  const { waits } = client()
  await waits(500, 'a')
  expect(await waits(500, 'b')).toBe(0)
  expect(await waits('lost', 'a')).toBe(1)
  expect(await waits(200, 'a')).toBe(0)
})

it('begins anew after twice the limit', async () => {
  const { clock, waits } = client()
  for (let i = 0; i < 3; i++) await waits(500)
  await clock.advance(8001)
  await waits(500)
  expect(await waits(200)).toBe(1)
})

it('ends the wait on abort', async () => {
  const clock = new FakeClock()
  const backoff = urlBackoffFromEnvironment(environment('1', '4'), clock)
  const url = new URL('http://h')
  backoff?.update(url, 500)
  const inner = { close: async () => {}, roundTrip: () => Promise.reject(new Error('sent')) }
  const controller = new AbortController()
  const sent = withURLBackoff(inner, backoff, clock).roundTrip({
    method: 'GET',
    url,
    headers: {},
    signal: controller.signal,
  })
  controller.abort(new Error('enough'))
  await expect(sent).rejects.toThrow('enough')
  expect(clock.pendingTimers).toBe(0)
})
