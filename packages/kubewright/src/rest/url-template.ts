// A request's URL without what differs from object to object, so that requests can be counted by it.

import { joinPath } from './url.js'

/**
 * client-go's template of a URL: names, namespaces and the values of parameters give way to `{name}`, `{namespace}` and
 * `{value}`. What is no path of the API reads `/{prefix}`.
 *
 * @param basePath the server's own prefix, which stays
 */
export function urlTemplate(url: URL, basePath: string): string {
  const origin = `${url.protocol}//${url.host}`
  const names = [...new Set(url.searchParams.keys())].map((name) => `${encodeURIComponent(name)}={value}`)
  const query = names.length === 0 ? '' : `?${names.join('&')}`
  const base = url.pathname.startsWith(basePath) ? basePath : ''
  const segments = `/${url.pathname.slice(base.length).replace(/^\//, '')}`.split('/')
  if (segments.length <= 2) return origin + url.pathname + query
  const [, prefix] = segments
  if (prefix !== 'api' && prefix !== 'apis') return `${origin}/{prefix}`
  const at = prefix === 'api' ? 3 : 4
  const count = segments.length - at
  if (count === 2) segments[at + 1] = '{name}'
  else if (count === 3) segments[at + 1] = isOfObject(segments[at + 2]) ? '{name}' : '{namespace}'
  else if (count >= 4) {
    segments[at + 1] = '{namespace}'
    if (!isOfObject(segments[at + 3])) segments[at + 3] = '{name}'
  }
  return origin + joinPath('/', base, ...segments) + query
}

/** These two follow an object's name, where anything else may be a resource inside a namespace. */
function isOfObject(segment: string | undefined): boolean {
  return segment === 'finalize' || segment === 'status'
}
