// Names that may have been meant, and lists of names, for messages.

import { goQuote } from '../meta/index.js'

const mostNames = 20

/** Longer names are not compared letter by letter, which takes time by the square of the length. */
const longestCompared = 500

/** `a, b, c`; of very many only the first. */
export function listNames(names: Iterable<string>): string {
  const all = [...names]
  if (all.length === 0) return 'none'
  const shown = all.slice(0, mostNames).map((name) => goQuote(name))
  return shown.join(', ') + (all.length > mostNames ? ` and ${all.length - mostNames} more` : '')
}

/** How many characters to change, add or take away to make one word of the other. */
function distance(a: string, b: string): number {
  if (Math.max(a.length, b.length) > longestCompared) return Infinity
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = (row[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(change, (row[j] as number) + 1, (next[j - 1] as number) + 1))
    }
    row = next
  }
  return row[b.length] as number
}

/** The name most like `wanted`: one that contains it or differs in few characters; undefined when none does. */
export function suggest(wanted: string, names: Iterable<string>): string | undefined {
  const word = wanted.toLowerCase()
  const scored = [...names].map((name) => {
    const other = name.toLowerCase()
    const contained = word !== '' && other.includes(word)
    return { name, score: contained ? 0.5 : distance(word, other) }
  })
  const best = scored.sort((a, b) => a.score - b.score)[0]
  return best && best.score <= Math.max(1, Math.floor(word.length / 3)) ? best.name : undefined
}
