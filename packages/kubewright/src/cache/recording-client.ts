// A client that tells the reading side what it wrote.

import { ResourceClientImpl } from '../kubernetes/index.js'
import type { DeepReadonly, KubernetesObject } from '../meta/index.js'
import { metadataOf } from './indexer.js'
import type { ReadYourWrites } from './read-your-writes.js'

/** Where each verb that writes has its options. */
const optionsAt: ReadonlyMap<PropertyKey, number> = new Map([
  ['create', 1],
  ['update', 1],
  ['updateStatus', 1],
  ['patch', 2],
  ['apply', 1],
  ['applyStatus', 1],
  ['delete', 1],
])

interface WriteOptions {
  readonly dryRun?: unknown
  readonly subresource?: string | undefined
}

/**
 * The same client, whose answers are told to `reads` before they are returned: of create, update, updateStatus, patch, apply,
 * applyStatus and delete. Dry runs are not, nor answers of subresources other than `status`, nor `deleteCollection`.
 *
 * @param namespace the client's, where it is none of this library's typed or dynamic clients, which say theirs.
 */
export function recordingClient<C extends object, T extends KubernetesObject>(
  client: C,
  reads: ReadYourWrites<T>,
  namespace: string = client instanceof ResourceClientImpl ? (client.inNamespace ?? '') : '',
): C {
  return new Proxy(client, {
    get(target, verb) {
      const method: unknown = Reflect.get(target, verb)
      if (typeof method !== 'function') return method
      const position = optionsAt.get(verb)
      if (position === undefined) return method.bind(target) as unknown
      return async (...args: unknown[]): Promise<unknown> => {
        // By the time of the answer the watch may have brought the deletion already.
        const before = verb === 'delete' ? reads.getByKey(keyIn(namespace, String(args[0]))) : undefined
        const answer: unknown = await method.apply(target, args)
        if (isOfTheObject(args[position] as WriteOptions | undefined)) {
          if (verb === 'delete') recordDelete(reads, namespace, String(args[0]), before, answer as KubernetesObject)
          else reads.wrote(answer as DeepReadonly<T>)
        }
        return answer
      }
    },
  })
}

function isOfTheObject({ dryRun, subresource }: WriteOptions = {}): boolean {
  const isDry = Array.isArray(dryRun) ? dryRun.length > 0 : dryRun !== undefined
  return !isDry && (subresource === undefined || subresource === 'status')
}

/** A Status: it is gone. The object: it still has to go. */
function recordDelete<T extends KubernetesObject>(
  reads: ReadYourWrites<T>,
  namespace: string,
  name: string,
  before: DeepReadonly<T> | undefined,
  answer: KubernetesObject,
): void {
  if (answer.kind !== 'Status') {
    reads.wrote(answer as DeepReadonly<T>)
    return
  }
  const { uid } = (answer as { details?: { uid?: string } }).details ?? {}
  const deleted = { metadata: { name, ...(namespace && { namespace }), ...(uid && { uid }) } } as DeepReadonly<T>
  const isBefore = before !== undefined && (uid === undefined || metadataOf(before)?.uid === uid)
  reads.deleted(isBefore ? before : deleted)
}

function keyIn(namespace: string, name: string): string {
  return namespace === '' ? name : `${namespace}/${name}`
}
