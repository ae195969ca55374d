// Joins the modules that tsc wrote to build/ into few files in dist/, beside the declarations: loading a hundred small
// modules takes node several times as long as loading a dozen larger ones (docs/designs/bundled-modules.md).
//
//   node scripts/bundle.mjs         does nothing when dist/ is newer than build/
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { rolldown } from 'rolldown'
import { publishedPackages, root } from './lib/repository.mjs'

/** Paths of the JavaScript files below a folder, relative to it. */
const scriptsIn = (folder) =>
  existsSync(folder) ? readdirSync(folder, { recursive: true }).filter((file) => file.endsWith('.js')) : []

/** The modules that a package's `exports` name, by their path in dist/ without `.js`. */
function entriesOf(build, manifest) {
  const names = Object.values(manifest.exports).flatMap(({ default: file }) => file?.replace('./dist/', '') ?? [])
  const patterns = names.map((name) => new RegExp(`^${name.replaceAll('.', '\\.').replace('*', '.+')}$`))
  const files = scriptsIn(build).filter((file) => patterns.some((pattern) => pattern.test(file)))
  return Object.fromEntries(files.map((file) => [file.replace(/\.js$/, ''), `${build}/${file}`]))
}

/**
 * Rooms that are joined into one file: what the root loads is loaded in five files instead of twenty, which costs a quarter
 * less. Those of a group need each other, or are small; rooms that the root does not load stay alone.
 */
const groups = [
  ['base', ['clock', 'meta', 'signals', 'flowcontrol', 'wait', 'retry', 'workqueue']],
  ['rest', ['rest']],
  ['clientcmd', ['clientcmd']],
  ['clients', ['pager', 'discovery', 'kubernetes', 'dynamic', 'metadata', 'cache', 'listers', 'informers']],
].map(([name, rooms], index, all) => ({
  name,
  test: new RegExp(`[\\\\/]build[\\\\/](${rooms.join('|')})[\\\\/]`),
  // A group takes what it needs with it: the lower ones come first.
  priority: all.length - index,
}))

async function bundle(directory, manifest) {
  const [build, dist] = [`${root}/${directory}/build`, `${root}/${directory}/dist`]
  const stamp = `${dist}/.bundled`
  const inputs = [...scriptsIn(build).map((file) => `${build}/${file}`), `${root}/${directory}/package.json`]
  const changed = Math.max(...[...inputs, import.meta.filename].map((file) => statSync(file).mtimeMs))
  if (existsSync(stamp) && statSync(stamp).mtimeMs >= changed) return

  const input = await rolldown({
    input: entriesOf(build, manifest),
    external: [/^node:/, ...Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })],
    platform: 'node',
  })
  const { output } = await input.write({
    dir: dist,
    format: 'esm',
    entryFileNames: '[name].js',
    chunkFileNames: 'shared/[name]-[hash].js',
    // Doc comments are a quarter of the text, for nobody: editors show those of the declarations. Whoever bundles the
    // library leaves out what is not used by the marks of calls without side effects.
    comments: { annotation: true, jsdoc: false, legal: false },
    codeSplitting: { groups },
  })
  await input.close()
  const written = new Set(output.map(({ fileName }) => fileName))
  for (const file of scriptsIn(dist)) if (!written.has(file)) rmSync(`${dist}/${file}`)
  writeFileSync(stamp, '')
}

for (const { directory, manifest } of publishedPackages()) await bundle(directory, manifest)
