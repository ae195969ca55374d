// Numbers of a Config that cannot be: told where it is made, and not by a request that never ends.

type Field = 'qps' | 'burst' | 'timeout' | 'maxResponseBytes' | 'verbosity'

type Numbers = Readonly<Partial<Record<Field, number | undefined>>> & { readonly rateLimiter?: unknown }

const rules: Readonly<Record<Field, readonly [isGood: (value: number) => boolean, what: string]>> = {
  qps: [(value) => !Number.isNaN(value), 'a number of requests a second; 0 is 5, and a negative one no limit'],
  burst: [(value) => value === 0 || value >= 1, 'a number of requests'],
  timeout: [(value) => value >= 0 && Number.isFinite(value), 'a number of milliseconds, 0 or more'],
  maxResponseBytes: [(value) => value > 0, 'a number of bytes above 0'],
  verbosity: [(value) => value >= 0, 'a number, 0 or more'],
}

/** @throws RangeError naming the first field that is not good. */
export function checkNumbers(options: Numbers): void {
  for (const [field, [isGood, what]] of Object.entries(rules)) {
    const value: unknown = options[field as Field]
    if (value === undefined || (typeof value === 'number' && isGood(value))) continue
    throw new RangeError(
      `${field} of a Config must be ${what}; not ${typeof value === 'number' ? value : typeof value}`,
    )
  }
  const { qps = 0, burst, rateLimiter } = options
  if (burst === 0 && qps > 0 && rateLimiter === undefined) {
    throw new RangeError('burst of a Config must be above 0 when its qps is: no request could be sent')
  }
}
