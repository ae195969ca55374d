// An object as a patch makes it, by whichever of the media types the API server takes.

import { isObject, type JsonPatchOperation, messageOf, type Patch, type Unstructured } from '../meta/index.js'
import { applyJsonPatch, applyMergePatch, applyStrategicMergePatch, JsonPatchError } from '../patch/index.js'
import { newBadRequest, newInvalid, newUnsupportedMediaType } from './api-errors.js'
import type { ResourceInfo } from './resources.js'

export const applyPatchType = 'application/apply-patch+yaml'

const acceptedForCustomResources = ['application/json-patch+json', 'application/merge-patch+json', applyPatchType]

/** What a patch is applied to: a resource's objects, or its Scales. */
export type Patched = Pick<ResourceInfo, 'group' | 'kind' | 'builtIn' | 'schema'>

/**
 * The object as the patch makes it. The argument is not changed.
 *
 * @throws ApiError isInvalid for a JSON patch that does not fit, isBadRequest for what is no patch, isUnsupportedMediaType
 */
export function patchedObject(target: Patched, live: Unstructured, { contentType, body }: Patch): Unstructured {
  switch (contentType) {
    case 'application/json-patch+json':
      if (!Array.isArray(body)) throw newBadRequest('a JSON patch is a list of operations')
      return jsonPatched(target, live, body as JsonPatchOperation[])
    case 'application/merge-patch+json':
      return applyMergePatch(live, objectOf(body))
    case 'application/strategic-merge-patch+json': {
      // What a server knows of custom resources does not say how their lists merge.
      if (!target.builtIn) throw unknownFormat(acceptedForCustomResources)
      const patch = objectOf(body)
      const schema = target.schema ?? { type: 'untyped' }
      try {
        return applyStrategicMergePatch(live, patch, schema)
      } catch (err) {
        throw newBadRequest(messageOf(err))
      }
    }
    default:
      throw unknownFormat([...acceptedForCustomResources, 'application/strategic-merge-patch+json'])
  }
}

function jsonPatched(target: Patched, live: Unstructured, operations: readonly JsonPatchOperation[]): Unstructured {
  try {
    return applyJsonPatch(live, operations)
  } catch (err) {
    if (!(err instanceof JsonPatchError)) throw newBadRequest(messageOf(err))
    const invalid = newInvalid(target, live.metadata.name, [])
    invalid.message = `the server rejected our request due to an error in our request: ${err.message}`
    invalid.status.message = invalid.message
    throw invalid
  }
}

function objectOf(body: unknown): object {
  if (isObject(body)) return body
  throw newBadRequest('the patch is no object')
}

function unknownFormat(accepted: readonly string[]): Error {
  return newUnsupportedMediaType(
    `the body of the request was in an unknown format - accepted media types include: ${accepted.join(', ')}`,
  )
}
