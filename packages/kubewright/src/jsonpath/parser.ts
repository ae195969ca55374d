// Reads a template. It is read from the front to the back, as client-go does, so that it means the same and the errors
// are the same.

import { goUnquote } from '../meta/index.js'
import type { ArrayNode, FilterNode, Node } from './nodes.js'

/** How deep filters and unions may stand in each other. No template that does something comes near it. */
const maxNesting = 100

/** @throws Error in client-go's words when the text is no template */
export function parseTemplate(template: string): readonly Node[] {
  return new Parser(template, 0).parse()
}

const filterPattern = /^([^!<>=]+)([!<>=]+)([^]+)$/
const keyPattern = /^'([^']*)'$/
const slicePattern = /^(-?\d*)(:-?\d*)?(:-?\d*)?$/
const isLetterOrDigit = /^[\p{L}\p{Nd}_]$/u
const isDigit = /^\p{Nd}$/u
const isVisible = /^[\p{L}\p{M}\p{N}\p{P}\p{S} ]$/u
const terminators = ' \t\r\n.,[]$@{}'

class Parser {
  readonly #input: string
  readonly #nesting: number
  #pos = 0
  /** Where the text begins that has not been made use of. */
  #start = 0

  constructor(input: string, nesting: number) {
    if (nesting > maxNesting) throw new Error(`filters and unions nested deeper than ${maxNesting} levels`)
    this.#input = input
    this.#nesting = nesting
  }

  parse(): Node[] {
    const root: Node[] = []
    while (this.#readText(root)) {
      const nodes: Node[] = []
      this.#readAction(nodes)
      root.push({ type: 'list', nodes })
    }
    return root
  }

  /** What stands between braces, written without them. */
  #parseInner(text: string): readonly Node[] {
    const [first] = new Parser(`{${text}}`, this.#nesting + 1).parse()
    return first?.type === 'list' ? first.nodes : []
  }

  /** Up to the next brace; whether there is one. */
  #readText(root: Node[]): boolean {
    const brace = this.#input.indexOf('{', this.#pos)
    this.#pos = brace < 0 ? this.#input.length : brace
    const text = this.#consume()
    if (text !== '') root.push({ type: 'text', text })
    if (brace < 0) return false
    this.#skip(1)
    return true
  }

  #readAction(nodes: Node[]): void {
    while (!this.#startsWith('}')) {
      if (this.#startsWith('[?(')) nodes.push(this.#readFilter())
      else if (this.#startsWith('..')) this.#readRecursive(nodes)
      else this.#readStep(nodes)
    }
    this.#skip(1)
  }

  #readStep(nodes: Node[]): void {
    const c = this.#peek()
    if (c === '' || c === '\r' || c === '\n') throw new Error('unclosed action')
    // Root and current object are the same here: `$` in a range or a filter is its item.
    if (c === ' ' || c === '@' || c === '$') this.#skip(1)
    else if (c === '[') this.#readArray(nodes)
    else if (c === '"' || c === "'") nodes.push(this.#readQuoted(c))
    else if (c === '.') {
      this.#skip(1)
      nodes.push(this.#readField())
    } else if (c === '+' || c === '-' || isDigit.test(c)) nodes.push(this.#readNumber())
    else if (isLetterOrDigit.test(c)) nodes.push(this.#readIdentifier())
    else throw new Error(`unrecognized character in action: ${describeCharacter(c)}`)
  }

  #readIdentifier(): Node {
    while (!isTerminator(this.#peek())) this.#next()
    const name = this.#consume()
    return name === 'true' || name === 'false'
      ? { type: 'literal', value: name === 'true' }
      : { type: 'identifier', name }
  }

  #readRecursive(nodes: Node[]): void {
    if (nodes.at(-1)?.type === 'recursive') throw new Error('invalid multiple recursive descent')
    this.#skip(2)
    nodes.push({ type: 'recursive' })
    if (isLetterOrDigit.test(this.#peek())) nodes.push(this.#readField())
  }

  #readField(): Node {
    while (!isTerminator(this.#peek())) {
      if (this.#next() === '\\') this.#next()
    }
    const name = this.#consume()
    return name === '*' ? { type: 'wildcard' } : { type: 'field', name: name.replaceAll('\\', '') }
  }

  #readNumber(): Node {
    if (this.#peek() === '+' || this.#peek() === '-') this.#next()
    while (this.#peek() === '.' || isDigit.test(this.#peek())) this.#next()
    const text = this.#consume()
    const whole = readInt64(text)
    if (whole !== undefined) {
      return { type: 'literal', value: Number.isSafeInteger(Number(whole)) ? Number(whole) : whole }
    }
    const value = /^[+-]?(?:\d+(?:\.\d*)?|\.\d+)$/.test(text) ? Number(text) : Number.NaN
    if (!Number.isFinite(value)) throw new Error(`cannot parse number ${text}`)
    return { type: 'literal', value }
  }

  #readQuoted(quote: string): Node {
    this.#next()
    for (;;) {
      const c = this.#next()
      if (c === '' || c === '\n') throw new Error('unterminated quoted string')
      if (c === quote && !this.#isEscaped()) break
    }
    const quoted = this.#consume()
    try {
      return { type: 'text', text: goUnquote(quoted) }
    } catch (err) {
      throw new Error(`unquote string ${quoted} error ${(err as Error).message}`, { cause: err })
    }
  }

  #readArray(nodes: Node[]): void {
    for (let c = this.#next(); c !== ']'; c = this.#next()) {
      if (c === '' || c === '\n') throw new Error('unterminated array')
    }
    const text = this.#consume().slice(1, -1)
    const parts = text.split(',')
    if (parts.length > 1) {
      nodes.push({ type: 'union', branches: parts.map((part) => this.#parseInner(`[${trimSpaces(part)}]`)) })
      return
    }
    const key = keyPattern.exec(text)?.[1]
    if (key === undefined) nodes.push(readSlice(text === '*' ? ':' : text))
    else for (const node of this.#parseInner(`.${key}`)) nodes.push(node)
  }

  #readFilter(): FilterNode {
    this.#skip('[?('.length)
    const text = this.#readCondition()
    const [, left, operator, right] = filterPattern.exec(text) ?? []
    if (left === undefined || operator === undefined || right === undefined) {
      return { type: 'filter', left: this.#parseInner(text), operator: 'exists', right: [] }
    }
    return { type: 'filter', left: this.#parseInner(left), operator, right: this.#parseInner(right) }
  }

  /** Up to `)]`. A parenthesis within quotes is text; there is at most one quoted text. */
  #readCondition(): string {
    let quote = ''
    let isClosed = false
    for (;;) {
      const c = this.#next()
      if (c === '' || c === '\n') throw new Error('unterminated filter')
      if (c === ')' && (quote === '' || isClosed)) break
      if (c !== '"' && c !== "'") continue
      if (quote === '') quote = c
      else if (c === quote && !this.#isEscaped()) isClosed = true
    }
    if (this.#next() !== ']') throw new Error('unclosed array expect ]')
    return this.#consume().slice(0, -2)
  }

  #startsWith(text: string): boolean {
    return this.#input.startsWith(text, this.#pos)
  }

  /** The next character, or nothing at the end. */
  #peek(): string {
    const code = this.#input.codePointAt(this.#pos)
    return code === undefined ? '' : String.fromCodePoint(code)
  }

  #next(): string {
    const c = this.#peek()
    this.#pos += c.length
    return c
  }

  /** Whether a backslash stands before the character just read. */
  #isEscaped(): boolean {
    return this.#input[this.#pos - 2] === '\\'
  }

  #skip(length: number): void {
    this.#pos += length
    this.#start = this.#pos
  }

  #consume(): string {
    const text = this.#input.slice(this.#start, this.#pos)
    this.#start = this.#pos
    return text
  }
}

/** @throws Error when it is neither an index nor a slice */
function readSlice(text: string): ArrayNode {
  const [all, start = '', end, step] = slicePattern.exec(text) ?? []
  if (all === undefined) throw new Error(`invalid array index ${text}`)
  const from = readIndex(start)
  const isIndex = end === undefined
  return {
    type: 'array',
    start: from,
    end: isIndex ? (from ?? 0n) + 1n : readIndex(end.slice(1)),
    isIndex,
    step: readIndex(step?.slice(1) ?? ''),
  }
}

function readIndex(text: string): bigint | undefined {
  if (text === '') return undefined
  const index = readInt64(text)
  if (index === undefined) throw new Error(`array index ${text} is not a number`)
  return index
}

/** What Go's `int` can hold. */
function readInt64(text: string): bigint | undefined {
  const [, sign, digits = ''] = /^([+-]?)0*(\d{1,19})$/.exec(text) ?? []
  if (sign === undefined) return undefined
  const value = sign === '-' ? -BigInt(digits) : BigInt(digits)
  return BigInt.asIntN(64, value) === value ? value : undefined
}

function isTerminator(c: string): boolean {
  return c === '' || terminators.includes(c)
}

function trimSpaces(text: string): string {
  let [start, end] = [0, text.length]
  while (text[start] === ' ') start++
  while (end > start && text[end - 1] === ' ') end--
  return text.slice(start, end)
}

/** As Go's `%#U`: `U+002A '*'`. */
function describeCharacter(c: string): string {
  const code = (c.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
  return isVisible.test(c) ? `U+${code} '${c}'` : `U+${code}`
}
