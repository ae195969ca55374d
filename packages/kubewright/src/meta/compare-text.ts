// The order of texts in Go.

/**
 * Negative, 0 or positive: the order of the bytes in UTF-8, which is Go's and so the API server's. It is the order of code
 * points, where the operators of JavaScript go by UTF-16 and have characters beyond U+FFFF before some others.
 */
export function compareText(a: string, b: string): number {
  if (a === b) return 0
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const left = a.charCodeAt(i)
    const right = b.charCodeAt(i)
    if (left === right) continue
    // Halves of characters beyond U+FFFF stand for what comes after all that one unit can say.
    const ofPair = left >= 0xd800 && left <= 0xdfff
    if (ofPair !== (right >= 0xd800 && right <= 0xdfff)) return ofPair ? 1 : -1
    return left - right
  }
  return a.length - b.length
}
