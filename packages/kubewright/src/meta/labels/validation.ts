// Which keys and values labels may have. Each check lists what is wrong, in the API server's words.

import { lengthProblems, patternProblem, subdomainProblems } from '../names.js'

const namePattern = '([A-Za-z0-9][-A-Za-z0-9_.]*)?[A-Za-z0-9]'
const valuePattern = `(${namePattern})?`

const nameRegExp = new RegExp(`^${namePattern}$`)
const valueRegExp = new RegExp(`^${valuePattern}$`)

const maxNameBytes = 63

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

/** What is wrong with a label's key, which is what the API calls a qualified name; empty when nothing is. */
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
    const found = prefix === '' ? ['must be non-empty'] : subdomainProblems(prefix, 'bytes')
    problems.push(...found.map((problem) => `prefix part ${problem}`))
  }
  const nameProblems = name === '' ? ['must be non-empty'] : lengthProblems(name, maxNameBytes, 'bytes')
  if (!nameRegExp.test(name)) nameProblems.push(nameProblem)
  return [...problems, ...nameProblems.map((problem) => `name part ${problem}`)]
}

/** What is wrong with a label's value; empty when nothing is. */
export function labelValueProblems(value: string): string[] {
  const problems = lengthProblems(value, maxNameBytes, 'bytes')
  if (!valueRegExp.test(value)) problems.push(valueProblem)
  return problems
}
