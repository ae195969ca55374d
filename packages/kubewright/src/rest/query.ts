// Query parameters: of options objects, and as text.

/** Value of a query parameter. */
export type ParamValue = string | number | boolean

/** Options of a call that say how to call, not what to ask of the server. */
const callOptionNames = new Set(['signal', 'timeout'])

/** Booleans for which `false` differs from absent. */
const optionalBooleans = new Set(['sendInitialEvents', 'force'])

/** The parameters that an options object stands for; a value that cannot be one comes out as undefined. */
export function optionParams(options: object): (readonly [name: string, value: ParamValue | undefined])[] {
  const params: (readonly [string, ParamValue | undefined])[] = []
  for (const [name, value] of Object.entries(options)) {
    if (value === undefined || value === null || value === '' || callOptionNames.has(name)) continue
    if (value === false && !optionalBooleans.has(name)) continue
    if (value === 0 && name === 'limit') continue
    for (const item of Array.isArray(value) ? value : [value])
      params.push([name, isParamValue(item) ? item : undefined])
  }
  return params
}

function isParamValue(value: unknown): value is ParamValue {
  return typeof value === 'string' || typeof value === 'boolean' || Number.isFinite(value)
}

/** Sorted by name, values of a name in their order. */
export function encodeQuery(params: ReadonlyMap<string, readonly string[]>): string {
  return [...params.keys()]
    .sort()
    .flatMap((name) => (params.get(name) ?? []).map((value) => `${queryEscape(name)}=${queryEscape(value)}`))
    .join('&')
}

/** Go's url.QueryEscape: a space becomes `+`. */
function queryEscape(text: string): string {
  if (/^[\w.~-]*$/.test(text)) return text
  return encodeURIComponent(text.replace(/\p{Surrogate}/gu, '\uFFFD'))
    .replace(/%20/g, '+')
    .replace(/[!'()*]/g, (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`)
}
