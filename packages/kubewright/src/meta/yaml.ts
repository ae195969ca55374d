// YAML as client-go reads it. Its parser resolves plain scalars by YAML 1.1's words but its own numbers, which no schema of
// js-yaml does: `0644` is 420 to the API server and to kubectl, and 644 by YAML 1.2.

import type { Schema } from 'js-yaml'

type Yaml = typeof import('js-yaml')

const trueWords = new Set(['y', 'Y', 'yes', 'Yes', 'YES', 'true', 'True', 'TRUE', 'on', 'On', 'ON'])
const falseWords = new Set(['n', 'N', 'no', 'No', 'NO', 'false', 'False', 'FALSE', 'off', 'Off', 'OFF'])
const integer = /^[-+]?(?:0[xX][\da-fA-F]+|0[oO][0-7]+|0[bB][01]+|\d+)$/
const float = /^[-+]?(?:\.\d+|\d+(?:\.\d*)?)(?:[eE][-+]?\d+)?$/
const special: Readonly<Record<string, number>> = {
  nan: Number.NaN,
  inf: Infinity,
  '+inf': Infinity,
  '-inf': -Infinity,
}

/** Characters above which no text is an integer of 64 bits; to read one takes ever longer. */
const longestInteger = 1000

/** The number that a plain scalar stands for, a bigint where `bigints` and a number would round it; undefined when it stands for itself. */
function plainNumber(source: string, bigints: boolean): number | bigint | undefined {
  if (/^[-+]?\.(?:inf|Inf|INF)$|^\.(?:nan|NaN|NAN)$/.test(source)) return special[source.replace('.', '').toLowerCase()]
  if (!/^(?:[-+\d]|\.\d)/.test(source)) return undefined
  const text = source.replaceAll('_', '')
  if (text.length <= longestInteger && integer.test(text)) {
    const negative = text.startsWith('-')
    const digits = text.replace(/^[-+]/, '')
    // Beyond 64 bits only decimal digits are still a number, and 08 is 8 where 07 is octal.
    const value = /^0[0-7]+$/.test(digits) ? BigInt(`0o${digits}`) : /^0\d/.test(digits) ? undefined : BigInt(digits)
    if (value !== undefined && (negative ? value <= 2n ** 63n : value < 2n ** 64n)) {
      const signed = negative ? -value : value
      const isRounded = value > Number.MAX_SAFE_INTEGER && BigInt.asIntN(64, signed) === signed
      return bigints && isRounded ? signed : Number(signed)
    }
  }
  if (!float.test(text)) return undefined
  const value = Number(text)
  return Number.isFinite(value) ? value : undefined
}

let loaded: Promise<Yaml> | undefined

/** js-yaml, loaded on first use: most programs in a cluster never read YAML. */
function loadYaml(): Promise<Yaml> {
  loaded ??= import('js-yaml')
  return loaded
}

function schemaOf(yaml: Yaml, bigints: boolean): Schema {
  const scalar = (tag: string, resolve: (source: string) => unknown) =>
    yaml.defineScalarTag(`tag:yaml.org,2002:${tag}`, { implicit: true, identify: () => false, resolve })
  const number = (source: string) => plainNumber(source, bigints) ?? yaml.NOT_RESOLVED
  return yaml.FAILSAFE_SCHEMA.withTags(
    yaml.nullYaml11Tag,
    yaml.mergeTag,
    scalar('bool', (source) => (trueWords.has(source) ? true : falseWords.has(source) ? false : yaml.NOT_RESOLVED)),
    scalar('int', number),
    scalar('float', number),
  )
}

/** How many values a document may come to through its aliases, however short it is. */
const mostAliased = 400_000

/**
 * Whether a document comes to more values than one of its length could without aliases: they make much of little, or,
 * where one contains itself, have no end. What reads the values walks through them as a tree.
 */
function isBomb(document: unknown, length: number): boolean {
  const most = Math.max(mostAliased, length)
  const left: unknown[] = [document]
  for (let seen = 0; left.length > 0; seen++) {
    if (seen > most) return true
    const value = left.pop()
    if (typeof value === 'object' && value !== null) for (const item of Object.values(value)) left.push(item)
  }
  return false
}

/** A text is not YAML. The message has no part of the text, which may be a secret. */
export class YAMLSyntaxError extends Error {
  override readonly name: string = 'YAMLSyntaxError'
  /** Both from 1; undefined where the fault has no place. */
  readonly line: number | undefined
  readonly column: number | undefined

  constructor(message: string, { line, column }: { line?: number | undefined; column?: number | undefined } = {}) {
    super(message)
    this.line = line
    this.column = column
  }
}

/** Options of {@link parseYAML}. */
export interface ParseYAMLOptions {
  /** Integers of 64 bits that a number would round become bigints. @defaultValue false */
  readonly bigints?: boolean
}

/**
 * The documents of a YAML or JSON text, as JSON values; null for one that holds nothing. The last of several equal keys wins.
 *
 * @throws YAMLSyntaxError for what is no YAML, and for aliases that make much of little
 */
export async function parseYAML(text: string, { bigints = false }: ParseYAMLOptions = {}): Promise<unknown[]> {
  const yaml = await loadYaml()
  try {
    const documents = yaml.loadAll(text, { schema: schemaOf(yaml, bigints), json: true })
    if (!documents.some((document) => isBomb(document, text.length))) return documents
  } catch (err) {
    if (!(err instanceof yaml.YAMLException)) throw err
    // The exception holds the source, and its reason may quote a name from it: neither may get out.
    const reason = err.reason.replace(/\s*(?:".*"|!<.*>|: .*)/s, '')
    const hint = /alias|tag/.test(reason) ? '; put a value that begins with * or ! in quotes' : ''
    const line = err.mark && err.mark.line + 1
    const column = err.mark && err.mark.column + 1
    const at = line === undefined ? '' : ` at line ${line}, column ${column}`
    throw new YAMLSyntaxError(`it is not valid YAML${at}: ${reason}${hint}`, { line, column })
  }
  throw new YAMLSyntaxError('its aliases (*name) stand for too much, or for themselves: write out what is meant')
}
