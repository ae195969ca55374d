// The programs in Markdown pages, and what they print: each block of `ts`, with the block of `text` that follows it.

import { format } from 'node:util'
import { vi } from 'vitest'

/** A page of documentation. */
export interface Page {
  readonly name: string
  readonly text: string
}

/** A program of a page. */
export interface PageProgram {
  readonly page: string
  readonly code: string
  /** What the page says that it prints. */
  readonly output: string | undefined
}

/** The blocks of a page in some languages, in their order. */
export const blocks = (text: string, ...languages: string[]): { language: string; code: string }[] =>
  [...text.matchAll(/^```(\w+)\n(.*?)^```$/gms)]
    .map(([, language = '', code = '']) => ({ language, code }))
    .filter(({ language }) => languages.includes(language))

/** The programs of a page. */
export function programsOf({ name, text }: Page): PageProgram[] {
  const found = blocks(text, 'ts', 'text')
  return found.flatMap(({ language, code }, index) => {
    const next = found[index + 1]
    return language === 'ts' ? [{ page: name, code, output: next?.language === 'text' ? next.code : undefined }] : []
  })
}

/** Runs a program, by importing it, and gives what it prints. The caller restores the mocks. */
export async function printedBy(file: string): Promise<string> {
  let printed = ''
  vi.spyOn(console, 'log').mockImplementation((...args: unknown[]) => {
    printed += `${format(...args)}\n`
  })
  await import(/* @vite-ignore */ file)
  return printed
}
