// A template of kubectl's JSONPath, ready to be applied to data.

import { Evaluation } from './evaluation.js'
import type { Node } from './nodes.js'
import { parseTemplate } from './parser.js'
import { jsonOf, printValue } from './print.js'

/** Options of {@link jsonPath}. */
export interface JSONPathOptions {
  /** Fields that are not there are passed over instead of failing, as kubectl does. @defaultValue false */
  allowMissingKeys?: boolean | undefined
  /** `execute` prints the results of each text and each action as a JSON array, as `-o jsonpath-as-json` does. @defaultValue false */
  jsonOutput?: boolean | undefined
}

/**
 * A template as `kubectl get -o jsonpath=` takes it: `{.items[*].metadata.name}`.
 *
 * Text stands as it is; what is in braces chooses: `.field` (`\.` is a dot within its name), `['field']`, `[0]`, `[-1]`,
 * `[1:3]`, `[::2]`, `[*]`, `['a', 'b']`, `.*`, `..` for everything below, `[?(@.type=="Ready")]` with `==`, `!=`, `<`, `<=`, `>`,
 * `>=` or nothing for existence, `{range .items[*]}…{end}`, `{"text\n"}`. Without braces, `.metadata.name` is mere text;
 * {@link relaxedJSONPathExpression} puts them around, as kubectl does for its columns and `--sort-by`.
 *
 * Data is plain JSON; whole numbers may be bigints.
 *
 * **Guarantees**
 * - May be applied any number of times; data is only read.
 * - Maps are walked in the order of their keys, where client-go's order is another each time.
 * - Templates and data from elsewhere do no harm: nothing is inherited from `Object`, data that contains itself, depth
 *   and templates that find more than 20 million values end in an error.
 *
 * **Caveats**
 * - `$` in a range or a filter is its item, not the root, and `&&` does not exist: it is kubectl's JSONPath, not RFC 9535.
 * - `..` finds text as well, and `.*` of a text its bytes.
 *
 * @throws Error in client-go's words when the template cannot be read
 */
export function jsonPath(template: string, options: JSONPathOptions = {}): JSONPath {
  return new JSONPath(template, options)
}

/** What {@link jsonPath} makes. */
export class JSONPath {
  /** As it was given. */
  readonly template: string
  readonly #nodes: readonly Node[]
  readonly #allowMissingKeys: boolean
  readonly #jsonOutput: boolean

  /** @internal */
  constructor(template: string, { allowMissingKeys = false, jsonOutput = false }: JSONPathOptions) {
    if (typeof template !== 'string') throw new TypeError(`a JSONPath template is a text, not ${typeof template}`)
    this.template = template
    this.#nodes = parseTemplate(template)
    this.#allowMissingKeys = allowMissingKeys
    this.#jsonOutput = jsonOutput
  }

  /**
   * What the template makes of the data, as text: values separated by spaces, maps and arrays as compact JSON.
   *
   * @throws Error as {@link JSONPath.findResults}
   * @throws TypeError for a value that JSON does not have, such as a Date or NaN
   */
  execute(data: unknown): string {
    return this.findResults(data)
      .map((results) => this.printResults(results))
      .join('')
  }

  /**
   * The values found by each text and each action in braces, in their order; within a range, once for each of its
   * items. They are the data's own, not copies.
   *
   * @throws Error in client-go's words: `name is not found`, `array index out of bounds: index 3, length 3`, …
   */
  findResults(data: unknown): unknown[][] {
    const evaluation = new Evaluation(this.#nodes, { allowMissingKeys: this.#allowMissingKeys })
    return evaluation.run(data ?? undefined)
  }

  /** Values as {@link JSONPath.execute} prints those of one action. Throws a TypeError as it does. */
  printResults(results: readonly unknown[]): string {
    return this.#jsonOutput ? `${jsonOf(results, '    ')}\n` : results.map(printValue).join(' ')
  }
}
