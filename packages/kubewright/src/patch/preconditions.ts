// Conditions that a computed patch has to meet before it is handed out.

import { goValue, isObject, ownMember } from '../meta/index.js'
import { PreconditionFailedError, withoutData } from './errors.js'

/** Looks at a computed patch: whether it may be handed out. client-go's mergepatch.PreconditionFunc. */
export type PatchPrecondition = (patch: Readonly<Record<string, unknown>>) => boolean

/** The patch must not change a field at the top: `requireKeyUnchanged('apiVersion')`. */
export function requireKeyUnchanged(key: string): PatchPrecondition {
  return (patch) => !Object.hasOwn(patch, key)
}

/** The patch must not change a field of `metadata`: `requireMetadataKeyUnchanged('name')`. */
export function requireMetadataKeyUnchanged(key: string): PatchPrecondition {
  return (patch) => {
    const metadata = ownMember(patch, 'metadata')
    return !isObject(metadata) || !Object.hasOwn(metadata, key)
  }
}

/** Throws where a condition does not hold. */
export function check(patch: Record<string, unknown>, preconditions: readonly PatchPrecondition[] = []): void {
  for (const holds of preconditions) {
    if (!holds(patch)) throw new PreconditionFailedError(`precondition failed for: ${goValue(withoutData(patch))}`)
  }
}
