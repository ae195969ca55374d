// bench/RESULTS.md: what was measured last, on which machine, a section for each benchmark that writes one.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { cpus, totalmem } from 'node:os'

const file = new URL('../RESULTS.md', import.meta.url)

const head = `# Results

Written by the benchmarks that compare with others; \`npm run bench -- informer\` writes its section anew. Machines are noisy:
ratios of medians of interleaved runs mean something, single figures little.
`

/** Puts a section into the file, in the place of the one of that title. */
export function writeSection(title, lines) {
  const machine = `${cpus().length} × ${cpus()[0]?.model.trim() ?? process.arch}, ${Math.round(totalmem() / 2 ** 30)} GiB, ${process.platform}, node ${process.version}.`
  const section = [`## ${title}`, '', machine, '', ...lines].join('\n').trimEnd()
  const [, ...known] = existsSync(file) ? readFileSync(file, 'utf8').split(/^(?=## )/m) : ['']
  const others = known.map((text) => text.trimEnd()).filter((text) => !text.startsWith(`## ${title}\n`))
  writeFileSync(file, `${[head.trimEnd(), ...[...others, section].sort((a, b) => (a < b ? -1 : 1))].join('\n\n')}\n`)
}

/** Rows of a Markdown table, the first one its head. */
export function table([first, ...rows]) {
  const line = (cells) => `| ${cells.join(' | ')} |`
  return [line(first), line(first.map(() => '---')), ...rows.map(line)]
}
