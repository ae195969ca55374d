// Paths as users write them in custom columns and in --sort-by.

/**
 * A template of `metadata.name`, `.metadata.name`, `{metadata.name}` or `{.metadata.name}`: `{.metadata.name}`. Nothing stays
 * nothing.
 *
 * @throws Error when braces are in the wrong place
 */
export function relaxedJSONPathExpression(path: string): string {
  if (path === '') return ''
  const [all, braced, bare] = /^\{\.?([^{}]+)\}$|^\.?([^{}]+)$/.exec(path) ?? []
  if (all === undefined) {
    const forms = "'name1.name2' or '.name1.name2' or '{name1.name2}' or '{.name1.name2}'"
    throw new Error(`unexpected path string, expected a ${forms}`)
  }
  return `{.${braced ?? bare}}`
}
