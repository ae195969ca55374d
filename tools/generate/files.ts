// The generated files as a set: made from a spec folder, compared with a folder, written to it.

import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join, sep } from 'node:path'
import { readSpec } from '../spec/format.js'
import { apiFiles } from './api.js'
import { clientFiles, clientsetFile } from './clients.js'
import { informersFile } from './informers.js'
import { kindsFile } from './kinds.js'
import { Model } from './model.js'
import { scalarsFile } from './scalars.js'
import { schemaFiles } from './schema.js'
import { tableFile } from './table.js'
import { valueStructsFile } from './value-structs.js'

/** Text of every generated file, by its path below gen/ (with `/`). */
export type Files = ReadonlyMap<string, string>

/** Generates everything from a spec folder. */
export function generate(specDir: string): Files {
  const model = new Model(readSpec(specDir))
  const files = new Map([
    ['scalars.ts', scalarsFile()],
    ['table.ts', tableFile(model)],
    ['clientset.ts', clientsetFile(model)],
    ['informers.ts', informersFile(model)],
    ['kinds.ts', kindsFile(model)],
    ['value-structs.ts', valueStructsFile(model)],
  ])
  for (const [path, text] of apiFiles(model)) files.set(`api/${path}`, text)
  for (const [path, text] of clientFiles(model)) files.set(`clients/${path}`, text)
  for (const [path, text] of schemaFiles(model)) files.set(`schema/${path}`, text)
  return files
}

/** How a folder differs from the files, one line a file, sorted. Tests beside generated code are none of it. */
export function differences(files: Files, dir: string): string[] {
  const found = new Set(generatedIn(dir))
  const lines = [...found].filter((path) => !files.has(path)).map((path) => `${path}: not generated (any more)`)
  for (const [path, text] of files) {
    if (!found.has(path)) lines.push(`${path}: missing`)
    else if (readFileSync(join(dir, path), 'utf8') !== text) lines.push(`${path}: differs`)
  }
  return lines.sort()
}

/** Makes a folder hold the files, and no other generated ones. */
export function write(files: Files, dir: string): void {
  for (const path of generatedIn(dir)) if (!files.has(path)) rmSync(join(dir, path))
  for (const [path, text] of files) {
    const file = join(dir, path)
    if (existsSync(file) && readFileSync(file, 'utf8') === text) continue
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}

function generatedIn(dir: string): string[] {
  if (!existsSync(dir)) return []
  return readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .map((path) => path.split(sep).join('/'))
    .filter((path) => path.endsWith('.ts') && !/\.test(-d)?\.ts$/.test(path))
}
