// conformance/ported-tests says of each of client-go's tests which of ours ask the same. Here: that those are there, and
// that none of client-go's is left out of the packages it goes through.
//
// A page has a section for each Go file, `## client-go tools/cache/fifo_test.go`, with a line `Ours: \`cache/fifo.test.ts\``
// for the file whose titles are named without one, and an entry for each test function:
//
//   - TestA: "a title", "another"; `cache/heap.test.ts` "a title of that file". A remark, without quotes.
//   - TestB: no. Why it is not asked of ours.
//   - TestC:
//     - a row of its table: "a title"
//
// Titles are texts of JSON, as they stand in the test's source, placeholders included.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { pathToFileURL } from 'node:url'
import { root } from './lib/repository.mjs'

const pages = 'conformance/ported-tests'
const title = /"(?:[^"\\]|\\.)*"/
const reference = new RegExp(`\`([^\`]+\\.test\\.ts)\`|(${title.source})`, 'g')

/**
 * The sections of a page: Go's module and file, its functions, the titles that are named, and what is wrong with the page
 * itself, `line: problem` each.
 */
export function readPage(text) {
  const sections = []
  const problems = []
  let ours
  let section
  let open
  const close = () => {
    if (open && !open.answered) problems.push(`${open.line}: ${open.name} has neither a title nor a reason`)
    open = undefined
  }
  for (const [index, content] of text.split('\n').entries()) {
    const line = index + 1
    const heading = /^## (\S+) (\S+_test\.go)$/.exec(content)
    const entry = /^( *)- (.+?):(?: (.*))?$/.exec(content)
    if (heading) {
      close()
      ours = undefined
      section = { line, module: heading[1], file: heading[2], functions: new Set(), titles: [] }
      sections.push(section)
    } else if (content.startsWith('Ours: ')) {
      ours = /`([^`]+)`/.exec(content)?.[1]
    } else if (entry && section) {
      const [, indent, name, answer = ''] = entry
      if (indent === '') {
        close()
        if (!/^(Test|Example)\w*$/.test(name)) problems.push(`${line}: ${name} is no test function`)
        if (section.functions.has(name)) problems.push(`${line}: ${name} is there twice`)
        section.functions.add(name)
        open = { line, name, answered: false }
      }
      const titles = titlesOf(answer, ours)
      section.titles.push(...titles.map((each) => ({ line, ...each })))
      const answered = titles.length > 0 || /^no\. \S/.test(answer)
      if (indent !== '' && !answered) problems.push(`${line}: ${name} has neither a title nor a reason`)
      if (open) open.answered ||= answered
    } else if (/^ *- /.test(content)) {
      problems.push(`${line}: no entry: ${content.trim()}`)
    }
  }
  close()
  return { sections, problems }
}

function titlesOf(answer, ours) {
  const found = []
  if (answer.startsWith('no. ')) return found
  let file = ours
  for (const [, path, text] of answer.matchAll(reference)) {
    if (path) file = path
    else found.push({ file, title: JSON.parse(text) })
  }
  return found
}

/** Whether a test's source has a title, or a table a row of that name. */
export function hasTitle(source, wanted) {
  const literals = ["'", '"', '`'].map((quote) => {
    const escaped = wanted.replaceAll('\\', '\\\\').replaceAll(quote, `\\${quote}`)
    return quote + escaped + quote
  })
  return literals.some((literal) => {
    for (let at = source.indexOf(literal); at !== -1; at = source.indexOf(literal, at + 1)) {
      if (/(?:[([,]|\b(?:what|name):)\s*$/.test(source.slice(Math.max(0, at - 80), at))) return true
    }
    return false
  })
}

/** The test functions of a Go file. */
export function functionsOf(source) {
  return [...source.matchAll(/^func ((?:Test|Example)\w*)\(/gm)].map(([, name]) => name)
}

/** The folder of a module in Go's module cache, of the version that the oracle is built with. */
function moduleFolder(name) {
  const goMod = readFileSync(`${root}/conformance/oracle/go.mod`, 'utf8')
  const version = new RegExp(`k8s\\.io/${name} (v\\S+)`).exec(goMod)?.[1]
  const cache = process.env.GOMODCACHE || `${process.env.GOPATH || `${homedir()}/go`}/pkg/mod`
  return `${cache}/k8s.io/${name}@${version}`
}

/** What is wrong with named titles, `line: problem` each. */
function missingTitles(sections) {
  const sources = new Map()
  const read = (file) => {
    const path = [`packages/kubewright/src/${file}`, file].find((each) => existsSync(`${root}/${each}`))
    return path && readFileSync(`${root}/${path}`, 'utf8')
  }
  return sections.flatMap(({ titles }) =>
    titles.flatMap(({ line, file, title: wanted }) => {
      if (file === undefined) return [`${line}: ${JSON.stringify(wanted)} is of no file`]
      if (!sources.has(file)) sources.set(file, read(file))
      const source = sources.get(file)
      if (source === undefined) return [`${line}: there is no ${file}`]
      return hasTitle(source, wanted) ? [] : [`${line}: ${file} has no test ${JSON.stringify(wanted)}`]
    }),
  )
}

/** What Go has and no page, of the packages that the pages have, and the other way round. */
function compareWithGo(sections) {
  const packages = new Map()
  for (const section of sections) {
    const [, folder, file] = /^(.*)\/([^/]+)$/.exec(section.file)
    const key = `${section.module} ${folder}`
    if (!packages.has(key)) packages.set(key, new Map())
    packages.get(key).set(file, section.functions)
  }
  const problems = []
  let count = 0
  for (const [key, files] of packages) {
    const [name, folder] = key.split(' ')
    const path = `${moduleFolder(name)}/${folder}`
    if (!existsSync(path)) {
      problems.push(`there is no ${name} ${folder}`)
      continue
    }
    for (const file of readdirSync(path).filter((each) => each.endsWith('_test.go'))) {
      const functions = functionsOf(readFileSync(`${path}/${file}`, 'utf8'))
      count += functions.length
      const known = files.get(file) ?? new Set()
      for (const each of functions) if (!known.has(each)) problems.push(`${key}/${file}: ${each} has no entry`)
      for (const each of known) if (!functions.includes(each)) problems.push(`${key}/${file}: Go has no ${each}`)
      files.delete(file)
    }
    for (const file of files.keys()) problems.push(`Go has no ${key}/${file}`)
  }
  return { problems, count }
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const problems = []
  const all = []
  for (const file of readdirSync(`${root}/${pages}`).filter((each) => each.endsWith('.md'))) {
    const page = readPage(readFileSync(`${root}/${pages}/${file}`, 'utf8'))
    const wrong = [...page.problems, ...missingTitles(page.sections)]
    problems.push(...wrong.map((problem) => `${pages}/${file}:${problem}`))
    all.push(...page.sections)
  }
  const absent = [...new Set(all.map(({ module }) => module))].filter((name) => !existsSync(moduleFolder(name)))
  if (absent.length === 0) {
    const go = compareWithGo(all)
    problems.push(...go.problems)
    console.log(`${go.count} of Go's test functions, ${all.flatMap(({ titles }) => titles).length} titles of ours`)
  } else {
    const missing = `Go's module cache has no ${absent.join(', ')}: run \`go mod download\` in conformance/oracle`
    if (process.env.CI && !['0', 'false'].includes(process.env.CI)) problems.push(missing)
    else console.log(`${missing}. Go's test functions were not compared.`)
  }
  for (const problem of problems) console.log(problem)
  process.exitCode = problems.length > 0 || all.length === 0 ? 1 : 0
}
