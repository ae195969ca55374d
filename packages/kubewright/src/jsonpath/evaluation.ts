// One evaluation of a template: walks its nodes, with a list of values at each step.

import { goType, isObject } from '../meta/index.js'
import { compare } from './compare.js'
import type { ArrayNode, FilterNode, Node } from './nodes.js'
import { circular, itemsOf } from './values.js'

type Values = readonly unknown[]

/**
 * Where a step leads: to values, or to a problem. There are values beside the problem, since a filter that only asks
 * whether something exists goes by them and does not look at the problem.
 */
interface Reached {
  readonly values: Values
  readonly problem?: string
}

/** How many values an evaluation may come by; each further `..` would multiply them. */
const enoughValues = 20_000_000
/** How deep ranges may stand in each other. */
const maxRanges = 1000

interface EvaluationOptions {
  allowMissingKeys: boolean
  maxValues?: number
}

export class Evaluation {
  readonly #template: readonly Node[]
  readonly #allowMissingKeys: boolean
  readonly #maxValues: number
  #values = 0
  /** Ranges that began with the node at hand, those that are open, and those that end with the node at hand. */
  #beginning = 0
  #open = 0
  #ending = 0
  /** Position of the node that ended a range last. */
  #lastEnd = -1

  constructor(template: readonly Node[], { allowMissingKeys, maxValues = enoughValues }: EvaluationOptions) {
    this.#template = template
    this.#allowMissingKeys = allowMissingKeys
    this.#maxValues = maxValues
  }

  /** The values of each text and each action from `start` on, up to the end of the range that it is in. */
  run(data: unknown, start = 0): unknown[][] {
    const results: unknown[][] = []
    for (let position = start; position < this.#template.length; position++) {
      this.#count(1)
      const { values, problem } = this.#step([data], this.#template[position] as Node)
      if (problem !== undefined) throw new Error(problem)
      if (this.#ending > 0 && this.#ending <= this.#open) {
        this.#ending--
        this.#lastEnd = position
        break
      }
      if (this.#beginning > 0) {
        this.#beginning--
        for (const result of this.#range(values, position + 1)) results.push(result)
        if (this.#lastEnd > position) position = this.#lastEnd
      } else results.push([...values])
    }
    return results
  }

  #range(items: Values, start: number): unknown[][] {
    if (++this.#open > maxRanges) throw new Error(`ranges nested deeper than ${maxRanges} levels`)
    const results: unknown[][] = []
    for (const item of items) {
      for (const result of this.run(item ?? undefined, start)) results.push(result)
    }
    // With nothing to range over, its nodes are still walked, to learn where it ends.
    if (items.length === 0) this.run(undefined, start)
    this.#open--
    return results
  }

  #step(input: Values, node: Node): Reached {
    switch (node.type) {
      case 'list':
        return this.#list(input, node.nodes)
      case 'text':
        return { values: [node.text] }
      case 'literal':
        this.#count(input.length)
        return { values: input.map(() => node.value) }
      case 'field':
        return this.#field(input, node.name)
      case 'array':
        return this.#array(input, node)
      case 'filter':
        return this.#filter(input, node)
      case 'wildcard':
        return { values: this.#collect(input, wildcardOf) }
      case 'recursive':
        return { values: this.#collect(input, descendantsOf) }
      case 'union':
        return this.#union(input, node.branches)
      case 'identifier':
        return this.#identifier(input, node.name)
    }
  }

  #list(input: Values, nodes: readonly Node[]): Reached {
    let reached: Reached = { values: input }
    for (const node of nodes) {
      reached = this.#step(reached.values, node)
      if (reached.problem !== undefined) break
      this.#count(1)
    }
    return reached
  }

  #field(input: Values, name: string): Reached {
    const values: unknown[] = []
    for (const value of input) {
      if (!isObject(value) || !Object.hasOwn(value, name) || value[name] === undefined) continue
      values.push(value[name])
    }
    this.#count(values.length)
    const isMissing = values.length === 0 && input.length > 0
    return isMissing && !this.#allowMissingKeys ? { values, problem: `${name} is not found` } : { values }
  }

  #array(input: Values, node: ArrayNode): Reached {
    const values: unknown[] = []
    for (const value of input) {
      if (value === null || value === undefined) continue
      if (!Array.isArray(value)) return { values: input, problem: `${goType(value)} is not array or slice` }
      const slice = sliceOf(node, value.length)
      if (typeof slice === 'string') return { values: input, problem: slice }
      // As client-go does: an empty slice also ends the search in what follows.
      if (slice === undefined) break
      for (let i = slice.from; i < slice.to; i += slice.step) {
        this.#count(1)
        values.push(value[i] ?? null)
      }
    }
    return { values }
  }

  #filter(input: Values, node: FilterNode): Reached {
    const values: unknown[] = []
    for (const value of input) {
      if (!Array.isArray(value)) {
        return { values: input, problem: `${goType(value)} is not array or slice and cannot be filtered` }
      }
      for (const item of itemsOf(value)) {
        const passes = this.#passes(item, node)
        this.#count(1)
        if (passes === true) values.push(item)
        else if (typeof passes === 'object') return { values: passes.ofSides ? input : values, problem: passes.problem }
      }
    }
    return { values }
  }

  #passes(item: unknown, { left, operator, right }: FilterNode): boolean | { problem: string; ofSides: boolean } {
    const lefts = this.#list([item], left)
    if (operator === 'exists') return lefts.values.length > 0
    const leftProblem = problemOfSide(lefts)
    if (leftProblem !== undefined) return { problem: leftProblem, ofSides: true }
    if (lefts.values.length === 0) return false
    const rights = this.#list([item], right)
    const rightProblem = problemOfSide(rights)
    if (rightProblem !== undefined) return { problem: rightProblem, ofSides: true }
    if (rights.values.length === 0) return false
    const compared = compare(lefts.values[0], operator, rights.values[0])
    return typeof compared === 'string' ? { problem: compared, ofSides: false } : compared
  }

  #union(input: Values, branches: readonly (readonly Node[])[]): Reached {
    const values: unknown[] = []
    for (const branch of branches) {
      const reached = this.#list(input, branch)
      if (reached.problem !== undefined) return { values: input, problem: reached.problem }
      this.#count(reached.values.length)
      for (const value of reached.values) values.push(value)
    }
    return { values }
  }

  #identifier(input: Values, name: string): Reached {
    if (name === 'range') {
      this.#beginning++
      return { values: input }
    }
    if (name !== 'end') return { values: input, problem: `unrecognized identifier ${name}` }
    if (this.#open === 0) return { values: [], problem: 'not in range, nothing to end' }
    this.#ending++
    return { values: [] }
  }

  #collect(input: Values, from: (value: unknown) => Iterable<unknown>): unknown[] {
    const values: unknown[] = []
    for (const value of input) {
      for (const found of from(value)) {
        this.#count(1)
        values.push(found)
      }
    }
    return values
  }

  #count(more: number): void {
    this.#values += more
    if (this.#values > this.#maxValues) {
      throw new Error(`the template finds more than ${this.#maxValues} values: use fewer "..", ranges and unions`)
    }
  }
}

function problemOfSide({ values, problem }: Reached): string | undefined {
  return problem ?? (values.length > 1 ? 'can only compare one element at a time' : undefined)
}

interface Slice {
  readonly from: number
  readonly to: number
  readonly step: number
}

/** What to take from an array of a length; nothing; or what is wrong with it. */
function sliceOf(node: ArrayNode, length: number): Slice | string | undefined {
  const size = BigInt(length)
  const counted = (index: bigint, fromEnd: boolean): bigint => (fromEnd ? index + size : index)
  const start = node.start ?? 0n
  const end = node.end ?? size
  const from = counted(start, start < 0n)
  const to = counted(end, end < 0n || (end === 0n && node.isIndex))
  if (from === to) return undefined
  const outOfBounds = (index: bigint): string => `array index out of bounds: index ${index}, length ${length}`
  if (from >= size || from < 0n) return outOfBounds(from)
  if (to > size || to < 0n) return outOfBounds(to - 1n)
  if (from > to) return `starting index ${from} is greater than ending index ${to}`
  const step = node.step ?? 1n
  if (step <= 0n) return 'step must be > 0'
  return { from: Number(from), to: Number(to), step: Number(step) }
}

/** Text has its bytes. */
function wildcardOf(value: unknown): Iterable<unknown> {
  return typeof value === 'string' ? new TextEncoder().encode(value) : itemsOf(value)
}

/** The value and all below it that hold something, text included; without recursion, as data may be deep. */
function* descendantsOf(root: unknown): Iterable<unknown> {
  const path: { value: unknown; items: readonly unknown[]; next: number }[] = []
  const above = new Set<unknown>()
  const enter = (value: unknown): boolean => {
    if (typeof value === 'string') return value !== ''
    const items = itemsOf(value)
    if (items.length === 0) return false
    if (above.has(value)) throw circular()
    above.add(value)
    path.push({ value, items, next: 0 })
    return true
  }
  if (enter(root)) yield root
  for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
    if (top.next < top.items.length) {
      const item = top.items[top.next++]
      if (enter(item)) yield item
    } else {
      path.pop()
      above.delete(top.value)
    }
  }
}
