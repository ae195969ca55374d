// Where the repository is: tools run from tools/dist, tests from tools/.

import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

function findRoot(from: string): string {
  if (existsSync(join(from, 'package-lock.json'))) return from
  if (dirname(from) === from) throw new Error('finding the repository: no package-lock.json above this file')
  return findRoot(dirname(from))
}

/** The repository's folder. */
export const root: string = findRoot(dirname(fileURLToPath(import.meta.url)))
