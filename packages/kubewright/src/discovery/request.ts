// A request of discovery: any GET below the server's root, which takes at most 32 seconds where nobody says otherwise.

import type { RESTClient, Request } from '../rest/index.js'

/** Milliseconds for each request when neither the Config nor the call says. A length that no other default has. */
const defaultTimeoutMs = 32_000

/** A GET of a path, or of what is yet to be said. */
export function discoveryRequest(restClient: RESTClient, path?: string): Request {
  const request = restClient.get()
  if (!restClient.config.timeout) request.timeout(defaultTimeoutMs)
  return path === undefined ? request : request.absPath(path)
}
