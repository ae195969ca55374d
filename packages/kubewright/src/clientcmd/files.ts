// Reading the files that a kubeconfig is or names, and saying in words why one cannot be read.

import { constants } from 'node:fs'
import { access, readFile } from 'node:fs/promises'
import { messageOf } from '../meta/index.js'

/** What each function that reads files takes. */
export interface ReadOptions {
  /** Stops reading; the promise rejects with the signal's reason. */
  signal?: AbortSignal | undefined
}

const words: Readonly<Record<string, string>> = {
  ENOENT: 'no such file or directory',
  ENOTDIR: 'not a directory',
  EISDIR: 'is a directory',
  EACCES: 'permission denied',
  EPERM: 'operation not permitted',
  EEXIST: 'file exists',
}

/** The system's code of a failed file operation. */
export function fileErrorCode(err: unknown): string | undefined {
  const code = (err as { code?: unknown } | null)?.code
  return typeof code === 'string' ? code : undefined
}

/** The cause of a failed file operation in the words of the operating system. */
export function fileProblem(err: unknown): string {
  const code = fileErrorCode(err)
  if (code === undefined) return messageOf(err)
  return words[code] ?? code
}

/** The text of a UTF-8 file. */
export function readText(path: string, { signal }: ReadOptions = {}): Promise<string> {
  return readFile(path, { encoding: 'utf8', ...(signal && { signal }) })
}

/** Why the file cannot be opened for reading, or undefined when it can. */
export async function openProblem(path: string): Promise<string | undefined> {
  try {
    await access(path, constants.R_OK)
    return undefined
  } catch (err) {
    return `open ${path}: ${fileProblem(err)}`
  }
}

/** The first of these files that is there. */
export async function firstExisting(files: readonly string[]): Promise<string | undefined> {
  for (const file of files) {
    const found = await access(file).then(
      () => true,
      () => false,
    )
    if (found) return file
  }
  return undefined
}
