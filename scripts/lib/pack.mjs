// Packs packages as they would be published, into a folder that is removed when the work is done.
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './repository.mjs'
import { mustRun } from './run.mjs'

/** Calls `work` with a new folder outside the repository, which is gone afterwards. */
export async function withTemporaryFolder(work) {
  const folder = mkdtempSync(join(tmpdir(), 'kubewright-check-'))
  const remove = () => rmSync(folder, { recursive: true, force: true })
  process.on('exit', remove)
  try {
    return await work(folder)
  } finally {
    process.off('exit', remove)
    remove()
  }
}

/** Packs the package in `directory` into `folder`: path of the tarball, its size in bytes, its files' paths. */
export async function pack(directory, folder) {
  const args = ['pack', '--json', '--ignore-scripts', '--pack-destination', folder]
  const [{ filename, size, files }] = JSON.parse(await mustRun('npm', args, { cwd: `${root}/${directory}` }))
  return { tarball: join(folder, filename), size, files: files.map(({ path }) => path) }
}
