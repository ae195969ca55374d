// The errors of values that are not what their schema says.

/** One thing that is wrong: where (`.spec.replicas`, empty for the value itself) and what. */
export interface SchemaProblem {
  readonly path: string
  readonly message: string
}

const textOf = ({ path, message }: SchemaProblem): string => (path === '' ? message : `${path}: ${message}`)

/** A value is not what its schema says; the message lists all problems in the API server's words. */
export class SchemaError extends Error {
  override readonly name: string = 'SchemaError'
  readonly problems: readonly SchemaProblem[]

  constructor(problems: readonly SchemaProblem[]) {
    const [first] = problems
    super(
      problems.length === 1 && first
        ? textOf(first)
        : ['errors:', ...problems.map((each) => `  ${textOf(each)}`)].join('\n'),
    )
    this.problems = problems
  }
}

/** What an object has no type for: a schema without such a field, which validation tells before. */
export const noType = 'schema error: invalid atom: inlined'
