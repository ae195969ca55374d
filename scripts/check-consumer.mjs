// The packed library as a stranger meets it: installed from its tarball into a folder outside the repository, then
// loaded both ways, looked at for what it loads, and type-checked with nobody else's types around. Needs a build.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pack, withTemporaryFolder } from './lib/pack.mjs'
import { bin, publishedPackages, repositoryFiles, root } from './lib/repository.mjs'
import { mustRun, run } from './lib/run.mjs'

/** What importing the root must not load: it is loaded by the call that needs it. */
const lazy = [/^node:http2$/, /\/node_modules\/ws\//, /\/node_modules\/js-yaml\//]

/** All names that a package can be imported by: its `exports`, with patterns filled in from the packed files. */
function subpaths(manifest, files) {
  return Object.entries(manifest.exports).flatMap(([key, target]) => {
    if (key.endsWith('.json')) return []
    const name = manifest.name + key.slice(1)
    const [head, tail] = target.default.slice(2).split('*')
    if (tail === undefined) return [name]
    return files
      .filter((file) => file.startsWith(head) && file.endsWith(tail))
      .map((file) => name.replace('*', file.slice(head.length, -tail.length)))
  })
}

/** The `ts` blocks of a page. */
const programs = (page) => [...page.matchAll(/^```ts\n(.*?)^```/gms)].map(([, code]) => code)

/** URLs of the modules that `import(name)` loads in a fresh process. */
async function loadedBy(name, folder) {
  const hook = new URL('./lib/print-loaded.mjs', import.meta.url).href
  const args = ['--import', hook, '--input-type=module', '--eval', `await import('${name}')`]
  return (await mustRun(process.execPath, args, { cwd: folder })).split('\n').filter(Boolean)
}

async function check({ directory, manifest }, folder) {
  const { tarball, files } = await pack(directory, folder)
  const names = subpaths(manifest, files)
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  await mustRun('npm', ['install', '--prefer-offline', '--ignore-scripts', '--no-audit', '--no-fund', tarball], {
    cwd: folder,
  })
  const problems = []

  // require() of a module that awaits at its top level, or imports one that does, fails: so this holds against that too.
  const importAll = `for (const name of ${JSON.stringify(names)}) await import(name)`
  const requireAll = `for (const name of ${JSON.stringify(names)}) require(name)`
  for (const [how, args] of [
    ['import', ['--input-type=module', '--eval', importAll]],
    ['require', ['--input-type=commonjs', '--eval', requireAll]],
  ]) {
    const { code, output } = await run(process.execPath, args, { cwd: folder })
    if (code !== 0 || output !== '') problems.push(`${how} of its entry points on Node ${process.version}:\n${output}`)
  }

  if (problems.length > 0) return problems

  const loaded = await loadedBy(manifest.name, folder)
  const own = loaded.filter((url) => url.includes(`/node_modules/${manifest.name}/`))
  if (own.length === 0) problems.push(`import '${manifest.name}' was not seen to load anything; this check is broken`)
  for (const url of loaded.filter((url) => lazy.some((pattern) => pattern.test(url)))) {
    problems.push(`import '${manifest.name}' loads ${url}; load it where it is used`)
  }
  for (const name of names.filter((name) => /\/api\/(apps|meta)\/v1$/.test(name))) {
    const modules = (await loadedBy(name, folder)).filter((url) => url.includes('/gen/'))
    if (modules.length !== 1)
      problems.push(`import '${name}' loads ${modules.join(', ') || 'nothing'}; only itself is expected`)
  }

  // No @types/node, no @types/ws, the libraries' declarations checked too.
  writeFileSync(join(folder, 'all.ts'), names.map((name, i) => `export * as m${i} from '${name}'\n`).join(''))
  const documents = await repositoryFiles('docs/faq.md', 'docs/informers.md', 'docs/authentication/*.md')
  const pages = new Set(['README.md', `${directory}/README.md`, ...documents])
  const samples = [...pages].flatMap((page) =>
    programs(readFileSync(join(root, page), 'utf8')).map((code, i) => [`${page.replaceAll('/', '-')}-${i}.ts`, code]),
  )
  for (const [file, code] of samples) writeFileSync(join(folder, file), `${code}\nexport {}\n`)
  const options = { strict: true, skipLibCheck: false, noEmit: true, module: 'nodenext', types: [] }
  writeFileSync(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['*.ts'] }))
  const types = await run(bin('tsc'), ['-p', folder], { cwd: folder })
  if (types.code !== 0) problems.push(`its types, in a strict program without @types/node:\n${types.output}`)

  console.log(
    `${manifest.name}: ${names.length} entry points, ${loaded.length} modules loaded, ${samples.length} programs`,
  )
  return problems
}

const problems = []
for (const published of publishedPackages()) {
  const found = await withTemporaryFolder((folder) => check(published, folder))
  problems.push(...found.map((problem) => `${published.manifest.name}: ${problem}`))
}
for (const problem of problems) console.log(problem)
process.exitCode = problems.length > 0 ? 1 : 0
