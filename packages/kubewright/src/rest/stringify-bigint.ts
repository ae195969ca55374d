// JSON.stringify for values with bigint in them, which it refuses.

/** What JSON.stringify gives, with each bigint written as its digits. */
export function stringifyWithBigInts(value: unknown): string {
  for (let mark = 'bigint '; ; mark += ' ') {
    const { text, marked } = markedText(value, mark)
    let found = 0
    const unmarked = text.replace(new RegExp(`"${mark}(-?[0-9]+)"`, 'g'), (_, digits: string) => {
      found++
      return digits
    })
    // More than there should be: a text of the value's own looks like a mark.
    if (found === marked) return unmarked
  }
}

/** With marked strings in the place of bigints. */
function markedText(value: unknown, mark: string): { text: string; marked: number } {
  let marked = 0
  const text = JSON.stringify(value, function (this: Record<string, unknown>, key, part: unknown) {
    // A program may have given bigints a toJSON, which has run before this.
    const original = this[key]
    if (typeof original !== 'bigint') return part
    marked++
    return `${mark}${original}`
  })
  return { text, marked }
}
