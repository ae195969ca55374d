// What the tests of requests share: a transport that answers as it is told, a client of one, and what comes out of them.

import { FakeClock } from '../clock/fake-clock.js'
import { restClientFor } from './client.js'
import { Config, type ConfigOptions } from './config.js'
import {
  ConnectionError,
  noLogger,
  type RESTClient,
  responseHeaders,
  type Transport,
  type TransportRequest,
  type TransportTimings,
} from './index.js'

/** What becomes of a request: an answer (200, JSON, empty unless it says otherwise), a failure, or nothing until it is aborted. */
export type FakeAnswer =
  | {
      status?: number | undefined
      headers?: Record<string, string | string[] | undefined> | undefined
      body?: string | AsyncIterable<Uint8Array> | undefined
      timings?: TransportTimings | undefined
    }
  | Error
  | 'silence'

export interface FakeTransport extends Transport {
  readonly sent: TransportRequest[]
  /** Answers whose connection has not been released. */
  readonly open: number
}

const json = 'application/json'

/** Asks `answer` about each request, with its number. */
export function fakeTransport(
  answer: (request: TransportRequest, index: number) => FakeAnswer | Promise<FakeAnswer> = () => ({}),
): FakeTransport {
  const sent: TransportRequest[] = []
  const open = new Set<object>()
  return {
    sent,
    get open() {
      return open.size
    },
    close: async () => {},
    async roundTrip(request) {
      const index = sent.push(request) - 1
      const given = await answer(request, index)
      if (given instanceof Error) throw given
      if (given === 'silence') return untilAborted(request.signal)
      const { status = 200, headers, body = '', timings } = given
      const connection = {}
      open.add(connection)
      return {
        status,
        headers: responseHeaders(headers && 'content-type' in headers ? headers : { 'content-type': json, ...headers }),
        body: typeof body === 'string' ? chunks(body) : body,
        timings,
        close: () => void open.delete(connection),
      }
    },
  }
}

/** Gives the answers in turn, the last one for ever. */
export function inTurn(...answers: readonly FakeAnswer[]): (request: TransportRequest, index: number) => FakeAnswer {
  return (_request, index) => answers[Math.min(index, answers.length - 1)] ?? {}
}

export interface Script {
  client: RESTClient
  clock: FakeClock
  sent: readonly TransportRequest[]
  /** Answers whose connection has not been released. */
  open: () => number
}

/** A client of apps/v1 whose server gives the answers in turn, the last one for ever. */
export function script(answers: readonly FakeAnswer[], options: ConfigOptions = {}): Script {
  const clock = new FakeClock()
  const transport = fakeTransport(inTurn(...answers))
  const config = new Config({ host: 'http://h', qps: -1, logger: noLogger, clock, transport, ...options })
  const client = restClientFor(config, { group: 'apps', version: 'v1' })
  return { client, clock, sent: transport.sent, open: () => transport.open }
}

/** Rejects with the signal's reason. */
export function untilAborted(signal: AbortSignal | undefined): Promise<never> {
  return new Promise((_resolve, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))
}

/** A body that comes in parts. */
export async function* chunks(...parts: string[]): AsyncGenerator<Uint8Array> {
  for (const part of parts) yield new TextEncoder().encode(part)
}

/** A body that breaks off. */
export async function* thenFail(text: string, err: Error): AsyncGenerator<Uint8Array> {
  yield new TextEncoder().encode(text)
  throw err
}

export const lost = (message = 'reset'): ConnectionError =>
  new ConnectionError({ method: 'GET', url: 'http://h/', reason: 'lost', message })

export const refused: ConnectionError = new ConnectionError({
  method: 'GET',
  url: 'http://h/',
  reason: 'connect',
  message: 'connection refused',
})

/** What a promise that is to fail rejects with. */
export async function rejection(promise: Promise<unknown>): Promise<Error> {
  return promise.then(
    () => new Error('resolved'),
    (err) => err,
  )
}

/** All that an iterable gives. */
export async function collect<T>(iterable: AsyncIterable<T>): Promise<T[]> {
  const all: T[] = []
  for await (const item of iterable) all.push(item)
  return all
}
