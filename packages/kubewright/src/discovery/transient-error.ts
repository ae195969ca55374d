// Failures that may be over at the next try, and so are not remembered.

import { asApiError, isTooManyRequests } from '../meta/index.js'
import { ConnectionError, RequestTimeoutError } from '../rest/index.js'

/** Whether asking again may well give another answer: no connection, no time, or a server that was overloaded or broken. */
export function isTransientError(err: unknown): boolean {
  if (err instanceof RequestTimeoutError) return true
  if (err instanceof ConnectionError)
    return err.reason === 'connect' || err.reason === 'lost' || err.reason === 'timeout'
  return (asApiError(err)?.code ?? 0) >= 500 || isTooManyRequests(err)
}
