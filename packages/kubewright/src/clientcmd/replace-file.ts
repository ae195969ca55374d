// Replacing a file's content in one step: whoever reads meanwhile sees the old content or the new one, never a part.

import { chmod, chown, mkdir, realpath, rename, rm, stat, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { fileErrorCode, type ReadOptions } from './files.js'

/**
 * Writes `text` beside the file and renames it over the file, whose mode stays; a new file has mode 0600, new
 * directories 0755. A symbolic link stays one: what it points to is replaced.
 *
 * @throws the system's error when that cannot be done; the file is then as it was.
 */
export async function replaceFile(path: string, text: string, { signal }: ReadOptions = {}): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: 0o755 })
  const target = await ifThere(realpath(path))
  const existing = target === undefined ? undefined : await stat(target)
  const file = target ?? path
  const draft = join(dirname(file), `.${basename(file)}.${randomName()}`)
  try {
    await writeFile(draft, text, { mode: 0o600, flag: 'wx', ...(signal && { signal }) })
    if (existing) {
      // Only root may give files away; for others it is theirs already, or the rename makes it so.
      await chown(draft, existing.uid, existing.gid).catch(() => {})
      await chmod(draft, existing.mode & 0o777)
    }
    await rename(draft, file)
  } catch (err) {
    await rm(draft, { force: true })
    throw err
  }
}

async function ifThere<T>(looking: Promise<T>): Promise<T | undefined> {
  try {
    return await looking
  } catch (err) {
    if (fileErrorCode(err) === 'ENOENT') return undefined
    throw err
  }
}

/** Loaded on first use: this module is a tenth of what importing the library costs, and few programs write kubeconfigs. */
function randomName(): string {
  return process.getBuiltinModule('node:crypto').randomBytes(6).toString('hex')
}
