// A call took longer than the caller allows.

/** A call was given up after its `timeout`. Whether the server carries it out is not known. */
export class RequestTimeoutError extends Error {
  override readonly name: string = 'RequestTimeoutError'
  readonly method: string
  /** URL of the request, without credentials. */
  readonly url: string
  /** Milliseconds that the call was allowed. */
  readonly timeout: number

  constructor({ method, url, timeout, doing }: { method: string; url: string; timeout: number; doing: string }) {
    super(`${method} ${url}: timed out after ${timeout / 1000}s while ${doing}`)
    this.method = method
    this.url = url
    this.timeout = timeout
  }
}
