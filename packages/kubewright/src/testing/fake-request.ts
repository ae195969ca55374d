// What a request asks for: from its method, path, query and body to an action.

import {
  type DeleteOptions,
  type GroupVersionResource,
  goQuote,
  isObject,
  type UnstructuredInput,
} from '../meta/index.js'
import { jsonParserFor, type TransportRequest } from '../rest/index.js'
import { type Action, actionOf, type ProxyGetAction } from './action.js'
import { newBadRequest, newMethodNotSupported } from './api-errors.js'
import type { ResourceInfo } from './resources.js'

/** A path below `/api` or `/apis`, taken apart. */
export interface ResourcePath {
  readonly resource: GroupVersionResource
  readonly namespace: string
  /** `''`: the collection. */
  readonly name: string
  readonly subresource: string
  /** What follows a subresource that goes on, such as `proxy`. */
  readonly rest: string
}

/** Of which group-version a path is, and what there is below it; undefined for paths of neither. */
export function splitPath(pathname: string): { group: string; version: string; parts: string[] } | undefined {
  const [prefix, ...parts] = pathname.replace(/^\//, '').split('/').map(decodeURIComponent)
  if (prefix === 'api' && parts.length > 0) return { group: '', version: parts[0] ?? '', parts: parts.slice(1) }
  if (prefix !== 'apis' || parts.length < 2) return undefined
  return { group: parts[0] ?? '', version: parts[1] ?? '', parts: parts.slice(2) }
}

/** The path of a resource; undefined for one that names none. */
export function resourcePath(pathname: string): ResourcePath | undefined {
  const found = splitPath(pathname)
  if (!found || found.parts.length === 0 || found.parts[0] === '') return undefined
  const { group, version, parts } = found
  const ofNamespace = ['status', 'finalize']
  const isScoped = parts[0] === 'namespaces' && parts.length > 2 && !ofNamespace.includes(parts[2] ?? '')
  const [namespace = '', ...below] = isScoped ? parts.slice(1) : ['', ...parts]
  const [resource = '', name = '', subresource = '', ...rest] = below
  return { resource: { group, version, resource }, namespace, name, subresource, rest: rest.join('/') }
}

const numbers = new Set(['limit', 'timeoutSeconds', 'gracePeriodSeconds', 'tailLines', 'sinceSeconds', 'limitBytes'])
const booleans = new Set([
  'watch',
  'allowWatchBookmarks',
  'sendInitialEvents',
  'force',
  'follow',
  'previous',
  'timestamps',
  'insecureSkipTLSVerifyBackend',
  'orphanDependents',
])

/** The query as options. */
function optionsOf(params: URLSearchParams): Record<string, unknown> {
  const entries = [...params.keys()].map((key): [string, unknown] => {
    const value = params.get(key) ?? ''
    if (numbers.has(key)) return [key, Number(value)]
    if (booleans.has(key)) return [key, value === 'true' || value === '1']
    return [key, key === 'dryRun' ? params.getAll(key) : value]
  })
  return Object.fromEntries(entries.filter(([key]) => key !== 'timeout'))
}

// Integers beyond 2^53 are kept, whatever the client reads.
const parseJSON = jsonParserFor({ losslessIntegers: true })

/** The bytes of a request's body. */
export async function bytesOf({ body }: TransportRequest): Promise<Uint8Array> {
  if (body === undefined) return new Uint8Array()
  if (typeof body === 'string') return new TextEncoder().encode(body)
  if (body instanceof Uint8Array) return body
  const chunks: Uint8Array[] = []
  for await (const chunk of body) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** A request to a resource. */
export interface ResourceRequest {
  readonly method: string
  readonly path: ResourcePath
  /** What is known of the resource. */
  readonly info: ResourceInfo | undefined
  readonly params: URLSearchParams
  readonly contentType: string
  readonly body: Uint8Array
  readonly userAgent: string
}

/**
 * The action that a request is.
 *
 * @throws ApiError isBadRequest for a body that is no object in JSON; isMethodNotSupported
 */
export function requestedAction(request: ResourceRequest): Action | ProxyGetAction {
  const { path, userAgent } = request
  const { resource, namespace, name, subresource, rest } = path
  const isProxy = subresource === 'proxy' && request.method === 'GET'
  if (isProxy) {
    const params = Object.fromEntries(request.params)
    const fields = { resource, namespace, subresource: 'proxy' as const, ...proxied(name), path: rest, params }
    return actionOf({ verb: 'get', ...fields }, userAgent)
  }
  const whole = rest === '' ? subresource : `${subresource}/${rest}`
  return resourceAction(request, { resource, namespace, subresource: whole })
}

type Base = Pick<Action, 'resource' | 'namespace' | 'subresource'>

function resourceAction(
  { method, path: { name }, info, params, contentType, body, userAgent }: ResourceRequest,
  base: Base,
): Action {
  const options = optionsOf(params)
  switch (method) {
    case 'GET': {
      if (name !== '') return actionOf({ verb: 'get', ...base, name, options }, userAgent)
      const { watch, ...listOptions } = options
      if (watch === true) return actionOf({ verb: 'watch', ...base, options: listOptions }, userAgent)
      const { group, version } = base.resource
      const kind = { group, version, kind: info?.kind ?? '' }
      return actionOf({ verb: 'list', ...base, kind, options: listOptions }, userAgent)
    }
    case 'POST':
      return actionOf({ verb: 'create', ...base, name, object: objectOf(body), options }, userAgent)
    case 'PUT':
      return actionOf({ verb: 'update', ...base, name, object: objectOf(body), options }, userAgent)
    case 'PATCH': {
      const patch = { patchType: contentType, patch: body, body: valueOf(body) as object }
      return actionOf({ verb: 'patch', ...base, name, ...patch, options }, userAgent)
    }
    case 'DELETE': {
      const {
        apiVersion: _,
        kind: __,
        ...sent
      } = (body.length > 0 ? objectOf(body) : {}) as DeleteOptions & { apiVersion?: string; kind?: string }
      if (name !== '') return actionOf({ verb: 'delete', ...base, name, options: { ...options, ...sent } }, userAgent)
      return actionOf({ verb: 'delete-collection', ...base, options: sent, listOptions: options }, userAgent)
    }
    default:
      throw newMethodNotSupported(base.resource, method)
  }
}

/** `name`, `name:port` or `scheme:name:port`. */
function proxied(target: string): { scheme: string; name: string; port: string } {
  const parts = target.split(':')
  if (parts.length === 1) return { scheme: '', name: target, port: '' }
  const [port = '', name = '', scheme = ''] = parts.reverse()
  return { scheme, name, port }
}

function objectOf(body: Uint8Array): UnstructuredInput {
  const value = valueOf(body)
  if (isObject(value)) return value
  throw newBadRequest('the body of the request is no object')
}

function valueOf(body: Uint8Array): unknown {
  const text = new TextDecoder().decode(body)
  try {
    return parseJSON(text)
  } catch (err) {
    throw newBadRequest(
      `the body of the request is not JSON: ${goQuote(text.slice(0, 100))}: ${(err as Error).message}`,
    )
  }
}
