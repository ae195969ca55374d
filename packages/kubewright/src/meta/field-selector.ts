// Field selectors: which objects a query is about, by the values of a few fields.

/** One condition on a field. */
export interface FieldRequirement {
  readonly field: string
  readonly operator: '=' | '!='
  readonly value: string
}

/** Values of an object's fields, by their paths: `metadata.name`. An absent field is as good as an empty one. */
export type Fields = Readonly<Record<string, string | undefined>>

/** A set of requirements that fields must all meet. Immutable. */
export interface FieldSelector {
  readonly requirements: readonly FieldRequirement[]
  /** Whether all fields match. */
  readonly empty: boolean
  matches(fields: Fields): boolean
  /** The value that the field must have, if it must have a single one. */
  requiresExactMatch(field: string): string | undefined
  /** The selector as text: what `fieldSelector` of the API's options takes. */
  toString(): string
}

/** A selector of these requirements; none: matches everything. */
export function fieldSelectorFromRequirements(requirements: readonly FieldRequirement[]): FieldSelector {
  const all = Object.freeze(requirements.map((requirement) => Object.freeze({ ...requirement })))
  return Object.freeze({
    requirements: all,
    empty: all.length === 0,
    matches: (fields: Fields) => all.every((requirement) => requirementMatches(requirement, fields)),
    requiresExactMatch: (field: string) => all.find((r) => r.operator === '=' && r.field === field)?.value,
    toString: () => all.map((r) => `${r.field}${r.operator}${escapeFieldValue(r.value)}`).join(','),
  })
}

/**
 * Reads a selector: conditions joined by commas, each one of `field=value`, `field==value` and `field!=value`. In a value
 * `\`, `,` and `=` are written with a `\` before them. The empty text matches everything.
 *
 * @throws Error in apimachinery's words.
 */
export function parseFieldSelector(text: string): FieldSelector {
  if (typeof text !== 'string') throw new TypeError("a field selector is one text, such as 'spec.nodeName=a'")
  const requirements: FieldRequirement[] = []
  for (const term of splitTerms(text).sort()) {
    if (term === '') continue
    const [all, field = '', operator] = /^([^]*?)(!=|==|=)/.exec(term) ?? []
    if (all === undefined) throw new Error(`invalid selector: '${text}'; can't understand '${term}'`)
    const value = unescapeFieldValue(term.slice(all.length))
    if (field === '' && value === '') continue
    requirements.push({ field, operator: operator === '!=' ? '!=' : '=', value })
  }
  return fieldSelectorFromRequirements(requirements)
}

/** A selector of exactly these values: `fieldSelectorFromSet({ 'metadata.name': 'web' })`; none: matches everything. */
export function fieldSelectorFromSet(fields: Fields): FieldSelector {
  return fieldSelectorFromRequirements(
    Object.entries(fields).flatMap(([field, value]) => (value === undefined ? [] : [{ field, operator: '=', value }])),
  )
}

/** A value as a selector's text has it: with a `\` before `\`, `,` and `=`. */
export function escapeFieldValue(value: string): string {
  return value.replace(/[\\,=]/g, '\\$&')
}

/**
 * The opposite of {@link escapeFieldValue}.
 *
 * @throws Error for a `,` or `=` without, or another character with a `\` before it.
 */
export function unescapeFieldValue(text: string): string {
  return text.replace(/\\([^]?)|[,=]/gu, (found: string, escaped: string | undefined) => {
    if (escaped === undefined) {
      throw new Error(`invalid field selector: unescaped character in value: ${found.codePointAt(0)}`)
    }
    if (escaped === '' || !'\\,='.includes(escaped)) {
      throw new Error(`invalid field selector: invalid escape sequence: ${found}`)
    }
    return escaped
  })
}

function requirementMatches({ field, operator, value }: FieldRequirement, fields: Fields): boolean {
  const actual = Object.hasOwn(fields, field) ? (fields[field] ?? '') : ''
  return (actual === value) === (operator === '=')
}

/** Splits at commas that have no `\` before them. */
function splitTerms(text: string): string[] {
  const terms: string[] = []
  let start = 0
  for (let at = 0; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === ',') {
      terms.push(text.slice(start, at))
      start = at + 1
    }
  }
  terms.push(text.slice(start))
  return terms
}
