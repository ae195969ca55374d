// Text of a kubeconfig that ends up on a terminal.

/** The text with everything that could drive a terminal replaced by its code point, such as `U+001B`. */
export function cleanANSIEscapeCodes(text: string): string {
  return text.replace(/[^\p{L}\p{M}\p{N}\p{P}\p{S}\p{Z}\t-\r]/gu, (character) => {
    const code = (character.codePointAt(0) as number).toString(16).toUpperCase()
    return `U+${code.padStart(4, '0')}`
  })
}
