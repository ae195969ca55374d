// A set of fields: what a manager owns of an object, and what two objects differ in.

import type { FieldsV1 } from '../gen/scalars.js'
import { goType, isObject, type Schema } from '../meta/index.js'
import {
  compareElements,
  formatPath,
  type Path,
  type PathElement,
  parseElement,
  serializeElement,
} from './path-element.js'
import { fieldOf, shapeOf } from './shape.js'
import type { WalkedPath } from './walked-path.js'

/** An element that is in the set, or leads to others that are, or both. */
interface Node {
  readonly element: PathElement
  readonly member: boolean
  readonly children: FieldSet | undefined
}

/** How deep fields may lie in each other. Kubernetes' objects end at a few dozen; what goes on refers to itself. */
export const maxDepth = 1000

/**
 * A set of paths: fieldpath.Set of structured-merge-diff, what `metadata.managedFields[].fieldsV1` holds.
 *
 * A path is in the set for itself: neither what is above it nor what is below it is. Only {@link insert} changes a
 * set; all other methods return new ones.
 *
 * @example
 * ```ts
 * const set = FieldSet.of(makePath('spec', 'replicas'), makePath('metadata', 'labels', 'app'))
 * set.has(makePath('spec'))      // false
 * set.toFieldsV1()               // { 'f:metadata': { 'f:labels': { 'f:app': {} } }, 'f:spec': { 'f:replicas': {} } }
 * String(set)                    // .metadata.labels.app\n.spec.replicas
 * ```
 */
export class FieldSet {
  // By the text of its element in FieldsV1, which is the same for equal elements.
  readonly #nodes: Map<string, Node>
  #sorted: readonly Node[] | undefined
  // Part of more than one set: to be copied before it is changed.
  #shared = false

  private constructor(nodes: Map<string, Node>) {
    this.#nodes = nodes
  }

  /** A set of these paths. */
  static of(...paths: readonly Path[]): FieldSet {
    const set = new FieldSet(new Map())
    for (const path of paths) set.insert(path)
    return set
  }

  /**
   * Reads what `metadata.managedFields[].fieldsV1` holds. Elements of a type that is not known yet are ignored, as the
   * API server does.
   *
   * @throws Error for what is no FieldsV1
   */
  static fromFieldsV1(fields: FieldsV1 | undefined | null): FieldSet {
    return fields === undefined || fields === null ? FieldSet.of() : (read(fields, 0).children ?? FieldSet.of())
  }

  /** @internal */
  static fromNodes(nodes: Map<string, Node>): FieldSet {
    return new FieldSet(nodes)
  }

  /** Whether no path is in the set. */
  get empty(): boolean {
    for (const { member, children } of this.#nodes.values()) if (member || children?.empty === false) return false
    return true
  }

  /** How many paths are in the set. */
  get size(): number {
    let size = 0
    for (const { member, children } of this.#nodes.values()) size += (member ? 1 : 0) + (children?.size ?? 0)
    return size
  }

  /** Puts a path into this set; the empty path, which is the whole object, is not kept. */
  insert(path: Path): void {
    this.#insert(path, path.map(serializeElement), 0)
  }

  /** @internal As {@link insert}, of a walk. */
  insertWalked({ elements, keys }: WalkedPath): void {
    this.#insert(elements, keys, 0)
  }

  #insert(path: Path, keys: readonly string[], at: number): void {
    const element = path[at]
    if (element === undefined) return
    const key = keys[at] as string
    const node = this.#nodes.get(key)
    if (at === path.length - 1) {
      if (!node?.member) this.#put(key, { element: node?.element ?? element, member: true, children: node?.children })
      return
    }
    let children = node?.children
    if (!children || children.#shared) {
      children = children ? children.copy() : new FieldSet(new Map())
      this.#put(key, { element: node?.element ?? element, member: node?.member ?? false, children })
    }
    children.#insert(path, keys, at + 1)
  }

  #put(key: string, node: Node): void {
    this.#nodes.set(key, node)
    this.#sorted = undefined
  }

  /** A set of its own with the same paths. */
  copy(): FieldSet {
    for (const { children } of this.#nodes.values()) if (children) children.#shared = true
    return new FieldSet(new Map(this.#nodes))
  }

  /** Whether this path itself is in the set. */
  has(path: Path): boolean {
    let nodes: ReadonlyMap<string, Node> = this.#nodes
    for (const [i, element] of path.entries()) {
      const node = nodes.get(serializeElement(element))
      if (!node || i === path.length - 1) return node?.member ?? false
      if (!node.children) return false
      nodes = node.children.#nodes
    }
    return false
  }

  /** @internal whether a path of this one element is in the set */
  hasElement(element: PathElement): boolean {
    return this.#nodes.get(serializeElement(element))?.member ?? false
  }

  /** The paths that begin with this element, without it. */
  withPrefix(element: PathElement): FieldSet {
    return this.childrenOf(element)?.copy() ?? FieldSet.of()
  }

  /** @internal */
  childrenOf(element: PathElement): FieldSet | undefined {
    const children = this.#nodes.get(serializeElement(element))?.children
    if (children) children.#shared = true
    return children
  }

  /** Whether both sets have the same paths. */
  equals(other: FieldSet): boolean {
    if (this.#nodes.size !== other.#nodes.size) return false
    for (const [key, node] of this.#nodes) {
      const its = other.#nodes.get(key)
      if (!its || its.member !== node.member || !node.children !== !its.children) return false
      if (node.children && !node.children.equals(its.children as FieldSet)) return false
    }
    return true
  }

  /** What is in either set. */
  union(other: FieldSet): FieldSet {
    const result = this.copy()
    for (const [key, node] of other.#nodes) {
      const mine = this.#nodes.get(key)
      if (node.children) node.children.#shared = true
      if (!mine) result.#nodes.set(key, node)
      else
        result.#nodes.set(key, {
          element: mine.element,
          member: mine.member || node.member,
          children:
            mine.children && node.children ? mine.children.union(node.children) : (mine.children ?? node.children),
        })
    }
    return result
  }

  /** What is in both sets. */
  intersection(other: FieldSet): FieldSet {
    const result = new FieldSet(new Map())
    for (const [key, node] of this.#nodes) {
      const its = other.#nodes.get(key)
      if (!its) continue
      result.#keep(key, node, node.member && its.member, its.children && node.children?.intersection(its.children))
    }
    return result
  }

  /** What is in this set and not in the other. A path above or below one in the other set stays. */
  difference(other: FieldSet): FieldSet {
    const result = new FieldSet(new Map())
    for (const [key, node] of this.#nodes) {
      const its = other.#nodes.get(key)
      const children = its?.children ? node.children?.difference(its.children) : node.children
      result.#keep(key, node, node.member && !its?.member, children)
    }
    return result
  }

  /** What is in this set and neither in the other nor below a path in it. */
  recursiveDifference(other: FieldSet): FieldSet {
    const result = new FieldSet(new Map())
    for (const [key, node] of this.#nodes) {
      const its = other.#nodes.get(key)
      if (its?.member) continue
      const children = its?.children ? node.children?.recursiveDifference(its.children) : node.children
      result.#keep(key, node, node.member, children)
    }
    return result
  }

  /** @internal what a filter keeps: `children` undefined drops those below */
  filter(
    keep: (
      element: PathElement,
      children: FieldSet | undefined,
    ) => { member: boolean; children?: FieldSet | undefined },
  ): FieldSet {
    const result = new FieldSet(new Map())
    for (const [key, node] of this.#nodes) {
      const { member, children } = keep(node.element, node.children)
      result.#keep(key, node, node.member && member, children)
    }
    return result
  }

  #keep(key: string, { element }: Node, member: boolean, children: FieldSet | undefined): void {
    const kept = children && !children.empty ? children : undefined
    if (kept) kept.#shared = true
    if (member || kept) this.#nodes.set(key, { element, member, children: kept })
  }

  /** The paths of the set below which no other is. */
  leaves(): FieldSet {
    const result = new FieldSet(new Map())
    for (const [key, { element, member, children }] of this.#nodes)
      result.#nodes.set(key, { element, member: member && !children, children: children?.leaves() })
    return result
  }

  /**
   * The set, and each field on the way to its paths that the schema names: with `.a.b.c` also `.a` where it is a
   * struct's field, not where it is a map's key.
   */
  ensureNamedFieldsAreMembers(schema: Schema): FieldSet {
    const named = this.#ensureNamed(schema)
    return named === this ? this.copy() : named
  }

  // Parts that need nothing are shared: that is most of a set.
  #ensureNamed(schema: Schema | undefined): FieldSet {
    const shape = schema && shapeOf(schema)
    let result: FieldSet | undefined
    for (const [key, { element, member, children }] of this.#nodes) {
      if (!children) continue
      let named = false
      let below: Schema | undefined
      if ('fieldName' in element && shape?.map) {
        const field = fieldOf(shape.map, element.fieldName)
        named = field !== undefined
        below = field ?? shape.map.values
      } else if ('key' in element && shape?.list) below = shape.list.items
      const its = children.#ensureNamed(below)
      if (its === children && (member || !named)) continue
      result ??= this.copy()
      result.#nodes.set(key, { element, member: member || named, children: its })
    }
    return result ?? this
  }

  /** The members of this level, in order. @internal */
  get elements(): readonly {
    readonly element: PathElement
    readonly member: boolean
    readonly children: FieldSet | undefined
  }[] {
    return (this.#sorted ??= [...this.#nodes.values()].sort((a, b) => compareElements(a.element, b.element)))
  }

  /** The paths, in the order in which the API server names them: those of a level before those below it. */
  *[Symbol.iterator](): Generator<Path> {
    yield* this.#paths([])
  }

  *#paths(prefix: Path): Generator<Path> {
    for (const { element, member } of this.elements) if (member) yield [...prefix, element]
    for (const { element, children } of this.elements) if (children) yield* children.#paths([...prefix, element])
  }

  /** The set as `metadata.managedFields[].fieldsV1` holds it, with its properties in the API server's order. */
  toFieldsV1(): FieldsV1 {
    const result: Record<string, unknown> = {}
    for (const { element, member, children } of this.elements) {
      const below = children ? children.toFieldsV1() : {}
      result[serializeElement(element)] =
        member && children && Object.keys(below).length > 0 ? { '.': {}, ...below } : below
    }
    return result as FieldsV1
  }

  /** The paths, one a line. */
  toString(): string {
    return Array.from(this, formatPath).join('\n')
  }
}

function read(fields: unknown, depth: number): { member: boolean; children: FieldSet | undefined } {
  if (depth > maxDepth) throw new Error(`FieldsV1 is nested deeper than ${maxDepth} levels`)
  if (fields === null) return { member: true, children: undefined }
  if (!isObject(fields)) throw new Error(`FieldsV1 has a value of the type ${goType(fields)} where an object should be`)
  let member = false
  const nodes = new Map<string, Node>()
  for (const text of Object.keys(fields)) {
    if (text === '.') {
      member = true
      continue
    }
    const element = elementOf(text)
    if (!element) continue
    const below = read(fields[text], depth + 1)
    const key = serializeElement(element)
    const before = nodes.get(key)
    nodes.set(key, {
      element,
      member: below.member || (before?.member ?? false),
      children: below.children ?? before?.children,
    })
  }
  if (nodes.size === 0) return { member: true, children: undefined }
  return { member, children: FieldSet.fromNodes(nodes) }
}

function elementOf(text: string): PathElement | undefined {
  try {
    return parseElement(text)
  } catch (err) {
    throw new Error(`parsing key as path element: ${(err as Error).message}`, { cause: err })
  }
}
