// Writes docs/names.md: what each public name of client-go is here. Fails where a name has no answer, an answer names
// what is not exported, or what is said not to be here yet is. With --check, writes nothing and fails where the page is
// not what would be written.

import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from '../root.js'
import { readSpec } from '../spec/format.js'
import { goNamesFile, parseNames } from '../spec/go-names.js'
import { deadCode } from './code-column.js'
import { readEntries } from './entries.js'
import { LibraryExports } from './exports.js'
import { brokenRules } from './generated.js'
import { mapNames } from './mapping.js'
import { writePage } from './page.js'

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
const folder = join(root, 'docs/names')
const pageFile = join(root, 'docs/names.md')
const ours = new LibraryExports()
const beginning = readFileSync(join(folder, 'beginning.md'), 'utf8')
const sections = readEntries(folder)
const { packages, problems } = mapNames(parseNames(readFileSync(goNamesFile, 'utf8')), sections, ours)
const facts = readSpec(join(root, 'spec'))
problems.push(...brokenRules(facts, ours), ...deadCode(beginning, facts, ours))
const page = writePage(beginning, sections, packages, ours)

if (problems.length > 0) {
  for (const problem of problems) console.error(problem)
  console.error(`${problems.length} problems: correct docs/names/*.txt, or the library`)
  process.exitCode = 1
} else if (!values.check) {
  writeFileSync(pageFile, page)
} else if (!existsSync(pageFile) || readFileSync(pageFile, 'utf8') !== page) {
  console.error('docs/names.md is not what docs/names/ gives: run `npm run names`')
  process.exitCode = 1
}
const all = packages.flatMap((p) => p.names)
const count = (kind: string) => all.filter(({ entry }) => (entry?.kind ?? 'here') === kind).length
console.log(
  `${all.length} names of Go: ${count('here')} here, ${count('not-yet')} not yet, ${count('none')} of Go alone`,
)
