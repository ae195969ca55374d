// JSON patches (RFC 6902), applied as kube-apiserver applies them, its messages included.

import { type JsonPatchOperation, ownMember, setMember } from '../meta/index.js'
import { JsonPatchError } from './errors.js'
import { copyJson, copyObject, equalJson, type JsonObject } from './json-value.js'

/** What holds members or items; undefined where a pointer leads nowhere. */
type Container = JsonObject | unknown[]

/**
 * What a document becomes by a JSON patch; all steps are done or none.
 *
 * **Guarantees** Neither argument is changed, and the result shares nothing with them.
 *
 * **Caveats** As kube-apiserver, where RFC 6902 would have an error: `replace` of a member that is not there adds it, `copy`
 * of one adds `null`, `test` takes it for `null`; and a negative index counts from the end of a list.
 *
 * @throws JsonPatchError with the number of the step that does not apply
 * @throws TypeError for an argument that has what JSON has not, or is no list of objects
 */
export function applyJsonPatch<T extends object>(document: T, operations: readonly JsonPatchOperation[]): T {
  const holder = { root: copyJson<unknown>(document, 'the document') as Container }
  if (!Array.isArray(operations))
    throw new TypeError('a JSON patch is a list of operations; applyMergePatch takes an object')
  operations.forEach((operation, index) => {
    try {
      apply(holder, copyObject(operation, `step ${index} of the JSON patch`))
    } catch (err) {
      throw err instanceof Failure ? new JsonPatchError(index, err.message) : err
    }
  })
  return holder.root as T
}

/** Becomes a {@link JsonPatchError}. */
class Failure extends Error {}

interface Step {
  readonly op?: unknown
  readonly path?: unknown
  readonly from?: unknown
  readonly value?: unknown
}

function apply(holder: { root: Container }, step: Step): void {
  switch (step.op) {
    case 'add':
      return add(holder.root, step)
    case 'remove':
      return remove(holder.root, step)
    case 'replace':
      return replace(holder, step)
    case 'move':
      return move(holder.root, step)
    case 'copy':
      return copy(holder.root, step)
    case 'test':
      return test(holder.root, step)
    default:
      throw new Failure(`Unexpected kind: ${typeof step.op === 'string' ? step.op : 'unknown'}`)
  }
}

function add(root: Container, step: Step): void {
  const path = pathOf(step, 'add operation failed to decode path: missing value')
  const place = find(root, path)
  if (!place) throw new Failure(`add operation does not apply: doc is missing path: "${path}": missing value`)
  attempt(`error in add for path: '${path}'`, () => insert(place, step.value ?? null))
}

function remove(root: Container, step: Step): void {
  const path = pathOf(step, 'remove operation failed to decode path: missing value')
  const place = find(root, path)
  if (!place) throw new Failure(`remove operation does not apply: doc is missing path: "${path}": missing value`)
  attempt(`error in remove for path: '${path}'`, () => drop(place))
}

function replace(holder: { root: Container }, step: Step): void {
  const path = pathOf(step, `replace operation failed to decode path: ${missingPath}`)
  if (path === '') {
    if (!isContainer(step.value)) {
      throw new Failure('replace operation value must be object or array: %!w(<nil>)')
    }
    holder.root = step.value
    return
  }
  const place = find(holder.root, path)
  if (!place) throw new Failure(`replace operation does not apply: doc is missing path: ${path}: missing value`)
  attempt(undefined, () => read(place), `replace operation does not apply: doc is missing key: ${path}: missing value`)
  const { container, key } = place
  if (Array.isArray(container)) container[existing(container, key)] = step.value ?? null
  else setMember(container, key, step.value ?? null)
}

function move(root: Container, step: Step): void {
  const from = fromOf(step, 'move')
  const source = find(root, from)
  if (!source) throw new Failure(`move operation does not apply: doc is missing from path: ${from}: missing value`)
  const context = `error in move for path: '${source.key}'`
  const value = attempt(context, () => read(source))
  attempt(context, () => drop(source))
  const path = pathOf(step, `move operation failed to decode path: ${missingPath}`)
  const place = find(root, path)
  if (!place)
    throw new Failure(`move operation does not apply: doc is missing destination path: ${path}: missing value`)
  attempt(`error in move for path: '${path}'`, () => insert(place, value ?? null))
}

function copy(root: Container, step: Step): void {
  const from = fromOf(step, 'copy')
  const source = find(root, from)
  if (!source) throw new Failure(`copy operation does not apply: doc is missing from path: ${from}: missing value`)
  const value = attempt(`error in copy for from: '${from}'`, () => read(source))
  const path = pathOf(step, 'copy operation failed to decode path: missing value')
  const place = find(root, path)
  if (!place)
    throw new Failure(`copy operation does not apply: doc is missing destination path: ${path}: missing value`)
  attempt('error while adding value during copy', () => insert(place, copyJson(value ?? null, 'the document')))
}

function test(root: Container, step: Step): void {
  const path = pathOf(step, `test operation failed to decode path: ${missingPath}`)
  let value: unknown = root
  if (path !== '') {
    const place = find(root, path)
    if (!place) throw new Failure(`test operation does not apply: is missing path: ${path}: missing value`)
    value = attempt(`error in test for path: '${path}'`, () => read(place))
  }
  if (!equalJson(value ?? null, step.value ?? null)) throw new Failure(`testing value ${path} failed: test failed`)
}

const missingPath = 'operation missing path field: missing value'

function pathOf(step: Step, missing: string): string {
  if (typeof step.path === 'string') return step.path
  throw new Failure(missing)
}

function fromOf(step: Step, op: string): string {
  if (typeof step.from === 'string') return step.from
  throw new Failure(`${op} operation failed to decode from: operation, missing from field: missing value`)
}

function attempt<T>(context: string | undefined, action: () => T, instead?: string): T {
  try {
    return action()
  } catch (err) {
    if (!(err instanceof Failure)) throw err
    throw new Failure(instead ?? `${context}: ${err.message}`)
  }
}

/** A member or an item, there or not, and what holds it. */
interface Place {
  readonly container: Container
  readonly key: string
}

/** Where a pointer leads; undefined where there is nothing that could hold it. */
function find(root: Container, pointer: string): Place | undefined {
  const parts = pointer.split('/').slice(1).map(unescapePointer)
  const key = parts.pop()
  if (key === undefined) return undefined
  let container = root
  for (const part of parts) {
    const next = memberOf(container, part)
    if (!isContainer(next)) return undefined
    container = next
  }
  return { container, key }
}

function memberOf(container: Container, key: string): unknown {
  if (!Array.isArray(container)) return ownMember(container, key)
  const index = indexOf(key)
  return index === undefined ? undefined : container.at(index)
}

function unescapePointer(part: string): string {
  return part.includes('~') ? part.replace(/~[01]/g, (escaped) => (escaped === '~1' ? '/' : '~')) : part
}

function isContainer(value: unknown): value is Container {
  return typeof value === 'object' && value !== null
}

/** A number as strconv.Atoi reads it. */
function indexOf(key: string): number | undefined {
  return /^[+-]?\d+$/.test(key) ? Number(key) + 0 : undefined
}

function notANumber(key: string): Failure {
  return new Failure(`strconv.Atoi: parsing ${JSON.stringify(key)}: invalid syntax`)
}

const invalidIndex = (index: number): Failure =>
  new Failure(`Unable to access invalid index: ${index}: invalid index referenced`)

/** The index of an item that is there. */
function existing(list: readonly unknown[], key: string): number {
  const index = indexOf(key)
  if (index === undefined) throw notANumber(key)
  if (index >= list.length || index < -list.length) throw invalidIndex(index)
  return index < 0 ? index + list.length : index
}

function read({ container, key }: Place): unknown {
  return Array.isArray(container) ? container[existing(container, key)] : ownMember(container, key)
}

function insert({ container, key }: Place, value: unknown): void {
  if (!Array.isArray(container)) return setMember(container, key, value)
  if (key === '-') {
    container.push(value)
    return
  }
  const index = indexOf(key)
  if (index === undefined) {
    throw new Failure(`value was not a proper array index: '${key}': ${notANumber(key).message}`)
  }
  const size = container.length + 1
  if (index >= size || index < -size) throw invalidIndex(index)
  container.splice(index < 0 ? index + size : index, 0, value)
}

function drop({ container, key }: Place): void {
  if (Array.isArray(container)) container.splice(existing(container, key), 1)
  else if (Object.hasOwn(container, key)) delete container[key]
  else throw new Failure(`Unable to remove nonexistent key: ${key}: missing value`)
}
