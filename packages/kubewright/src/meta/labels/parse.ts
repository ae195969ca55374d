// The grammar of label selectors: text to requirements.

import { messageOf } from '../message-of.js'
import { invalid, newRequirement, type Operator, type Requirement } from './requirement.js'
import { type Token, tokenize } from './tokens.js'
import { labelKeyProblems } from './validation.js'

/** @throws Error that says what was found and what was expected. */
export function parseRequirements(text: string): Requirement[] {
  if (typeof text !== 'string') throw new TypeError("a label selector is one text, such as 'app=web,tier in (a,b)'")
  const reader = new TokenReader(tokenize(text))
  const requirements: Requirement[] = []
  for (;;) {
    const token = reader.peek()
    if (token.type === 'end') return requirements
    if (token.type !== 'identifier' && token.type !== '!') {
      throw expected(token, "!, identifier, or 'end of string'")
    }
    requirements.push(parseRequirement(reader))
    const separator = reader.next()
    if (separator.type === 'end') return requirements
    if (separator.type !== ',') throw expected(separator, "',' or 'end of string'")
    const following = reader.peek()
    if (following.type !== 'identifier' && following.type !== '!') throw expected(following, "identifier after ','")
  }
}

/** Hands out tokens. Where no operator can stand, `in` and `notin` are ordinary words. */
class TokenReader {
  readonly #tokens: readonly Token[]
  #position = 0

  constructor(tokens: readonly Token[]) {
    this.#tokens = tokens
  }

  peek(): Token {
    const token = this.peekOperator()
    return token.type === 'in' || token.type === 'notin' ? { ...token, type: 'identifier' } : token
  }

  next(): Token {
    const token = this.peek()
    this.#position++
    return token
  }

  peekOperator(): Token {
    return this.#tokens[this.#position] ?? { type: 'end', text: '' }
  }

  nextOperator(): Token {
    const token = this.peekOperator()
    this.#position++
    return token
  }
}

function parseRequirement(reader: TokenReader): Requirement {
  try {
    let operator: Operator | undefined
    let token = reader.next()
    if (token.type === '!') {
      operator = '!'
      token = reader.next()
    }
    if (token.type !== 'identifier') throw expected(token, 'identifier')
    const key = token.text
    const problems = labelKeyProblems(key)
    if (problems.length > 0) throw new Error(invalid('<nil>', key, problems.join('; ')))
    const following = reader.peek().type
    if (operator === undefined && (following === 'end' || following === ',')) operator = 'exists'
    if (operator !== undefined) return newRequirement(key, operator)

    operator = parseOperator(reader)
    const values = operator === 'in' || operator === 'notin' ? parseValues(reader) : [parseExactValue(reader)]
    return newRequirement(key, operator, [...new Set(values)].sort())
  } catch (err) {
    throw new Error(`unable to parse requirement: ${messageOf(err)}`, { cause: err })
  }
}

function parseOperator(reader: TokenReader): Operator {
  const token = reader.nextOperator()
  switch (token.type) {
    case 'in':
    case 'notin':
    case '=':
    case '==':
    case '!=':
      return token.type
    case '>':
      return 'gt'
    case '<':
      return 'lt'
    default:
      throw expected(token, 'in, notin, =, ==, !=, gt, lt')
  }
}

function parseValues(reader: TokenReader): string[] {
  const open = reader.next()
  if (open.type !== '(') throw new Error(`found '${open.text}' expected: '('`)
  const first = reader.peek()
  if (first.type === ')') {
    reader.next()
    return ['']
  }
  if (first.type !== 'identifier' && first.type !== ',') throw expected(first, "',', ')' or identifier")
  const values = parseValueList(reader)
  reader.next()
  return values
}

/** Reads up to the closing parenthesis. Between two commas, or a comma and a parenthesis, is an empty value. */
function parseValueList(reader: TokenReader): string[] {
  const values: string[] = []
  for (;;) {
    const token = reader.next()
    const following = reader.peek()
    if (token.type === 'identifier') {
      values.push(token.text)
      if (following.type === ')') return values
      if (following.type !== ',') throw expected(following, "',' or ')'")
    } else if (token.type === ',') {
      if (values.length === 0) values.push('')
      if (following.type === ')' || following.type === ',') values.push('')
      if (following.type === ')') return values
    } else {
      throw expected(token, "',', or identifier")
    }
  }
}

function parseExactValue(reader: TokenReader): string {
  const following = reader.peek().type
  if (following === 'end' || following === ',') return ''
  const token = reader.next()
  if (token.type !== 'identifier') throw expected(token, 'identifier')
  return token.text
}

function expected(found: Token, what: string): Error {
  return new Error(`found '${found.text}', expected: ${what}`)
}
