// Links in the documentation lead somewhere: each relative link names a file that is there, each #anchor a heading.
import { existsSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { repositoryFiles, root } from './lib/repository.mjs'

const withoutCode = (markdown) =>
  markdown.replace(/^(```|~~~).*?^\1/gms, (block) => block.replace(/[^\n]/g, '')).replace(/`[^`\n]*`/g, '')

/** The anchors that a page's headings get where repositories are shown: lower case, dashes, numbered when repeated. */
export function anchorsOf(markdown) {
  const seen = new Map()
  const headings = markdown.replace(/^(```|~~~).*?^\1/gms, '').matchAll(/^#{1,6}\s+(.+?)\s*#*$/gm)
  return new Set(
    [...headings].map(([, heading]) => {
      const text = heading
        .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
        .replace(/[`*]/g, '')
        .toLowerCase()
      const slug = text.replace(/[^\p{L}\p{N}\s_-]/gu, '').replace(/\s/g, '-')
      const count = seen.get(slug) ?? 0
      seen.set(slug, count + 1)
      return count === 0 ? slug : `${slug}-${count}`
    }),
  )
}

/** Links of a page with their lines; links to other sites are left out. */
export function linksOf(markdown) {
  const text = withoutCode(markdown)
  const inline = text.matchAll(/\]\(\s*<?([^)\s>]+)>?(?:\s+"[^"]*")?\s*\)/g)
  const references = text.matchAll(/^\[[^\]]+\]:\s*(\S+)/gm)
  return [...inline, ...references]
    .map((match) => ({ target: match[1], line: text.slice(0, match.index).split('\n').length }))
    .filter(({ target }) => !/^[a-z][a-z+.-]*:/i.test(target))
}

/** The links of a page that lead nowhere, one line of text each. `file` is a path from `directory`. */
export function deadLinks(file, directory) {
  const page = readFileSync(join(directory, file), 'utf8')
  return linksOf(page).flatMap(({ target, line }) => {
    const [path, anchor] = target.split('#')
    const found = path === '' ? file : path.startsWith('/') ? path.slice(1) : join(dirname(file), decodeURI(path))
    const full = join(directory, found)
    if (!existsSync(full)) return [`${file}:${line}: ${target}: there is no ${found}`]
    if (!anchor || statSync(full).isDirectory() || !found.endsWith('.md')) return []
    if (anchorsOf(readFileSync(full, 'utf8')).has(anchor)) return []
    return [`${file}:${line}: ${target}: ${found} has no heading for #${anchor}`]
  })
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const pages = await repositoryFiles('*.md')
  const problems = pages.flatMap((page) => deadLinks(page, root))
  for (const problem of problems) console.log(problem)
  console.log(`${pages.length} pages, ${problems.length} dead links`)
  process.exitCode = problems.length > 0 || pages.length === 0 ? 1 : 0
}
