// The text of spec/client-go/names.txt: packages in blocks, a public name a line, with the members of types behind it.

import { join } from 'node:path'
import { root } from '../root.js'

export const goNamesFile: string = join(root, 'spec/client-go/names.txt')

/** A public name of a Go package. Members of types: fields as they are, methods after a dot. */
export interface GoName {
  kind: 'const' | 'func' | 'type' | 'var'
  name: string
  members: string[]
}

/** Import path → names. */
export type GoPackages = Map<string, GoName[]>

/** Reads the text that names are kept as. */
export function parseNames(text: string): GoPackages {
  const packages: GoPackages = new Map()
  let names: GoName[] | undefined
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith('#')) continue
    if (!line.startsWith('  ')) {
      names = []
      packages.set(line, names)
      continue
    }
    const [kind, name, ...members] = line.trim().split(' ')
    if (!names || !name) throw new Error(`reading Go's names: ${JSON.stringify(line)} is no name of a package`)
    names.push({ kind: kind as GoName['kind'], name, members })
  }
  return packages
}

/** The text of names, with a head that says what it is. */
export function formatNames(head: string, packages: GoPackages): string {
  const lines = head.split('\n').map((line) => `# ${line}`)
  for (const [path, names] of packages) {
    lines.push(path, ...names.map(({ kind, name, members }) => `  ${[kind, name, ...members].join(' ')}`))
  }
  return `${lines.join('\n')}\n`
}
