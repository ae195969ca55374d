// The examples of ConfigOptions.wrapTransport, as they stand there.

import { expect, it } from 'vitest'
import { fakeTransport } from './fake-transport.test-support.js'
import { Config, copyConfig, restClientFor, type Transport, type TransportRequest } from './index.js'

const core = { group: '', version: 'v1' }

/** A server that gives these statuses in turn, and what it was sent. */
function server(...statuses: number[]): { config: Config; sent: TransportRequest[] } {
  const transport = fakeTransport(() => ({ status: statuses.shift() ?? 200, body: '{}' }))
  return { config: new Config({ host: 'https://h', qps: -1, transport }), sent: transport.sent }
}

it('puts each exchange into a span of its own, which the server is told of', async () => {
  const log: string[] = []
  // As much of OpenTelemetry's tracer as the example needs.
  const tracer = {
    startActiveSpan<R>(name: string, run: (span: Span) => R): R {
      log.push(name)
      return run({
        spanContext: () => ({ traceId: '0af7651916cd43dd8448eb211c80319c', spanId: `b7ad6b716920333${log.length}` }),
        setAttribute: (key, value) => void log.push(`${key}=${value}`),
        end: () => void log.push('end'),
      })
    },
  }
  const { config, sent } = server(200, 404)

  const traced = (inner: Transport): Transport => ({
    close: () => inner.close(),
    roundTrip: (request) =>
      tracer.startActiveSpan(`${request.method} ${request.url.pathname}`, async (span) => {
        try {
          const { traceId, spanId } = span.spanContext()
          const headers = { ...request.headers, traceparent: `00-${traceId}-${spanId}-01` }
          const response = await inner.roundTrip({ ...request, headers })
          span.setAttribute('http.response.status_code', response.status)
          return response
        } finally {
          span.end()
        }
      }),
  })

  const client = restClientFor(copyConfig(config, { wrapTransport: traced }), core)
  await client.get().resource('nodes').do()
  await expect(client.get().resource('nodes').name('n').do()).rejects.toThrow('could not find')
  expect(sent.map(({ headers }) => headers.traceparent)).toEqual([
    '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203334-01',
  ])
  expect(log).toEqual([
    'GET /api/v1/nodes',
    'http.response.status_code=200',
    'end',
    'GET /api/v1/nodes/n',
    'http.response.status_code=404',
    'end',
  ])
})

interface Span {
  spanContext(): { traceId: string; spanId: string }
  setAttribute(key: string, value: number): void
  end(): void
}

it('takes tokens from somewhere else, a new one after the server refused the last', async () => {
  let fetched = 0
  const fetchToken = async (): Promise<string> => {
    if (++fetched === 1) throw new Error('no tokens today')
    return `token-${fetched}`
  }
  const { config, sent } = server(200, 401, 200)

  const withTokens = (inner: Transport): Transport => {
    let token: Promise<string> | undefined
    return {
      close: () => inner.close(),
      async roundTrip(request) {
        const mine = (token ??= fetchToken())
        let isUseless = true
        try {
          const authorization = `Bearer ${await mine}`
          const response = await inner.roundTrip({ ...request, headers: { ...request.headers, authorization } })
          isUseless = response.status === 401
          return response
        } finally {
          if (isUseless && token === mine) token = undefined
        }
      },
    }
  }

  const client = restClientFor(copyConfig(config, { wrapTransport: withTokens }), core)
  await expect(client.get().resource('nodes').do()).rejects.toThrow('no tokens today')
  await client.get().resource('nodes').do()
  await expect(client.get().resource('nodes').do()).rejects.toThrow('provide credentials')
  await client.get().resource('nodes').do()
  const used = ['Bearer token-2', 'Bearer token-2', 'Bearer token-3']
  expect(sent.map(({ headers }) => headers.authorization)).toEqual(used)
})
