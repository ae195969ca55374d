// What the library exports: the names of its entry points and the members of its types, read from the sources.

import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseAst } from 'rolldown/parseAst'
import { root } from '../root.js'

const packageDir = join(root, 'packages/kubewright')

/** A node of a syntax tree; of the many fields, those that are asked for are looked at with care. */
interface Node {
  type: string
  [field: string]: unknown
}

/** A module's declarations and where its names come from. */
interface Module {
  file: string
  /** Of one name: a type and a value may have it both. */
  declarations: Map<string, Node[]>
  /** Local name → where it is from. */
  imports: Map<string, Origin>
  /** Exported name → where it is from; without a module: declared here. */
  exports: Map<string, Origin>
}

interface Origin {
  from?: string
  name: string
}

/** Names of the library, by entry point: `rest`, `api/apps/v1`, `.` for the root; or by generated file, `gen/informers`. */
export class LibraryExports {
  readonly #modules = new Map<string, Module>()

  /** The entry points, but for those of generated types. */
  readonly rooms: readonly string[] = readRooms()

  /** What an entry point exports. */
  namesOf(room: string): string[] {
    return [...this.#entry(room).exports.keys()]
  }

  /** Whether there is such an entry point. */
  hasRoom(room: string): boolean {
    return existsSync(entryFile(room))
  }

  has(room: string, name: string): boolean {
    return this.hasRoom(room) && this.#entry(room).exports.has(name)
  }

  isClass(room: string, name: string): boolean {
    return this.#resolve(this.#entry(room), name).nodes.some(({ type }) => type === 'ClassDeclaration')
  }

  /** The public members of an exported class, interface, type or object, inherited ones included. */
  membersOf(room: string, name: string): Set<string> {
    const members = new Set<string>()
    this.#collect(this.#entry(room), name, members, new Set())
    members.delete('constructor')
    return members
  }

  #entry(room: string): Module {
    return this.#module(entryFile(room))
  }

  #module(file: string): Module {
    const known = this.#modules.get(file)
    if (known) return known
    const module = readModule(file)
    this.#modules.set(file, module)
    return module
  }

  #resolve(module: Module, name: string): { module: Module; nodes: Node[] } {
    const declared = module.declarations.get(name)
    if (declared) return { module, nodes: declared }
    const origin = module.exports.get(name) ?? module.imports.get(name)
    if (!origin || (origin.from === undefined && origin.name === name)) return { module, nodes: [] }
    return this.#resolve(origin.from === undefined ? module : this.#module(origin.from), origin.name)
  }

  #collect(from: Module, name: string, members: Set<string>, seen: Set<unknown>): void {
    const { module, nodes } = this.#resolve(from, name)
    for (const node of nodes) {
      if (seen.has(node)) continue
      seen.add(node)
      this.#collectNode(module, node, members, seen)
    }
  }

  #collectNode(module: Module, node: Node | undefined, members: Set<string>, seen: Set<unknown>): void {
    if (!node) return
    const follow = (next: unknown) => this.#collectNode(module, asNode(next), members, seen)
    switch (node.type) {
      case 'ClassDeclaration':
        follow(node['body'])
        follow(node['superClass'])
        for (const i of list(node['implements'])) follow(i)
        break
      case 'TSInterfaceDeclaration':
        follow(node['body'])
        for (const e of list(node['extends'])) follow(e)
        break
      case 'ClassBody':
      case 'TSInterfaceBody':
        for (const member of list(node['body'])) addMember(member, members)
        break
      case 'TSTypeLiteral':
        for (const member of list(node['members'])) addMember(member, members)
        break
      case 'ObjectExpression':
        for (const member of list(node['properties'])) addMember(member, members)
        break
      case 'TSTypeAliasDeclaration':
      case 'TSTypeAnnotation':
        follow(node['typeAnnotation'])
        break
      case 'TSIntersectionType':
      case 'TSUnionType':
        for (const t of list(node['types'])) follow(t)
        break
      case 'VariableDeclarator':
        follow(asNode(node['id'])?.['typeAnnotation'])
        follow(node['init'])
        break
      case 'Identifier':
        this.#collect(module, String(node['name']), members, seen)
        break
      case 'TSClassImplements':
      case 'TSInterfaceHeritage':
      case 'TSTypeReference':
        follow(node['expression'] ?? node['typeName'])
        // Partial<T>, Omit<T, …> and the like have the members of T.
        for (const argument of list(asNode(node['typeArguments'])?.['params']).slice(0, 1)) {
          if (isWrapper(node)) follow(argument)
        }
        break
    }
  }
}

function isWrapper(node: Node): boolean {
  const name = asNode(node['expression'] ?? node['typeName'])?.['name']
  return ['DeepReadonly', 'Omit', 'Partial', 'Pick', 'Readonly', 'Required'].includes(String(name))
}

function readRooms(): string[] {
  const { exports } = JSON.parse(readFileSync(join(packageDir, 'package.json'), 'utf8')) as { exports: object }
  const rooms = Object.keys(exports).filter((path) => !path.includes('*') && !path.endsWith('.json'))
  return rooms.map((path) => (path === '.' ? '.' : path.slice(2)))
}

function entryFile(room: string): string {
  if (room === '.') return join(packageDir, 'src/index.ts')
  if (room.startsWith('gen/')) return join(packageDir, 'src', `${room}.ts`)
  if (room.startsWith('api/')) return join(packageDir, 'src/gen', `${room}.ts`)
  if (room === 'schema') return join(packageDir, 'src/gen/schema/index.ts')
  return join(packageDir, 'src', room, 'index.ts')
}

function readModule(file: string): Module {
  const module: Module = { file, declarations: new Map(), imports: new Map(), exports: new Map() }
  const { body } = parseAst(readFileSync(file, 'utf8'), { lang: 'ts' }, file)
  for (const statement of body as unknown as Node[]) addStatement(module, statement)
  return module
}

function addStatement(module: Module, statement: Node): void {
  const from = asNode(statement['source'])
  const path = from && sourceOf(module.file, String(from['value']))
  if (statement.type === 'ImportDeclaration') {
    for (const s of list(statement['specifiers'])) {
      const imported = asNode(s['imported'])
      if (path && imported) module.imports.set(nameOf(s['local']), { from: path, name: nameOf(imported) })
    }
    return
  }
  if (statement.type !== 'ExportNamedDeclaration') {
    declare(module, statement)
    return
  }
  for (const s of list(statement['specifiers'])) {
    module.exports.set(nameOf(s['exported']), { ...(path ? { from: path } : {}), name: nameOf(s['local']) })
  }
  const declaration = asNode(statement['declaration'])
  if (!declaration) return
  for (const name of declare(module, declaration)) module.exports.set(name, { name })
}

function declare(module: Module, node: Node): string[] {
  const declared = node.type === 'VariableDeclaration' ? list(node['declarations']) : node['id'] ? [node] : []
  return declared.map((each) => {
    const name = nameOf(each['id'])
    module.declarations.set(name, [...(module.declarations.get(name) ?? []), each])
    return name
  })
}

function sourceOf(file: string, specifier: string): string | undefined {
  return specifier.startsWith('.') ? join(dirname(file), specifier.replace(/\.js$/, '.ts')) : undefined
}

function addMember(member: Node, members: Set<string>): void {
  if (member['accessibility'] === 'private' || member['accessibility'] === 'protected') return
  const key = asNode(member['key'])
  if (key && key.type !== 'PrivateIdentifier' && !member['computed']) members.add(nameOf(key))
  if (member['kind'] !== 'constructor') return
  for (const p of list(asNode(member['value'])?.['params'])) {
    if (p.type === 'TSParameterProperty') members.add(nameOf(asNode(p['parameter'])?.['left'] ?? p['parameter']))
  }
}

function nameOf(node: unknown): string {
  const n = asNode(node)
  return String(n?.['name'] ?? n?.['value'])
}

function asNode(value: unknown): Node | undefined {
  return typeof value === 'object' && value !== null && 'type' in value ? (value as Node) : undefined
}

function list(value: unknown): Node[] {
  return Array.isArray(value) ? value.flatMap((v) => asNode(v) ?? []) : []
}
