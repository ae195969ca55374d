// What the API says of a value beyond its TypeScript type: how its parts merge, and who can own them. Facts of `spec/`
// (OpenAPI's x-kubernetes-list-type, -list-map-keys, -map-type, -patch-strategy, -patch-merge-key), at run time.

/** How a value merges: of a built-in kind from `kubewright/schema/<group>/<version>`, of others by its OpenAPI schema. */
export type Schema = ScalarSchema | StructSchema | ListSchema | MapSchema | UntypedSchema

/**
 * A value that is replaced whole and has one owner. `any`: not held to one of the others, such as a Quantity, an
 * IntOrString or, as client-go has it, a Time.
 */
export interface ScalarSchema {
  readonly type: 'string' | 'integer' | 'number' | 'boolean' | 'any'
}

/** Anything: objects in it merge by key, lists in it are replaced whole. */
export interface UntypedSchema {
  readonly type: 'untyped'
  /** The whole value has one owner and is replaced whole by apply: the object inside a RawExtension. */
  readonly atomic?: boolean
}

/** An object whose fields are known. */
export interface StructSchema {
  readonly type: 'struct'
  /** The definition's name, for messages: `io.k8s.api.apps.v1.DeploymentSpec`. Absent for one that has none. */
  readonly name?: string
  /** Read on first use: definitions refer to each other in circles. */
  readonly fields: Readonly<Record<string, FieldSchema>>
  /**
   * Of fields that are not named, where a custom resource keeps them (`x-kubernetes-preserve-unknown-fields`). Absent
   * where there can be none, as in all built-in kinds.
   */
  readonly additional?: Schema
  /** The whole object has one owner and is replaced whole by apply. */
  readonly atomic?: boolean
}

/** A field of a struct. */
export interface FieldSchema {
  readonly schema: Schema
  /** Of strategic merge patches: lists and objects merge instead of being replaced; `retainKeys` drops what is not named. */
  readonly patchStrategy?: readonly ('merge' | 'replace' | 'retainKeys')[]
  /** The field that tells the list's items apart in strategic merge patches. */
  readonly patchMergeKey?: string
}

/** A list. By apply, an `atomic` one is replaced whole, a `set` merges by value, a `map` by the values of its keys. */
export interface ListSchema {
  readonly type: 'list'
  readonly items: Schema
  readonly listType: 'atomic' | 'set' | 'map'
  /** Of `map`: the fields whose values tell items apart. */
  readonly keys?: readonly string[]
  /** Defaults of key fields that may be left out: `{ protocol: 'TCP' }`. */
  readonly keyDefaults?: Readonly<Record<string, unknown>>
}

/** An object whose keys are free, such as labels. */
export interface MapSchema {
  readonly type: 'map'
  readonly values: Schema
  readonly atomic?: boolean
}
