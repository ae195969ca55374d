// Tests and tools run packages from their sources: each entry of a package's `exports` that points into dist/ is mapped
// to the file it was built from, so there is one list of entry points, in package.json.
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Aliases for vite's `resolve.alias`: a package's public names to its source files, which are in `sources`. */
export function sourceAliases(packageDir, sources = 'src/') {
  const root = fileURLToPath(new URL(`../${packageDir}/`, import.meta.url))
  const { name, exports = {} } = JSON.parse(readFileSync(`${root}package.json`, 'utf8'))
  return Object.entries(exports).flatMap(([key, target]) => {
    const file = typeof target === 'string' ? target : target.default
    if (!file?.startsWith('./dist/')) return []
    const source = root + file.replace('./dist/', sources).replace(/\.js$/, '.ts')
    const [head, tail] = key.split('*')
    const find = tail === undefined ? `^${name}${key.slice(1)}$` : `^${name}${head.slice(1)}(.+)${tail}$`
    return [{ find: new RegExp(find), replacement: source.replace('*', '$1') }]
  })
}
