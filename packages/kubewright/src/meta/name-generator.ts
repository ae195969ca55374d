// Names with a random end, such as the server makes of `generateName`.

/** Makes names. */
export interface NameGenerator {
  /** A name that begins with `base`, and in all likelihood nobody has. */
  generateName(base: string): string
}

/** Options of {@link newSimpleNameGenerator}. */
export interface SimpleNameGeneratorOptions {
  /** Numbers from 0 up to, and not, 1. @defaultValue Math.random */
  random?: (() => number) | undefined
}

/** No vowels, so that no words come about. */
const characters = 'bcdfghjklmnpqrstvwxz2456789'
const maxNameLength = 63
const suffixLength = 5

/** A generator with random numbers of one's own, for tests. */
export function newSimpleNameGenerator({ random = Math.random }: SimpleNameGeneratorOptions = {}): NameGenerator {
  return {
    generateName(base) {
      let name = base.slice(0, maxNameLength - suffixLength)
      for (let i = 0; i < suffixLength; i++) name += characters[Math.floor(random() * characters.length)]
      return name
    },
  }
}

/**
 * Appends five random letters and digits; of a base longer than 58 characters the end is cut off, so that the name has
 * no more than 63.
 *
 * **Caveats**: names are no secrets, and may meet: of ten thousand with the same base, a few do.
 */
export const simpleNameGenerator: NameGenerator = newSimpleNameGenerator()

/** A text, such as a hash, in the letters and digits of generated names; each character of ASCII becomes one. */
export function safeEncodeString(text: string): string {
  const encoded = Array.from(text, (c) => characters[(c.codePointAt(0) as number) % characters.length])
  // Go counts bytes here, and leaves zeros where a character had several.
  return encoded.join('').padEnd(new TextEncoder().encode(text).length, '\0')
}
