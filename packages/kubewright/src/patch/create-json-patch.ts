// The JSON patch between two documents.

import { isObject, type JsonPatchOperation } from '../meta/index.js'
import { copyJson, copyObject, equalJson, type JsonObject } from './json-value.js'

/**
 * The JSON patch that makes `modified` of `original`: `add`, `remove` and `replace` steps, where members differ and no
 * higher. Lists are compared item by item after what both begin and end with.
 *
 * **Guarantees** Applied to `original` it gives `modified`, also where that has nulls, which a merge patch cannot say.
 *
 * **Caveats** It replaces whatever is there when it is applied: put `{ op: 'test', path: '/metadata/resourceVersion', value }`
 * before it where nobody else's change shall be lost.
 * @throws TypeError for an argument that is no object, or has what JSON has not
 */
export function createJsonPatch(original: object, modified: object): JsonPatchOperation[] {
  const steps: JsonPatchOperation[] = []
  compareObjects(copyObject(original, 'the original'), copyObject(modified, 'the modified object'), '', steps)
  return steps
}

function compare(before: unknown, after: unknown, path: string, steps: JsonPatchOperation[]): void {
  if (isObject(before) && isObject(after)) compareObjects(before, after, path, steps)
  else if (Array.isArray(before) && Array.isArray(after)) compareLists(before, after, path, steps)
  else if (!equalJson(before, after)) steps.push({ op: 'replace', path, value: after })
}

function compareObjects(before: JsonObject, after: JsonObject, path: string, steps: JsonPatchOperation[]): void {
  for (const key of Object.keys(before)) {
    if (!Object.hasOwn(after, key)) steps.push({ op: 'remove', path: join(path, key) })
  }
  for (const key of Object.keys(after)) {
    if (!Object.hasOwn(before, key)) steps.push({ op: 'add', path: join(path, key), value: after[key] })
    else compare(before[key], after[key], join(path, key), steps)
  }
}

function compareLists(
  before: readonly unknown[],
  after: readonly unknown[],
  path: string,
  steps: JsonPatchOperation[],
): void {
  const shorter = Math.min(before.length, after.length)
  let start = 0
  while (start < shorter && equalJson(before[start], after[start])) start++
  let same = 0
  while (same < shorter - start && equalJson(before.at(-1 - same), after.at(-1 - same))) same++
  const [beforeEnd, afterEnd] = [before.length - same, after.length - same]
  const both = Math.min(beforeEnd, afterEnd)
  for (let i = start; i < both; i++) compare(before[i], after[i], join(path, String(i)), steps)
  // From behind, as each removal moves what follows it.
  for (let i = beforeEnd - 1; i >= both; i--) steps.push({ op: 'remove', path: join(path, String(i)) })
  for (let i = both; i < afterEnd; i++) {
    steps.push({ op: 'add', path: join(path, String(i)), value: copyJson(after[i], 'the modified object') })
  }
}

function join(path: string, key: string): string {
  return `${path}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`
}
