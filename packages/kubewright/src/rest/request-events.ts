// What is published about requests on node:diagnostics_channel, for metrics and traces. Costs nothing unheard.

import { channel } from 'node:diagnostics_channel'
import type { Clock } from '../clock/index.js'
import type { Config } from './config.js'
import { printableURL } from './transport/connection-error.js'
import { bodySize, type SentBody } from './transport/request-body.js'
import type { TransportResponse, TransportTimings } from './transport/transport.js'
import { urlTemplate } from './url-template.js'

/** `do` reads a whole answer; `stream` and `watch` are over, to these events, when the server has begun to answer. */
export type RequestKind = 'do' | 'stream' | 'watch'

/** The request that an event is about: the same object in all events of a call, so that it can be the key of a WeakMap. */
export interface RequestInfo {
  readonly method: string
  /** Without credentials. */
  readonly url: string
  /** {@link RequestInfo.url} with `{name}`, `{namespace}` and `{value}` for what differs: client-go's `finalURLTemplate`. */
  readonly urlTemplate: string
  /** With its port, where that is not the scheme's own. */
  readonly host: string
  readonly kind: RequestKind
  /** Of the client that makes the request; tells the clients of a process apart. */
  readonly config: Config
}

/** On `kubewright:rest:request:start`: a call begins; it may have to wait for the client's own limit. */
export interface RequestStartEvent {
  readonly request: RequestInfo
}

/** On `kubewright:rest:request:throttle`: the limit let a try pass. client-go's `RateLimiterLatency`. */
export interface RequestThrottleEvent {
  readonly request: RequestInfo
  /** Milliseconds that it took. */
  readonly waitedMs: number
}

/** On `kubewright:rest:request:attempt`: a try was answered, or failed. client-go's `RequestResult`, `RequestRetry`, `RequestSize`. */
export interface RequestAttemptEvent {
  readonly request: RequestInfo
  /** 1 for the first try; those above are retries. */
  readonly attempt: number
  /** Milliseconds to the answer's headers, or to the failure. */
  readonly durationMs: number
  /** Of the answer; undefined when there was none (client-go's code `<error>`). */
  readonly status: number | undefined
  /** Why there was no answer. */
  readonly error: unknown
  /** Size of the body sent; undefined when there is none or its size is not known. */
  readonly requestBytes: number | undefined
  /** Where the time went, as far as the transport says. */
  readonly timings: TransportTimings | undefined
}

/** On `kubewright:rest:request:end`: a call has succeeded. client-go's `RequestLatency` and `ResponseSize`, of those of kind `do`. */
export interface RequestEndEvent {
  readonly request: RequestInfo
  /** Milliseconds from the start: limits, retries, reading and decoding included. */
  readonly durationMs: number
  /** Tries, the successful one included. */
  readonly attempts: number
  readonly status: number
  /** Bytes of the answer's content, decompressed; undefined for streams and watches. */
  readonly responseBytes: number | undefined
}

/** On `kubewright:rest:request:error`: a call has failed. */
export interface RequestErrorEvent {
  readonly request: RequestInfo
  /** Milliseconds from the start. */
  readonly durationMs: number
  /** Tries; 0 when it failed before the first try. */
  readonly attempts: number
  /** Of the last answer, if there was one. */
  readonly status: number | undefined
  /** As in {@link RequestEndEvent}, as far as it was read. */
  readonly responseBytes: number | undefined
  /** What the caller gets. */
  readonly error: unknown
}

const prefix = 'kubewright:rest:request:'
const started = channel(`${prefix}start`)
const throttled = channel(`${prefix}throttle`)
const attempted = channel(`${prefix}attempt`)
const ended = channel(`${prefix}end`)
const failed = channel(`${prefix}error`)
const channels = [started, throttled, attempted, ended, failed]

/** What of a call is needed to tell of it. */
export interface ObservedCall {
  readonly method: string
  readonly url: URL
  readonly basePath: string
  readonly config: Config
  readonly body: SentBody
}

/** Publishes the events of one call. */
export class CallObserver {
  readonly #request: RequestInfo
  readonly #clock: Clock
  readonly #start: number
  readonly #requestBytes: number | undefined
  #attempts = 0
  #status: number | undefined
  #responseBytes: number | undefined

  /** Undefined when nobody listens. */
  static start(call: ObservedCall, kind: RequestKind): CallObserver | undefined {
    return channels.some((channel) => channel.hasSubscribers) ? new CallObserver(call, kind) : undefined
  }

  constructor(call: ObservedCall, kind: RequestKind) {
    const { method, url, basePath, config, body } = call
    this.#request = Object.freeze({
      method,
      url: printableURL(url),
      urlTemplate: urlTemplate(url, basePath),
      host: url.host,
      kind,
      config,
    })
    this.#clock = config.clock
    this.#start = config.clock.monotonic()
    this.#requestBytes = bodySize(body)
    started.publish({ request: this.#request } satisfies RequestStartEvent)
  }

  throttled(waitedMs: number): void {
    throttled.publish({ request: this.#request, waitedMs } satisfies RequestThrottleEvent)
  }

  attempted(startedAt: number, outcome: { response: TransportResponse } | { err: unknown }): void {
    const response = 'response' in outcome ? outcome.response : undefined
    this.#status = response?.status
    attempted.publish({
      request: this.#request,
      attempt: ++this.#attempts,
      durationMs: this.#clock.monotonic() - startedAt,
      status: response?.status,
      error: 'err' in outcome ? outcome.err : undefined,
      requestBytes: this.#requestBytes,
      timings: response?.timings,
    } satisfies RequestAttemptEvent)
  }

  /** Size of the answer's content, read to its end or not. */
  received(bytes: number): void {
    this.#responseBytes = bytes
  }

  ended(): void {
    ended.publish({ ...this.#facts(), status: this.#status ?? 0 } satisfies RequestEndEvent)
  }

  failed(error: unknown): void {
    failed.publish({ ...this.#facts(), status: this.#status, error } satisfies RequestErrorEvent)
  }

  #facts(): Pick<RequestErrorEvent, 'request' | 'durationMs' | 'attempts' | 'responseBytes'> {
    return {
      request: this.#request,
      durationMs: this.#clock.monotonic() - this.#start,
      attempts: this.#attempts,
      responseBytes: this.#responseBytes,
    }
  }
}

/** Runs a call, telling those who listen of its beginning and end. `run` is given nothing when nobody listens. */
export function observed<R>(
  call: ObservedCall,
  kind: RequestKind,
  run: (observer: CallObserver | undefined) => Promise<R>,
): Promise<R> {
  const observer = CallObserver.start(call, kind)
  return observer === undefined ? run(undefined) : observedBy(observer, run)
}

async function observedBy<R>(observer: CallObserver, run: (observer: CallObserver) => Promise<R>): Promise<R> {
  try {
    const result = await run(observer)
    observer.ended()
    return result
  } catch (err) {
    observer.failed(err)
    throw err
  }
}
