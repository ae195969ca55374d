// Which names objects may have. Each check lists what is wrong, in the API server's words; an empty list is a good name.

const maxLabelBytes = 63
export const maxSubdomainBytes = 253

const dns1123Label = '[a-z0-9]([-a-z0-9]*[a-z0-9])?'
export const dns1123Subdomain: string = `${dns1123Label}(\\.${dns1123Label})*`
const dns1035Label = '[a-z]([-a-z0-9]*[a-z0-9])?'

const dns1123LabelRegExp = new RegExp(`^${dns1123Label}$`)
const dns1123SubdomainRegExp = new RegExp(`^${dns1123Subdomain}$`)
const dns1035LabelRegExp = new RegExp(`^${dns1035Label}$`)

const dns1123LabelProblem = patternProblem(
  "a lowercase RFC 1123 label must consist of lower case alphanumeric characters or '-', " +
    'and must start and end with an alphanumeric character',
  dns1123Label,
  ['my-name', '123-abc'],
)
const dns1123SubdomainProblem = patternProblem(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', " +
    'and must start and end with an alphanumeric character',
  dns1123Subdomain,
  ['example.com'],
)
const dns1035LabelProblem = patternProblem(
  "a DNS-1035 label must consist of lower case alphanumeric characters or '-', " +
    'start with an alphabetic character, and end with an alphanumeric character',
  dns1035Label,
  ['my-name', 'abc-123'],
)

/** What is wrong with a DNS-1123 label, the name of a namespace, say. */
export function dns1123LabelProblems(value: string): string[] {
  const problems = lengthProblems(value, maxLabelBytes, 'characters')
  if (dns1123LabelRegExp.test(value)) return problems
  return [...problems, dns1123SubdomainRegExp.test(value) ? 'must not contain dots' : dns1123LabelProblem]
}

/** What is wrong with a DNS-1123 subdomain, the name of most objects. */
export function dns1123SubdomainProblems(value: string): string[] {
  return subdomainProblems(value, 'characters')
}

/** As {@link dns1123SubdomainProblems}, with the unit that the place at hand counts in, by its words. */
export function subdomainProblems(value: string, unit: LengthUnit): string[] {
  const problems = lengthProblems(value, maxSubdomainBytes, unit)
  return dns1123SubdomainRegExp.test(value) ? problems : [...problems, dns1123SubdomainProblem]
}

/** What is wrong with a DNS-1035 label, the name of a Service, say. */
export function dns1035LabelProblems(value: string): string[] {
  const problems = lengthProblems(value, maxLabelBytes, 'characters')
  return dns1035LabelRegExp.test(value) ? problems : [...problems, dns1035LabelProblem]
}

/** What is wrong with a segment of a path, which is the least that is asked of any name. */
export function pathSegmentNameProblems(name: string): string[] {
  if (name === '.' || name === '..') return [`may not be '${name}'`]
  if (!/[/%]/.test(name)) return []
  return ['/', '%'].filter((illegal) => name.includes(illegal)).map((illegal) => `may not contain '${illegal}'`)
}

/** What the API server's messages call the bytes of UTF-8 that it counts: which of the two depends on the check. */
export type LengthUnit = 'bytes' | 'characters'

/** One problem, or none, with a text's length. */
export function lengthProblems(value: string, max: number, unit: LengthUnit): string[] {
  // A character takes one to three bytes for each of its units: most texts need no counting.
  const isLong = value.length > max || (value.length * 3 > max && new TextEncoder().encode(value).length > max)
  return isLong ? [`must be no more than ${max} ${unit}`] : []
}

/** A rule in words, with examples, if there are any, and the pattern that decides. */
export function patternProblem(rule: string, pattern: string, examples: readonly string[]): string {
  const list = examples.map((example) => `'${example}', `).join(' or ')
  return `${rule} (${list && `e.g. ${list}`}regex used for validation is '${pattern}')`
}
