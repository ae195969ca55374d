// Fields of a Config that are of the wrong type: told where it is made, and not somewhere inside of the first request.

import { kindOf } from './kind-of.js'

/** How to know a type, and what to call it. */
type Kind = readonly [isGood: (value: unknown) => boolean, what: string]

const text: Kind = [(value) => typeof value === 'string', 'a string']
const pem: Kind = [(value) => typeof value === 'string', "PEM text, such as readFileSync(file, 'utf8') gives"]
const flag: Kind = [(value) => typeof value === 'boolean', 'true or false']
const callable: Kind = [(value) => typeof value === 'function', 'a function']
const object: Kind = [(value) => typeof value === 'object', 'an object']
const list: Kind = [Array.isArray, 'an array of strings']

const fields: Readonly<Record<string, Kind>> = {
  host: text,
  apiPath: text,
  username: text,
  password: text,
  bearerToken: text,
  bearerTokenFile: text,
  impersonate: object,
  execProvider: object,
  execPlugins: object,
  authProvider: object,
  authConfigPersister: object,
  tlsClientConfig: object,
  userAgent: text,
  disableCompression: flag,
  losslessIntegers: flag,
  transport: object,
  wrapTransport: callable,
  rateLimiter: object,
  warningHandler: callable,
  proxyUrl: text,
  proxy: callable,
  dial: callable,
  clock: object,
  logger: object,
}

const tlsFields: Readonly<Record<string, Kind>> = {
  insecure: flag,
  serverName: text,
  caFile: text,
  certFile: text,
  keyFile: text,
  nextProtos: list,
  caData: pem,
  certData: pem,
  keyData: pem,
}

/** @throws TypeError naming the first field of the wrong type, not what it holds. Undefined and null count as absent. */
export function checkFields(options: object): void {
  if (isThenable(options)) {
    throw new TypeError('the options of a Config are a Promise: await it, as in new Clientset(await getConfig())')
  }
  if (typeof options !== 'object' || options === null) {
    throw new TypeError(
      `the options of a Config must be an object such as { host: 'https://…' }, not ${kindOf(options)}`,
    )
  }
  check(options, fields, '')
  check((options as { tlsClientConfig?: object }).tlsClientConfig ?? {}, tlsFields, 'tlsClientConfig.')
}

function check(options: object, kinds: Readonly<Record<string, Kind>>, prefix: string): void {
  for (const [name, [isGood, what]] of Object.entries(kinds)) {
    const value = (options as Record<string, unknown>)[name] ?? undefined
    if (value === undefined || isGood(value)) continue
    throw new TypeError(`${prefix}${name} of a Config must be ${what}, not ${kindOf(value)}`)
  }
}

function isThenable(value: unknown): boolean {
  return typeof (value as PromiseLike<unknown> | null | undefined)?.then === 'function'
}
