// Which keys and values labels may have. Each check lists what is wrong, in the API server's words.

const namePattern = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'
const valuePattern = `(${namePattern})?`
const subdomainPattern = '[a-z0-9]([-a-z0-9]*[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]*[a-z0-9])?)*'

const nameRegExp = new RegExp(`^${namePattern}$`)
const valueRegExp = new RegExp(`^${valuePattern}$`)
const subdomainRegExp = new RegExp(`^${subdomainPattern}$`)

const maxNameBytes = 63
const maxSubdomainBytes = 253

const nameProblem = patternProblem(
  "must consist of alphanumeric characters, '-', '_' or '.', and must start and end with an alphanumeric character",
  namePattern,
  ['MyName', 'my.name', '123-abc'],
)
const valueProblem = patternProblem(
  "a valid label must be an empty string or consist of alphanumeric characters, '-', '_' or '.', " +
    'and must start and end with an alphanumeric character',
  valuePattern,
  ['MyValue', 'my_value', '12345'],
)
const subdomainProblem = patternProblem(
  "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.', " +
    'and must start and end with an alphanumeric character',
  subdomainPattern,
  ['example.com'],
)

/** What is wrong with a label's key; empty when nothing is. */
export function labelKeyProblems(key: string): string[] {
  const parts = key.split('/')
  if (parts.length > 2) {
    return [
      `a valid label key ${nameProblem} with an optional DNS subdomain prefix and '/' (e.g. 'example.com/MyName')`,
    ]
  }
  const problems: string[] = []
  const name = parts.at(-1) ?? ''
  if (parts.length === 2) {
    const prefix = parts[0] ?? ''
    const found = prefix === '' ? ['must be non-empty'] : subdomainProblems(prefix)
    problems.push(...found.map((problem) => `prefix part ${problem}`))
  }
  if (name === '') problems.push('name part must be non-empty')
  else if (byteLength(name) > maxNameBytes) problems.push(`name part ${lengthProblem(maxNameBytes)}`)
  if (!nameRegExp.test(name)) problems.push(`name part ${nameProblem}`)
  return problems
}

/** What is wrong with a label's value; empty when nothing is. */
export function labelValueProblems(value: string): string[] {
  const problems: string[] = []
  if (byteLength(value) > maxNameBytes) problems.push(lengthProblem(maxNameBytes))
  if (!valueRegExp.test(value)) problems.push(valueProblem)
  return problems
}

function subdomainProblems(value: string): string[] {
  const problems: string[] = []
  if (byteLength(value) > maxSubdomainBytes) problems.push(lengthProblem(maxSubdomainBytes))
  if (!subdomainRegExp.test(value)) problems.push(subdomainProblem)
  return problems
}

function lengthProblem(maxBytes: number): string {
  return `must be no more than ${maxBytes} bytes`
}

function patternProblem(rule: string, pattern: string, examples: readonly string[]): string {
  const list = examples.map((example) => `'${example}', `).join(' or ')
  return `${rule} (e.g. ${list}regex used for validation is '${pattern}')`
}

function byteLength(text: string): number {
  return new TextEncoder().encode(text).length
}
