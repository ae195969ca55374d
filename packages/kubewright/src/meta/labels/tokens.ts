// The words and signs of label selectors.

export type TokenType = 'identifier' | 'in' | 'notin' | Sign | 'end'
type Sign = '=' | '==' | '!=' | '!' | '<' | '>' | ',' | '(' | ')'

export interface Token {
  readonly type: TokenType
  readonly text: string
}

const signs: ReadonlySet<string> = new Set<Sign>(['=', '==', '!=', '!', '<', '>', ',', '(', ')'])
const signCharacters = '=!(),><'
const blanks = ' \t\r\n'

/** Splits a selector; the last token is `end`. */
export function tokenize(text: string): Token[] {
  const tokens: Token[] = []
  let at = 0
  const isWordCharacter = (c: string | undefined): boolean =>
    c !== undefined && !signCharacters.includes(c) && !blanks.includes(c)
  while (at < text.length) {
    const c = text[at] as string
    const start = at
    if (blanks.includes(c)) {
      at++
    } else if (signCharacters.includes(c)) {
      at++
      // The longest sign wins: `==` is one sign, `,(` are two.
      while (at < text.length && signs.has(text.slice(start, at + 1))) at++
      tokens.push({ type: text.slice(start, at) as Sign, text: text.slice(start, at) })
    } else {
      while (isWordCharacter(text[at])) at++
      const word = text.slice(start, at)
      tokens.push({ type: word === 'in' || word === 'notin' ? word : 'identifier', text: word })
    }
  }
  tokens.push({ type: 'end', text: '' })
  return tokens
}
