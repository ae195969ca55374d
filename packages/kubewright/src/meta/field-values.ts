// Which values fields of objects may have: ports, keys, names of variables and headers, percentages, users. Each check
// lists what is wrong, in the API server's words; an empty list is a good value.

import { lengthProblems, maxSubdomainBytes, patternProblem } from './names.js'

const maxID = 2 ** 31 - 1
const maxPortNameBytes = 15

const percent = '[0-9]+%'
const httpHeaderName = '[-A-Za-z0-9]+'
const envVarName = '[-._a-zA-Z][-._a-zA-Z0-9]*'
const configMapKey = '[-._a-zA-Z0-9]+'
const cIdentifier = '[A-Za-z_][A-Za-z0-9_]*'

const percentRegExp = new RegExp(`^${percent}$`)
const httpHeaderNameRegExp = new RegExp(`^${httpHeaderName}$`)
const envVarNameRegExp = new RegExp(`^${envVarName}$`)
const configMapKeyRegExp = new RegExp(`^${configMapKey}$`)
const cIdentifierRegExp = new RegExp(`^${cIdentifier}$`)

/** What is wrong with the number of a port. */
export function portNumProblems(port: number): string[] {
  return rangeProblems(port, 1, 65535)
}

/** What is wrong with the number of a user. */
export function userIDProblems(uid: number): string[] {
  return rangeProblems(uid, 0, maxID)
}

/** What is wrong with the number of a group. */
export function groupIDProblems(gid: number): string[] {
  return rangeProblems(gid, 0, maxID)
}

/** What is wrong with the name of a port. */
export function portNameProblems(port: string): string[] {
  const problems = lengthProblems(port, maxPortNameBytes, 'characters')
  if (!/^[-a-z0-9]+$/.test(port)) {
    problems.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)')
  }
  if (!/[a-z]/.test(port)) problems.push('must contain at least one letter (a-z)')
  if (port.includes('--')) problems.push('must not contain consecutive hyphens')
  if (port.startsWith('-') || port.endsWith('-')) problems.push('must not begin or end with a hyphen')
  return problems
}

/** What is wrong with a percentage, such as `25%`. */
export function percentProblems(value: string): string[] {
  if (percentRegExp.test(value)) return []
  const rule = "a valid percent string must be a numeric string followed by an ending '%'"
  return [patternProblem(rule, percent, ['1%', '93%'])]
}

/** What is wrong with the name of an HTTP header. */
export function httpHeaderNameProblems(value: string): string[] {
  if (httpHeaderNameRegExp.test(value)) return []
  const rule = "a valid HTTP header must consist of alphanumeric characters or '-'"
  return [patternProblem(rule, httpHeaderName, ['X-Header-Name'])]
}

/** What is wrong with the name of an environment variable, by the rules that all servers and containers go by. */
export function envVarNameProblems(value: string): string[] {
  const rule =
    "a valid environment variable name must consist of alphabetic characters, digits, '_', '-', or '.', " +
    'and must not start with a digit'
  const examples = ['my.env-name', 'MY_ENV.NAME', 'MyEnvName1']
  const problems = envVarNameRegExp.test(value) ? [] : [patternProblem(rule, envVarName, examples)]
  return [...problems, ...dotsProblems(value)]
}

/** What is wrong with the name of an environment variable, by the rules of servers since 1.34. */
export function relaxedEnvVarNameProblems(value: string): string[] {
  if (value === '') return ['environment variable name must be non-empty']
  if (/^[ -<>-~]+$/.test(value)) return []
  return ["a valid environment variable name must consist only of printable ASCII characters other than '='"]
}

/** What is wrong with a key of a ConfigMap or a Secret. */
export function configMapKeyProblems(value: string): string[] {
  const problems = lengthProblems(value, maxSubdomainBytes, 'characters')
  if (!configMapKeyRegExp.test(value)) {
    const rule = "a valid config key must consist of alphanumeric characters, '-', '_' or '.'"
    problems.push(patternProblem(rule, configMapKey, ['key.name', 'KEY_NAME', 'key-name']))
  }
  return [...problems, ...dotsProblems(value)]
}

/** What is wrong with an identifier of the language C. */
export function cIdentifierProblems(value: string): string[] {
  if (cIdentifierRegExp.test(value)) return []
  const rule =
    "a valid C identifier must start with alphabetic character or '_', " +
    "followed by a string of alphanumeric characters or '_'"
  return [patternProblem(rule, cIdentifier, ['my_name', 'MY_NAME', 'MyName'])]
}

function rangeProblems(value: number, min: number, max: number): string[] {
  if (Number.isInteger(value) && value >= min && value <= max) return []
  return [`must be between ${min} and ${max}, inclusive`]
}

/** Files of this name would be somewhere else. */
function dotsProblems(value: string): string[] {
  if (value === '.' || value === '..') return [`must not be '${value}'`]
  return value.startsWith('..') ? ["must not start with '..'"] : []
}
