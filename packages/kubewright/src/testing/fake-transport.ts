// The fake's end of a Config: requests in, answers out, without a network.

import { abortable, type Clock, type Timer, whenAborted } from '../clock/index.js'
import type { VersionInfo } from '../discovery/index.js'
import { asApiError, type KubernetesObject, type Watch } from '../meta/index.js'
import {
  encodeJSON,
  responseHeaders,
  type Transport,
  type TransportRequest,
  type TransportResponse,
} from '../rest/index.js'
import { type Action, actionOf, type ProxyGetAction, type WatchAction } from './action.js'
import { newInvalid, newServiceUnavailable, newUnknownPath } from './api-errors.js'
import { apiGroups, apiResources, coreVersions } from './discovery-documents.js'
import { bytesOf, requestedAction, resourcePath, splitPath } from './fake-request.js'
import type { ReactionChains } from './reaction-chains.js'
import { type Representation, representationFor } from './representation.js'
import type { ResourceRegistry } from './resources.js'

/** What a {@link FakeTransport} is made with. */
export interface FakeTransportOptions {
  readonly chains: ReactionChains
  readonly resources: ResourceRegistry
  readonly clock: Clock
  readonly serverVersion: () => VersionInfo
}

interface Answer {
  readonly status?: number
  /** @defaultValue `application/json` */
  readonly contentType?: string
  readonly body: object | string | Uint8Array | AsyncIterable<Uint8Array>
  readonly close?: () => void
}

const encoder = new TextEncoder()

/** Answers requests by way of the reactors. */
export class FakeTransport implements Transport {
  readonly #options: FakeTransportOptions
  readonly #watches = new Set<() => void>()
  readonly #closing = new AbortController()

  constructor(options: FakeTransportOptions) {
    this.#options = options
  }

  async roundTrip(request: TransportRequest): Promise<TransportResponse> {
    request.signal?.throwIfAborted()
    this.#closing.signal.throwIfAborted()
    // A reactor may answer late or never, as a server may.
    const late = (answer: Answer): void => answer.close?.()
    const answer = abortable(this.#answerOrStatus(request), request.signal, late)
    return responseOf(await abortable(answer, this.#closing.signal, late))
  }

  async close(): Promise<void> {
    this.#closing.abort(new Error('the fake is closed'))
    for (const stop of this.#watches) stop()
  }

  async #answerOrStatus(request: TransportRequest): Promise<Answer> {
    try {
      return await this.#answer(request)
    } catch (err) {
      const status = asApiError(err)?.status
      if (!status) throw err
      return { status: status.code ?? 500, body: { ...status, kind: 'Status', apiVersion: 'v1', status: 'Failure' } }
    }
  }

  async #answer(request: TransportRequest): Promise<Answer> {
    const { method, url, headers } = request
    const path = resourcePath(url.pathname)
    if (!path) return this.#answerOther(method, url.pathname, request)
    const action = requestedAction({
      method,
      path,
      info: this.#options.resources.find(path.resource),
      params: url.searchParams,
      contentType: String(headers['content-type'] ?? '').replace(/;.*/, ''),
      body: await bytesOf(request),
      userAgent: userAgentOf(request),
    })
    if (action.verb === 'get' && 'scheme' in action) return this.#proxy(action)
    const represent = representationFor(String(headers['accept'] ?? ''), url.searchParams.get('includeObject'))
    if (action.verb === 'watch') return this.#watch(action, represent, request.signal)
    return this.#react(action, represent)
  }

  async #react(action: Action, represent: Representation): Promise<Answer> {
    const answer = await this.#options.chains.invoke(action)
    if (answer === undefined) throw newUnknownPath()
    if (typeof answer === 'string') return { contentType: 'text/plain', body: answer }
    const status = action.verb === 'create' ? 201 : 200
    return { status, body: represent(answer ?? { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Success' }) }
  }

  async #proxy(action: ProxyGetAction): Promise<Answer> {
    const answer = await this.#options.chains.invokeProxy(action)
    if (answer === undefined) {
      const { resource, name } = action
      throw newServiceUnavailable(`no proxy reactor of the fake answers for ${resource.resource} ${name}`)
    }
    return { contentType: 'application/octet-stream', body: answer }
  }

  async #watch(action: WatchAction, represent: Representation, signal: AbortSignal | undefined): Promise<Answer> {
    // Before it is an action: informers then list, as they do with client-go's fakes, and reactors see them do it.
    if (action.options.sendInitialEvents) throw watchListUnsupported()
    const watch = await this.#options.chains.invokeWatch(action)
    if (!watch) throw newUnknownPath()
    const cancels: (() => void)[] = []
    const close = (): void => {
      for (const cancel of cancels.splice(0)) cancel()
      this.#watches.delete(close)
      watch.stop()
    }
    this.#watches.add(close)
    if (signal) cancels.push(whenAborted(signal, close))
    const { timeoutSeconds } = action.options
    if (timeoutSeconds) {
      const timer: Timer = this.#options.clock.setTimer(timeoutSeconds * 1000, close)
      cancels.push(() => timer.cancel())
    }
    return { body: linesOf(watch, represent, close), close }
  }

  async #answerOther(method: string, path: string, request: TransportRequest): Promise<Answer> {
    const { resources, serverVersion } = this.#options
    if (method !== 'GET') throw newUnknownPath()
    const served = resources.all().filter((info) => info.served)
    switch (path.replace(/\/$/, '')) {
      case '/api':
        return { body: coreVersions(served) }
      case '/apis':
        return this.#discovered('group', request, () => apiGroups(served))
      case '/version':
        return this.#discovered('version', request, serverVersion)
      case '/healthz':
      case '/livez':
      case '/readyz':
        return { contentType: 'text/plain', body: 'ok' }
      default: {
        const groupVersion = splitPath(path)
        if (!groupVersion) throw newUnknownPath()
        return this.#discovered('resource', request, () => apiResources(served, groupVersion))
      }
    }
  }

  /** Discovery too is seen by reactors, as client-go's is. */
  async #discovered(resource: string, request: TransportRequest, known: () => object | undefined): Promise<Answer> {
    const fields = { namespace: '', subresource: '', name: '', options: {} }
    const action = actionOf(
      { verb: 'get', resource: { group: '', version: '', resource }, ...fields },
      userAgentOf(request),
    )
    const answer = (await this.#options.chains.invoke(action)) ?? known()
    if (answer === undefined) throw newUnknownPath()
    return { body: answer }
  }
}

function userAgentOf({ headers }: TransportRequest): string {
  return String(headers['user-agent'] ?? '')
}

/** In the words of a server that does not have the feature. */
function watchListUnsupported(): Error {
  const message = 'Forbidden: sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled'
  const problem = { field: 'sendInitialEvents', reason: 'FieldValueForbidden', message }
  return newInvalid({ group: 'meta.k8s.io', kind: 'ListOptions' }, '', [problem])
}

async function* linesOf(
  watch: Watch<KubernetesObject>,
  represent: Representation,
  close: () => void,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const { type, object } of watch) {
      yield encoder.encode(`${encodeJSON({ type, object: represent(object) })}\n`)
    }
  } finally {
    close()
  }
}

function responseOf({
  status = 200,
  contentType = 'application/json',
  body,
  close = () => {},
}: Answer): TransportResponse {
  return { status, headers: responseHeaders({ 'content-type': contentType }), body: chunksOf(body), close }
}

function chunksOf(body: Answer['body']): AsyncIterable<Uint8Array> {
  if (typeof body === 'object' && Symbol.asyncIterator in body) return body
  const bytes = body instanceof Uint8Array ? body : encoder.encode(typeof body === 'string' ? body : encodeJSON(body))
  return (async function* () {
    yield bytes
  })()
}
