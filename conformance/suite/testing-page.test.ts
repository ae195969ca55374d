// Pages whose programs need no server, taken at their word: each runs and prints what stands below it.

import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { printedBy, programsOf } from './page-programs.js'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Files that the programs import begin with their name. */
const nameOf = (code: string): string | undefined => /^\/\/ ([\w-]+\.ts)\n/.exec(code)?.[1]

describe.each(['docs/testing.md', 'docs/informers.md'])('the programs of %s', (page) => {
  const programs = readFileSync(join(root, page), 'utf8')
    .split(/^## /m)
    .flatMap((section) => programsOf({ name: section.slice(0, section.indexOf('\n')), text: section }))
  let directory: string
  beforeAll(async () => {
    // Within the repository, so that what is imported is transformed and finds the library.
    await mkdir(join(root, '.cache'), { recursive: true })
    directory = await mkdtemp(join(root, '.cache/testing-page-'))
    for (const { code } of programs) {
      const name = nameOf(code)
      if (name !== undefined) await writeFile(join(directory, name), code)
    }
  })
  afterAll(() => rm(directory, { recursive: true, force: true }))
  afterEach(() => {
    vi.restoreAllMocks()
  })

  const run = programs.filter(({ code }) => nameOf(code) === undefined)

  it('are there, and say what they print', () => {
    expect(run.length).toBeGreaterThan(2)
    expect(run.filter(({ output }) => output === undefined)).toEqual([])
  })

  it.each(run.map((program, index) => ({ ...program, index })))('$page', async ({ code, output, index }) => {
    const file = join(directory, `program-${index}.ts`)
    await writeFile(file, code)
    expect(await printedBy(file)).toBe(output)
  })
})
