// One file of a cache that several programs read and write at the same time.

import type { Stats } from 'node:fs'
import { chmod, mkdir, open, rename, rm, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** A file that was read. */
export interface CacheFile {
  readonly bytes: Uint8Array
  /** Tells this writing of the file from all others, those of other programs too. */
  readonly writing: string
}

/** A file; undefined when there is none, it cannot be read, or it was written before `notBefore`. */
export async function readCacheFile(
  path: string,
  { notBefore }: { notBefore: number },
): Promise<CacheFile | undefined> {
  try {
    await using file = await open(path)
    const stats = await file.stat()
    return stats.mtimeMs < notBefore ? undefined : { bytes: await file.readFile(), writing: writingOf(stats) }
  } catch {
    return undefined
  }
}

/** What a file keeps when it is renamed. */
function writingOf({ ino, mtimeMs }: Stats): string {
  return `${ino} ${mtimeMs}`
}

/**
 * Replaces a file in one step: whoever reads meanwhile has the old or the new one. The file gets mode 0660, directories
 * that are made 0750.
 *
 * @returns which writing of the file this was: see {@link CacheFile}
 * @throws the file system's error; nothing is left behind.
 */
export async function writeCacheFile(path: string, content: string | Uint8Array): Promise<string> {
  await mkdir(dirname(path), { recursive: true, mode: 0o750 })
  const draft = `${path}.${process.getBuiltinModule('node:crypto').randomBytes(6).toString('hex')}`
  try {
    await writeFile(draft, content, { mode: 0o600, flag: 'wx' })
    // Not of the mode above, of which the process's mask takes some.
    await chmod(draft, 0o660)
    const writing = writingOf(await stat(draft))
    await rename(draft, path)
    return writing
  } catch (err) {
    await rm(draft, { force: true })
    throw err
  }
}
