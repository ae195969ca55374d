// For tests: a server of pods that answers in bytes, and a client of it.

import { ResourceClientImpl } from '../../kubernetes/index.js'
import {
  Config,
  noLogger,
  RESTClient,
  responseHeaders,
  type Transport,
  type TransportRequest,
} from '../../rest/index.js'

export interface Pod {
  apiVersion?: string
  kind?: string
  metadata: { name: string; namespace?: string; resourceVersion?: string; labels?: Record<string, string> }
  spec?: { nodeName?: string; size?: number | bigint }
}

export const kind = { apiVersion: 'v1', kind: 'Pod', namespaced: true }
export const pod = (name: string, resourceVersion: string, spec: object = {}) => ({
  metadata: { name, namespace: 'ns', resourceVersion, labels: { app: name } },
  spec,
})

/** A server that answers lists with `list`, and watches with lines that the test writes, in pieces of three bytes. */
export function server(list: object | string) {
  const lines: string[] = []
  let wake: (() => void) | undefined
  async function* watch({ signal }: TransportRequest): AsyncGenerator<Uint8Array> {
    signal?.addEventListener('abort', () => wake?.())
    const isOpen = (): boolean => signal?.aborted !== true
    while (isOpen()) {
      const bytes = new TextEncoder().encode(lines.shift() ?? '')
      for (let at = 0; at < bytes.length; at += 3) yield bytes.slice(at, at + 3)
      if (lines.length === 0) await new Promise<void>((resolve) => (wake = resolve))
    }
  }
  async function* whole(): AsyncGenerator<Uint8Array> {
    yield new TextEncoder().encode(typeof list === 'string' ? list : JSON.stringify(list))
  }
  const urls: URL[] = []
  return {
    urls,
    send: (event: object) => {
      lines.push(`${JSON.stringify(event)}\n`)
      wake?.()
    },
    transport: {
      close: async () => {},
      roundTrip: async (request: TransportRequest) => {
        urls.push(request.url)
        const isWatch = request.url.searchParams.get('watch') !== null
        return {
          status: 200,
          headers: responseHeaders({ 'content-type': 'application/json' }),
          body: isWatch ? watch(request) : whole(),
          close: () => {},
        }
      },
    },
  }
}

/** A client of that server, through a real request. */
export function podClient(transport: Transport, config: object = {}, namespace?: string): ResourceClientImpl<Pod> {
  const rest = new RESTClient({
    config: new Config({ host: 'http://localhost', qps: -1, logger: noLogger, transport, ...config }),
    groupVersion: { group: '', version: 'v1' },
  })
  return new ResourceClientImpl<Pod>(rest, 'v1', { plural: 'pods', kind: 'Pod', namespaced: true }, namespace)
}
