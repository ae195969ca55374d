// Holds the rooms of packages/kubewright/src to their order: imports go downwards only, from room to room through
// index.ts, and never in a circle. Prints file:line and the rule for each import that breaks one.
import { readFileSync } from 'node:fs'
import { dirname, join, normalize } from 'node:path/posix'
import { pathToFileURL } from 'node:url'
import { repositoryFiles, root } from './lib/repository.mjs'

/** From the lowest layer to the highest. A file belongs to the first whose pattern its path (below src/) matches. */
export const layers = [
  ['clock', /^clock\//],
  ['meta/kind', /^meta\/(kind|object)\.ts$/],
  ['gen/api', /^gen\/(?!clientset|clients|informers|listers|schema)/],
  ['meta', /^meta\//],
  ['gen/schema', /^gen\/schema\//],
  ['signals', /^signals(\/|\.ts$)/],
  ['flowcontrol', /^flowcontrol\//],
  ['wait', /^wait\//],
  ['retry', /^retry\//],
  ['workqueue', /^workqueue\//],
  ['jsonpath', /^jsonpath\//],
  ['patch', /^patch\//],
  ['managedfields', /^managedfields\//],
  ['rest', /^rest\//],
  ['clientcmd', /^clientcmd\//],
  ['discovery', /^discovery\//],
  ['restmapper', /^restmapper\//],
  ['kubernetes/verbs', /^kubernetes\/(verbs|expansions)(\/|\.ts$)/],
  ['gen/clientset', /^gen\/(clientset|clients)/],
  ['kubernetes', /^kubernetes\//],
  ['dynamic', /^dynamic\//],
  ['metadata', /^metadata\//],
  ['scale', /^scale\//],
  ['pager', /^pager\//],
  ['cache', /^cache\//],
  ['watch', /^watch\//],
  ['listers', /^(gen\/)?listers/],
  ['informers/types', /^informers\/types\.ts$/],
  ['gen/informers', /^gen\/informers/],
  ['informers', /^informers\//],
  ['testing', /^testing\//],
  ['the root index', /^index\.ts$/],
]

const layerOf = (file) => layers.findIndex(([, pattern]) => pattern.test(file))
const roomOf = (file) => (file.includes('/') ? file.slice(0, file.indexOf('/')) : file)
const isTest = (file) => /\.test(-\w+)?\.ts$/.test(file)

/**
 * The imports and re-exports of a source: `{ specifier, line }`. The sources are formatted, so a static import starts
 * in the first column, and a line of a comment with a star or two slashes.
 */
export function importsOf(text) {
  const code = text.replace(/^[ \t]*(\*|\/\/|\/\*).*$/gm, '')
  const patterns = [
    /^(?:import|export)\s+(?:[\w$*\s,]*(?:\{[^}]*\})?\s*from\s+)?['"]([^'"]+)['"]/gm,
    /\bimport\(\s*['"]([^'"]+)['"]/g,
  ]
  return patterns.flatMap((pattern) =>
    [...code.matchAll(pattern)].map((match) => ({
      specifier: match[1],
      line: code.slice(0, match.index + match[0].length).split('\n').length,
    })),
  )
}

/** Checks sources, given as a map from path below src/ to text. Returns one line of text for each broken rule. */
export function brokenRules(sources) {
  const problems = []
  const edges = new Map()
  for (const [file, text] of sources) {
    edges.set(file, [])
    if (!isTest(file) && layerOf(file) < 0) {
      problems.push(`${file}:1: this room has no place in the order; give it one in scripts/check-layers.mjs`)
      continue
    }
    for (const { specifier, line } of importsOf(text)) {
      const at = `${file}:${line}: imports '${specifier}'`
      if (!specifier.startsWith('.')) {
        if (/^kubewright(\/|$)/.test(specifier))
          problems.push(`${at}: the library imports its own files by relative path`)
        continue
      }
      const target = normalize(join(dirname(file), specifier)).replace(/\.js$/, '.ts')
      if (target.startsWith('../')) {
        problems.push(`${at}: a package imports nothing of the repository outside its own src/`)
        continue
      }
      // Tests are nobody's dependency, so they may look anywhere inside the package.
      if (isTest(file)) continue
      edges.get(file).push({ target, line })
      const from = layerOf(file)
      const to = layerOf(target)
      if (to > from) {
        problems.push(`${at}: ${layers[from][0]} is below ${layers[to][0]}, and imports go downwards only`)
      } else if (
        roomOf(file) !== roomOf(target) &&
        ![file, target].some((path) => path.startsWith('gen/')) &&
        target.includes('/') &&
        !target.endsWith('/index.ts')
      ) {
        problems.push(`${at}: rooms import each other only through their index.ts`)
      }
    }
  }
  return [...problems, ...cycles(edges)]
}

/** One line for each circle that a walk along the imports closes; types count too, a reader has to follow them. */
function cycles(edges) {
  const found = []
  const done = new Set()
  const path = []
  const visit = (file) => {
    path.push(file)
    for (const { target, line } of edges.get(file) ?? []) {
      const start = path.indexOf(target)
      if (start >= 0) {
        found.push(`${file}:${line}: closes a circle of imports: ${[...path.slice(start), target].join(' -> ')}`)
      } else if (!done.has(target)) visit(target)
    }
    path.pop()
    done.add(file)
  }
  for (const file of edges.keys()) if (!done.has(file)) visit(file)
  return found
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const src = 'packages/kubewright/src/'
  const files = (await repositoryFiles(src)).filter((file) => file.endsWith('.ts'))
  const sources = new Map(files.map((file) => [file.slice(src.length), readFileSync(`${root}/${file}`, 'utf8')]))
  const problems = brokenRules(sources)
  for (const problem of problems) console.log(src + problem)
  console.log(`${files.length} files, ${problems.length} imports against the rules`)
  process.exitCode = problems.length > 0 || files.length === 0 ? 1 : 0
}
