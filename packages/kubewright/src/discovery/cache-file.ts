// One file of a cache that several programs read and write at the same time.

import { chmod, mkdir, open, rename, rm, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'

/** The bytes of a file; undefined when there is none, it cannot be read, or it was written before `notBefore`. */
export async function readCacheFile(
  path: string,
  { notBefore }: { notBefore: number },
): Promise<Uint8Array | undefined> {
  try {
    await using file = await open(path)
    const { mtimeMs } = await file.stat()
    return mtimeMs < notBefore ? undefined : await file.readFile()
  } catch {
    return undefined
  }
}

/**
 * Replaces a file in one step: whoever reads meanwhile has the old or the new one. The file gets mode 0660, directories
 * that are made 0750.
 *
 * @throws the file system's error; nothing is left behind.
 */
export async function writeCacheFile(path: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o750 })
  const draft = `${path}.${process.getBuiltinModule('node:crypto').randomBytes(6).toString('hex')}`
  try {
    await writeFile(draft, content, { mode: 0o600, flag: 'wx' })
    // Not of the mode above, of which the process's mask takes some.
    await chmod(draft, 0o660)
    await rename(draft, path)
  } catch (err) {
    await rm(draft, { force: true })
    throw err
  }
}
