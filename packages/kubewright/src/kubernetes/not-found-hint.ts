// What to try where a server does not have the path of a resource that is known by its name only: it does not say which
// part of the path is wrong.

import {
  addToMessage,
  asApiError,
  goQuote,
  isMethodNotSupported,
  isNotFound,
  isUnexpectedServerError,
} from '../meta/index.js'

/** A request to a resource by its name. */
export interface RequestedPath {
  readonly apiVersion: string
  readonly resource: string
  /** Undefined: none was given. */
  readonly namespace: string | undefined
}

/** Adds to the message of an ApiError what may be wrong, where the path is and not the object; any error passes through. */
export function withNotFoundHint(err: unknown, path: RequestedPath): unknown {
  const refused = asApiError(err)
  const hint = refused && isOfPath(err) ? hintFor(path, isMethodNotSupported(err)) : undefined
  if (refused && hint !== undefined) addToMessage(refused, `; ${hint}`)
  return err
}

/** Of an object that does not exist the server names the kind; of a path it can say nothing, and a proxy neither. */
function isOfPath(err: unknown): boolean {
  if (isMethodNotSupported(err)) return true
  return isNotFound(err) && (isUnexpectedServerError(err) || !asApiError(err)?.status.details?.kind)
}

function hintFor({ apiVersion, resource, namespace }: RequestedPath, isMethod: boolean): string | undefined {
  if (resource !== resource.toLowerCase()) {
    return `${goQuote(resource)} is written as a kind is; a resource is named in the plural and in lower case, as deployments`
  }
  if (namespace === undefined) {
    const elsewhere = `is it namespaced? then use .namespace('…')`
    return isMethod
      ? elsewhere
      : `${elsewhere}; does the server have ${goQuote(resource)} (plural, lower case) in ${apiVersion}?`
  }
  if (isMethod) return undefined
  return `does the server have ${goQuote(resource)} (plural, lower case) in ${apiVersion}, and is it namespaced?`
}
