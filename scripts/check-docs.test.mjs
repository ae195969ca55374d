import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { anchorsOf, deadLinks } from './check-docs.mjs'

let directory
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'kubewright-docs-'))
})
afterEach(() => rmSync(directory, { recursive: true }))

const pages = (files) => {
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text)
}

it('names anchors as repositories show them', () => {
  const page = '# The `Clock`, again\n```\n# no heading\n```\n## Two  words\n## A [link](b.md)\n## a link'
  expect([...anchorsOf(page)]).toEqual(['the-clock-again', 'two--words', 'a-link', 'a-link-1'])
})

describe('deadLinks', () => {
  it('accepts files, headings and other sites, and looks at no code', () => {
    pages({
      'b.md': '# Some heading',
      'a.md':
        '# Top\n[b](b.md) [h](b.md#some-heading) [t](#top) [s](https://example.com/x.md) `[c](c.md)`\n```\n[d](d.md)\n```',
    })
    expect(deadLinks('a.md', directory)).toEqual([])
  })

  it('reports a missing file and a missing heading by line', () => {
    pages({ 'b.md': '# Some heading', 'a.md': '\n[c](c.md)\n\n[h](b.md#other)\n[ref]: gone.md' })
    expect(deadLinks('a.md', directory)).toEqual([
      'a.md:2: c.md: there is no c.md',
      'a.md:4: b.md#other: b.md has no heading for #other',
      'a.md:5: gone.md: there is no gone.md',
    ])
  })
})
