// HTTP headers in both directions: what a request sets, and what an answer says.

/** Headers of a request. Names in lower case; a list is sent as several headers of that name. */
export type RequestHeaders = Readonly<Record<string, string | readonly string[]>>

/** Headers of an answer. Names are matched in any case. */
export interface ResponseHeaders {
  /** The value, several joined by `, `; undefined when the header is absent. */
  get(name: string): string | undefined
  /** Each value, in the order received. */
  getAll(name: string): readonly string[]
  /** The names there are, in lower case. */
  names(): readonly string[]
}

/** Makes {@link ResponseHeaders} from a record; for transports of your own and tests. */
export function responseHeaders(
  record: Readonly<Record<string, string | readonly string[] | undefined>>,
): ResponseHeaders {
  const values = new Map<string, readonly string[]>()
  for (const [name, value] of Object.entries(record)) {
    if (value !== undefined) values.set(name.toLowerCase(), typeof value === 'string' ? [value] : value)
  }
  return {
    get: (name) => values.get(name.toLowerCase())?.join(', '),
    getAll: (name) => values.get(name.toLowerCase()) ?? [],
    names: () => [...values.keys()],
  }
}
