// Which names of domains, and names that begin with one, objects may hold. Each check lists what is wrong, in the API
// server's words; an empty list is a good name.

import { goQuote } from './go-quote.js'
import { labelKeyProblems } from './labels/index.js'
import {
  dns1123LabelProblems,
  dns1123Subdomain,
  dns1123SubdomainProblems,
  lengthProblems,
  maxSubdomainBytes,
  patternProblem,
} from './names.js'

const labelWithUnderscore = '_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?'
const subdomainWithUnderscore = `${labelWithUnderscore}(\\.${labelWithUnderscore})*`
const subdomainWithUnderscoreRegExp = new RegExp(`^${subdomainWithUnderscore}$`)

const wildcard = `\\*\\.${dns1123Subdomain}`
const wildcardRegExp = new RegExp(`^${wildcard}$`)

const httpPath = "[A-Za-z0-9/\\-._~%!$&'()*+,;=:]+"
const httpPathRegExp = new RegExp(`^${httpPath}$`)

/** What is wrong with a DNS-1123 subdomain that may have underscores, the name in an SRV record, say. */
export function dns1123SubdomainWithUnderscoreProblems(value: string): string[] {
  const problems = lengthProblems(value, maxSubdomainBytes, 'characters')
  if (subdomainWithUnderscoreRegExp.test(value)) return problems
  const rule =
    "a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '_', '-' or '.', " +
    'and must start and end with an alphanumeric character'
  return [...problems, patternProblem(rule, subdomainWithUnderscore, ['example.com'])]
}

/** What is wrong with a wildcard such as `*.example.com`, the host of an Ingress, say. */
export function wildcardDNS1123SubdomainProblems(value: string): string[] {
  const problems = lengthProblems(value, maxSubdomainBytes, 'characters')
  if (wildcardRegExp.test(value)) return problems
  const rule =
    "a wildcard DNS-1123 subdomain must start with '*.', followed by a valid DNS subdomain, which must consist of lower " +
    "case alphanumeric characters, '-' or '.' and end with an alphanumeric character"
  return [...problems, patternProblem(rule, wildcard, ['*.example.com'])]
}

/** What is wrong with a domain's name of three parts or more, the name of a signer, say. */
export function fullyQualifiedNameProblems(name: string): string[] {
  if (name === '') return [required]
  const problems = dns1123SubdomainProblems(name)
  if (problems.length > 0) return [invalidValue(name, problems.join(','))]
  if (name.split('.').length >= 3) return []
  return [invalidValue(name, 'should be a domain with at least three segments separated by dots')]
}

/** What is wrong with a domain's name of two parts or more; it may end in a dot. */
export function fullyQualifiedDomainNameProblems(given: string): string[] {
  if (given === '') return [required]
  const name = given.endsWith('.') ? given.slice(0, -1) : given
  const problems = dns1123SubdomainProblems(name)
  if (problems.length > 0) return [invalidValue(name, problems.join(','))]
  const labels = name.split('.')
  if (labels.length < 2) {
    return [invalidValue(name, 'should be a domain with at least two segments separated by dots')]
  }
  for (const label of labels) {
    const labelProblems = dns1123LabelProblems(label)
    if (labelProblems.length > 0) return [invalidValue(label, labelProblems.join(','))]
  }
  return []
}

/** What is wrong with a path below a domain, such as `acme.io/foo/bar`. */
export function domainPrefixedPathProblems(value: string): string[] {
  if (value === '') return [required]
  const slash = value.indexOf('/')
  const host = value.slice(0, Math.max(slash, 0))
  const path = value.slice(slash + 1)
  if (host === '' || path === '') {
    return [invalidValue(value, 'must be a domain-prefixed path (such as "acme.io/foo")')]
  }
  const problems = dns1123SubdomainProblems(host).map((problem) => invalidValue(host, problem))
  if (!httpPathRegExp.test(path)) problems.push(invalidValue(path, patternProblem('Invalid path', httpPath, [])))
  return problems
}

/** What is wrong with a key below a domain, such as `acme.io/foo`: the type of a condition of Pods, say. */
export function domainPrefixedKeyProblems(key: string): string[] {
  if (key === '') return [required]
  const problems = labelKeyProblems(key).map((problem) => invalidValue(key, problem))
  if (problems.length > 0 || key.includes('/')) return problems
  return [invalidValue(key, 'must be a domain-prefixed key (such as "acme.io/foo")')]
}

const required = 'Required value'

function invalidValue(value: string, problem: string): string {
  return `Invalid value: ${goQuote(value)}: ${problem}`
}
