// What a template is made of, once it has been read.

/** Chooses from an array: `[1]`, `[-2:]`, `[::2]`. */
export interface ArrayNode {
  readonly type: 'array'
  /** Absent: from the beginning. */
  readonly start: bigint | undefined
  /** Absent: to the end. */
  readonly end: bigint | undefined
  /** `end` was not written, it follows from an index that stands alone. */
  readonly isIndex: boolean
  readonly step: bigint | undefined
}

/** Chooses those items of an array for which the sides compare, or for which there is a left side (`exists`). */
export interface FilterNode {
  readonly type: 'filter'
  readonly left: readonly Node[]
  readonly operator: string
  readonly right: readonly Node[]
}

export type Node =
  | { readonly type: 'list'; readonly nodes: readonly Node[] }
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'field'; readonly name: string }
  | { readonly type: 'identifier'; readonly name: string }
  | { readonly type: 'literal'; readonly value: number | bigint | boolean }
  | { readonly type: 'wildcard' }
  | { readonly type: 'recursive' }
  | { readonly type: 'union'; readonly branches: readonly (readonly Node[])[] }
  | ArrayNode
  | FilterNode
