import { lstatSync, mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { replaceFile } from './replace-file.js'
import { directoryWith } from './testdata/files.mjs'

describe('replaceFile', () => {
  it('makes a private file, and the directories to it', async () => {
    const file = join(directoryWith({}), 'a', 'b', 'config')
    await replaceFile(file, 'new')
    expect(readFileSync(file, 'utf8')).toBe('new')
    expect(statSync(file).mode & 0o777).toBe(0o600)
  })

  it('replaces the content and keeps the mode; nothing else is left in the directory', async () => {
    const directory = directoryWith({})
    const file = join(directory, 'config')
    writeFileSync(file, 'old', { mode: 0o640 })
    const before = statSync(file).ino
    await replaceFile(file, 'new')
    expect(readFileSync(file, 'utf8')).toBe('new')
    expect(statSync(file).mode & 0o777).toBe(0o640)
    // Another inode: it was renamed into place, so a reader that has the old one open reads that to its end.
    expect(statSync(file).ino).not.toBe(before)
    expect(readdirSync(directory)).toEqual(['config'])
  })

  it('writes through a symbolic link', async () => {
    const directory = directoryWith({ real: 'old' })
    symlinkSync('real', join(directory, 'link'))
    await replaceFile(join(directory, 'link'), 'new')
    expect(lstatSync(join(directory, 'link')).isSymbolicLink()).toBe(true)
    expect(readFileSync(join(directory, 'real'), 'utf8')).toBe('new')
  })

  it('leaves everything as it was when it fails', async () => {
    const directory = directoryWith({})
    mkdirSync(join(directory, 'config'))
    await expect(replaceFile(join(directory, 'config'), 'new')).rejects.toThrow()
    expect(readdirSync(directory)).toEqual(['config'])
    const file = join(directory, 'kept')
    writeFileSync(file, 'old')
    await expect(replaceFile(file, 'new', { signal: AbortSignal.abort() })).rejects.toThrow()
    expect(readFileSync(file, 'utf8')).toBe('old')
    expect(readdirSync(directory).sort()).toEqual(['config', 'kept'])
  })
})
