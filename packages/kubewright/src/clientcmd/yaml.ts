// YAML as client-go reads it. Its parser resolves plain scalars by YAML 1.1's words but its own numbers, which no
// schema of js-yaml does; what counts as a string decides whether a token must be quoted, so the rules are here.

import type { Schema } from 'js-yaml'
import { KubeconfigError } from './errors.js'

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

/** The number that a plain scalar stands for, or undefined when it stands for itself. */
function plainNumber(source: string): number | undefined {
  if (/^[-+]?\.(?:inf|Inf|INF)$|^\.(?:nan|NaN|NAN)$/.test(source)) return special[source.replace('.', '').toLowerCase()]
  if (!/^(?:[-+\d]|\.\d)/.test(source)) return undefined
  const text = source.replaceAll('_', '')
  if (text.length <= longestInteger && integer.test(text)) {
    const negative = text.startsWith('-')
    const digits = text.replace(/^[-+]/, '')
    // Beyond 64 bits only decimal digits are still a number, and 08 is 8 where 07 is octal.
    const value = /^0[0-7]+$/.test(digits) ? BigInt(`0o${digits}`) : /^0\d/.test(digits) ? undefined : BigInt(digits)
    if (value !== undefined && value < 2n ** (negative ? 63n : 64n)) return Number(value) * (negative ? -1 : 1)
  }
  if (!float.test(text)) return undefined
  const value = Number(text)
  return Number.isFinite(value) ? value : undefined
}

let loaded: Promise<{ yaml: Yaml; schema: Schema }> | undefined

/** js-yaml, loaded on first use: most programs in a cluster never read a kubeconfig. */
export function loadYaml(): Promise<{ yaml: Yaml; schema: Schema }> {
  loaded ??= import('js-yaml').then((yaml) => {
    const scalar = (tag: string, resolve: (source: string) => unknown) =>
      yaml.defineScalarTag(`tag:yaml.org,2002:${tag}`, { implicit: true, identify: () => false, resolve })
    const schema = yaml.FAILSAFE_SCHEMA.withTags(
      yaml.nullYaml11Tag,
      yaml.mergeTag,
      scalar('bool', (source) => (trueWords.has(source) ? true : falseWords.has(source) ? false : yaml.NOT_RESOLVED)),
      scalar('int', (source) => plainNumber(source) ?? yaml.NOT_RESOLVED),
      scalar('float', (source) => plainNumber(source) ?? yaml.NOT_RESOLVED),
    )
    return { yaml, schema }
  })
  return loaded
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

/**
 * The first document of a YAML text, as JSON values; null when the text holds none. The last of several equal keys wins.
 *
 * @throws KubeconfigError with line and column, and without any text of the document.
 */
export async function parseYaml(text: string, file?: string): Promise<unknown> {
  const { yaml, schema } = await loadYaml()
  try {
    const document = yaml.loadAll(text, { schema, json: true })[0] ?? null
    if (!isBomb(document, text.length)) return document
    throw new KubeconfigError('its aliases (*name) stand for too much, or for themselves: write out what is meant', {
      file,
    })
  } catch (err) {
    if (!(err instanceof yaml.YAMLException)) throw err
    // The exception holds the source, and its reason may quote a name from it: neither may get out.
    const reason = err.reason.replace(/\s*(?:".*"|!<.*>|: .*)/s, '')
    const hint = /alias|tag/.test(reason) ? '; put a value that begins with * or ! in quotes' : ''
    const line = err.mark && err.mark.line + 1
    const column = err.mark && err.mark.column + 1
    const at = line === undefined ? '' : ` at line ${line}, column ${column}`
    throw new KubeconfigError(`it is not valid YAML${at}: ${reason}${hint}`, { file, line, column })
  }
}
