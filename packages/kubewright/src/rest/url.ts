// From a Config's host to URLs.

import { posix } from 'node:path'
import { type GroupVersion, goQuote } from '../meta/index.js'
import type { ConfigOptions } from './config.js'
import { withoutCredentials } from './hidden.js'

/** What {@link defaultServerURL} gives. */
export interface ServerURL {
  /** The server with its path prefix, which ends in `/`; no query, no fragment. */
  readonly baseUrl: URL
  /** `/api/v1`, `/apis/apps/v1`; to be appended to the prefix. */
  readonly versionedApiPath: string
}

/** Options of {@link defaultServerURL}. */
export interface DefaultServerURLOptions {
  /** Take https for a host that names no scheme. @defaultValue false */
  defaultTLS?: boolean | undefined
}

/** A server without a `%` in its name, and the path behind it. */
const authorityAndPath = /^[^:]*:\/\/(?:[^/?#]*@)?[^/?#@%]+(\/[^?#]*|)(?:[?#]|$)/s

/**
 * Makes a URL of `host`, `host:port`, or a URL with or without a path prefix.
 *
 * @throws Error when the host is none of these.
 */
export function defaultServerURL(
  host: string,
  apiPath: string,
  groupVersion?: GroupVersion,
  { defaultTLS = false }: DefaultServerURLOptions = {},
): ServerURL {
  if (host === '') throw new Error('host must be a URL or a host:port pair')
  const hasScheme = /^[a-z][a-z0-9+.-]*:\/\/[^/?#]/i.test(host)
  // URL mends what it is given: it reads a backslash as a slash, drops tabs and spaces, and decodes a server's name.
  const text = (hasScheme ? host : `${defaultTLS ? 'https' : 'http'}://${host}`).replace(/[ \\]/g, encodeURIComponent)
  const path = authorityAndPath.exec(text)?.[1]
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url === undefined || path === undefined || /\p{Cc}/u.test(text) || (!hasScheme && path !== '' && path !== '/')) {
    throw new Error(`host must be a URL or a host:port pair: ${goQuote(withoutCredentials(host))}`)
  }
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new Error(`host must be a URL of http or https: ${goQuote(withoutCredentials(host))}`)
  }
  if (/[/?#].*@/s.test(text.slice(text.indexOf('://') + 3))) {
    // What is before the slash would be taken for the server, and show in messages, though it is part of a password.
    throw new Error(
      'host has an @ behind its server: write /, ?, # and @ in user name and password, or in a path, as %XX',
    )
  }
  const prefix = canonicalPath(path)
  if (prefix === undefined) {
    throw new Error(`host has a % in its path that stands for no character: ${goQuote(withoutCredentials(host))}`)
  }
  url.pathname = prefix.endsWith('/') ? prefix : `${prefix}/`
  url.search = ''
  url.hash = ''
  return { baseUrl: url, versionedApiPath: versionedPath(apiPath, groupVersion) }
}

/** {@link defaultServerURL} of a Config: its host, with https assumed when it has a CA, a client certificate or `insecure`. */
export function defaultServerUrlFor(config: ConfigOptions, groupVersion?: GroupVersion, apiPath?: string): ServerURL {
  const tls = config.tlsClientConfig ?? {}
  const defaultTLS = Boolean(tls.caFile || tls.caData || tls.certFile || tls.certData || tls.insecure)
  const defaultPath = groupVersion === undefined ? '' : groupVersion.group === '' ? '/api' : '/apis'
  const path = apiPath ?? config.apiPath ?? defaultPath
  return defaultServerURL(config.host || 'localhost', path, groupVersion, { defaultTLS })
}

/** Whether requests of this Config go over TLS; not where its host is none, to which none go. */
export function isConfigTransportTLS(config: ConfigOptions): boolean {
  try {
    return defaultServerUrlFor(config).baseUrl.protocol === 'https:'
  } catch {
    return false
  }
}

function versionedPath(apiPath: string, groupVersion: GroupVersion | undefined): string {
  return joinPath('/', apiPath, groupVersion?.group ?? '', groupVersion?.version ?? '')
}

/** A path with an empty segment, `.` or `..`, or a slash at its end. */
const uncleanPath = /\/\.{0,2}(?:\/|$)|^\.{1,2}(?:\/|$)/

/** Joins and cleans, as Go's `path.Join`: no trailing slash, and nothing of nothing. */
export function joinPath(...parts: readonly string[]): string {
  const plain = parts.filter((part) => part !== '').join('/')
  if (!uncleanPath.test(plain)) return plain
  const joined = posix.join(...parts)
  return joined.length > 1 && joined.endsWith('/') ? joined.slice(0, -1) : joined
}

/** Escapes the segments of a path the way Go's `url.URL` does; `/` stays. */
export function escapePath(path: string): string {
  if (/^[\w\-.~$&+,/:;=@]*$/.test(path)) return path
  return path
    .replace(/\p{Surrogate}/gu, '\uFFFD')
    .replace(/[^\w\-.~$&+,/:;=@]+/gu, (text) =>
      encodeURIComponent(text).replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`),
    )
}

/**
 * An escaped path in the one form that {@link escapePath} gives; a slash that was escaped stays so. Undefined when a `%`
 * stands for no character.
 */
export function canonicalPath(path: string): string | undefined {
  const canonical = (segment: string): string => escapePath(decodeURIComponent(segment)).replaceAll('/', '%2F')
  try {
    return path.split('/').map(canonical).join('/')
  } catch {
    return undefined
  }
}
