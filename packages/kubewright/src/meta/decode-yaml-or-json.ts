// Manifests: texts with objects, as they are written for kubectl.

import { isObject } from './is-object.js'
import type { UnstructuredInput } from './unstructured.js'
import { parseYAML } from './yaml.js'

/**
 * The objects of a YAML or JSON text, in their order: what client-go's NewYAMLOrJSONDecoder gives one after the other.
 *
 * Plain values are what they are to kubectl and the API server: `0644` is 420 and `yes` is true, where libraries for YAML 1.2
 * read 644 and a text. Integers of 64 bits that are beyond 2^53 become bigints.
 *
 * **Guarantees**: errors hold nothing of the text; aliases cannot make more of a text than it is worth.
 *
 * **Caveats**: documents that hold nothing are left out. A `List` stays one object. JSON objects that only follow each other,
 * without `---` between them, are not read.
 *
 * @example
 * ```ts
 * import { readFile } from 'node:fs/promises'
 *
 * for (const object of await decodeYAMLOrJSON(await readFile('web.yaml', 'utf8'))) console.log(object.kind)
 * ```
 * @throws YAMLSyntaxError with line and column when it is neither
 * @throws TypeError for a document that is no object, naming it by its number from 1, and for what is no text
 */
export async function decodeYAMLOrJSON(text: string): Promise<UnstructuredInput[]> {
  if (typeof text !== 'string') throw new TypeError(`YAML or JSON is read of text, not of ${typeof text}`)
  const documents = await parseYAML(text, { bigints: true })
  return documents.flatMap((document, i) => {
    if (document === null || document === undefined) return []
    if (isObject(document)) return [document]
    throw new TypeError(
      `document ${i + 1} is no object but ${Array.isArray(document) ? 'a list' : `a ${typeof document}`}`,
    )
  })
}
