// A server for tests: answers by path, and a record of what it was asked.

import { fakeTransport } from '../rest/fake-transport.test-support.js'
import { Config, type ConfigOptions } from '../rest/index.js'

/** What a path answers: an object, or all of it. */
export interface Answer {
  readonly status?: number
  readonly contentType?: string
  readonly body: unknown
}

export type Answers = Record<string, Answer | (() => Answer | Promise<Answer>)>

export const aggregatedType = 'application/json;g=apidiscovery.k8s.io;v=v2;as=APIGroupDiscoveryList'

/** The answer of a server that refuses. */
export function failure(code: number, reason = ''): Answer {
  const message = `said ${code}`
  return { status: code, body: { kind: 'Status', apiVersion: 'v1', status: 'Failure', message, reason, code } }
}

/** A Config that leads to the answers, of which the record can be read, and the answers changed. */
export function server(answers: Answers, options: ConfigOptions = {}) {
  const requests: { path: string; query: string; accept: unknown }[] = []
  const transport = fakeTransport(async ({ url, headers, signal }) => {
    requests.push({ path: url.pathname, query: url.search, accept: headers.accept })
    const found = answers[url.pathname] ?? failure(404, 'NotFound')
    const { status, contentType = 'application/json', body } = await (typeof found === 'function' ? found() : found)
    signal?.throwIfAborted()
    const text = typeof body === 'string' ? body : JSON.stringify(body)
    return { status, headers: { 'content-type': contentType }, body: text }
  })
  const config = new Config({ host: 'http://server', qps: -1, transport, ...options })
  return { config, answers, requests, paths: () => requests.map(({ path }) => path).sort() }
}

const gvk = (group: string, version: string, kind: string) => ({ group, version, kind })

/** Core and apps, as a server of today answers. */
export function aggregatedAnswers(): Answers {
  return {
    '/api': {
      contentType: aggregatedType,
      body: {
        items: [
          {
            metadata: {},
            versions: [
              {
                version: 'v1',
                freshness: 'Current',
                resources: [
                  {
                    resource: 'pods',
                    responseKind: gvk('', 'v1', 'Pod'),
                    scope: 'Namespaced',
                    singularResource: 'pod',
                    verbs: ['get', 'list'],
                    shortNames: ['po'],
                    categories: ['all'],
                    subresources: [
                      { subresource: 'log', responseKind: gvk('', 'v1', 'Pod'), verbs: ['get'] },
                      { subresource: 'nothing', verbs: ['get'] },
                    ],
                  },
                ],
              },
            ],
          },
        ],
      },
    },
    '/apis': {
      contentType: 'application/json; as=APIGroupDiscoveryList; v=v2; g=apidiscovery.k8s.io; charset=utf-8',
      body: {
        items: [
          {
            metadata: { name: 'apps' },
            versions: [
              {
                version: 'v1',
                resources: [
                  {
                    resource: 'deployments',
                    responseKind: gvk('apps', 'v1', 'Deployment'),
                    scope: 'Namespaced',
                    singularResource: 'deployment',
                    verbs: ['get'],
                  },
                ],
              },
            ],
          },
        ],
      },
    },
  }
}

/** Makes the same of it as an old server would. */
export function legacyAnswers(): Answers {
  const resource = (name: string, kind: string, namespaced = true) => ({
    name,
    singularName: '',
    namespaced,
    kind,
    verbs: ['get'],
  })
  const v = (group: string, version: string) => ({ groupVersion: `${group}/${version}`, version })
  return {
    '/api': { body: { kind: 'APIVersions', versions: ['v1'] } },
    '/apis': {
      body: {
        kind: 'APIGroupList',
        apiVersion: 'v1',
        groups: [
          { name: 'apps', versions: [v('apps', 'v1beta1'), v('apps', 'v1')], preferredVersion: v('apps', 'v1') },
          { name: 'metrics', versions: [v('metrics', 'v1')], preferredVersion: v('metrics', 'v1') },
        ],
      },
    },
    '/api/v1': { body: { groupVersion: 'v1', resources: [resource('pods', 'Pod'), resource('nodes', 'Node', false)] } },
    '/apis/apps/v1': {
      body: {
        groupVersion: 'apps/v1',
        resources: [resource('deployments', 'Deployment'), resource('deployments/scale', 'Scale')],
      },
    },
    '/apis/apps/v1beta1': {
      body: {
        groupVersion: 'apps/v1beta1',
        resources: [resource('deployments', 'Deployment'), resource('olds', 'Old')],
      },
    },
    '/apis/metrics/v1': { body: { groupVersion: 'metrics/v1', resources: [resource('metrics', 'Metric')] } },
  }
}
