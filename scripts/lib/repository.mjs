// Where things are in the repository, and which files belong to it.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { mustRun } from './run.mjs'

/** The repository's root, without a slash at the end. */
export const root = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')

/** A tool that npm installed for the workspace. */
export const bin = (name) => `${root}/node_modules/.bin/${name}`

/** Files of the repository, those not yet added to it included, as paths from the root. */
export async function repositoryFiles(...patterns) {
  const args = ['ls-files', '-z', '--cached', '--others', '--exclude-standard', '--', ...patterns]
  const files = (await mustRun('git', args, { cwd: root })).split('\0').filter(Boolean)
  return [...new Set(files)].filter((file) => existsSync(`${root}/${file}`))
}

/** The packages that are published: directory (from the root) and package.json of each. */
export function publishedPackages() {
  return readdirSync(`${root}/packages`)
    .map((name) => `packages/${name}`)
    .filter((directory) => existsSync(`${root}/${directory}/package.json`))
    .map((directory) => ({
      directory,
      manifest: JSON.parse(readFileSync(`${root}/${directory}/package.json`, 'utf8')),
    }))
    .filter(({ manifest }) => !manifest.private)
}
