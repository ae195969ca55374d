// What `npm publish` would publish: only what belongs in it and nothing stale, small, few dependencies, and entry
// points and types that resolve (publint, attw). Needs a build.
import { existsSync } from 'node:fs'
import { pack, withTemporaryFolder } from './lib/pack.mjs'
import { bin, publishedPackages, root } from './lib/repository.mjs'
import { run } from './lib/run.mjs'

const maxPackedBytes = 2 * 1024 * 1024
const maxDependencies = 3

/** What is wrong with the list of packed files. */
function wrongFiles(directory, files) {
  const wrong = []
  for (const needed of ['README.md', 'LICENSE', 'package.json', 'dist/index.js', 'dist/index.d.ts']) {
    if (!files.includes(needed)) wrong.push(`${needed} is missing`)
  }
  for (const file of files) {
    const source = file.replace(/^dist\//, 'src/').replace(/(\.d\.ts|\.js)$/, '.ts')
    if (/\.test(-\w+)?\.|(^|\/)(testdata|fixtures|__\w+__)\/|tsbuildinfo/.test(file))
      wrong.push(`${file} is for tests or builds`)
    else if (/^dist\/(?!shared\/)/.test(file) && !existsSync(`${root}/${directory}/${source}`)) {
      wrong.push(`${file} has no source any more: npm run clean, then build`)
    }
  }
  return wrong
}

const problems = []
for (const { directory, manifest } of publishedPackages()) {
  await withTemporaryFolder(async (folder) => {
    const { tarball, size, files } = await pack(directory, folder)
    const dependencies = Object.keys(manifest.dependencies ?? {})
    const found = wrongFiles(directory, files)
    if (size > maxPackedBytes) found.push(`${size} bytes packed; at most ${maxPackedBytes}`)
    if (dependencies.length > maxDependencies) found.push(`depends on ${dependencies}; at most ${maxDependencies}`)

    const publint = await run(bin('publint'), ['run', tarball, '--strict'], { cwd: root })
    if (publint.code !== 0) found.push(publint.output)
    else {
      // ESM only: CommonJS reaches it by require(esm), which attw's profile takes as understood.
      const attwArgs = [tarball, '--profile', 'esm-only', '--format', 'ascii', '--no-emoji']
      const attw = await run(bin('attw'), attwArgs, { cwd: root })
      if (attw.code !== 0) found.push(attw.output)
    }

    const amount = `${files.length} files, ${(size / 1024).toFixed(0)} KiB packed`
    console.log(`${manifest.name}: ${amount}, dependencies: ${dependencies.join(', ') || 'none'}`)
    problems.push(...found.map((problem) => `${manifest.name}: ${problem}`))
  })
}
for (const problem of problems) console.log(problem)
process.exitCode = problems.length > 0 ? 1 : 0
