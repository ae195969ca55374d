// Labels and annotations of an object's metadata, whether or not it has any yet.

import { setMember } from './members.js'

// With names, so that metadata which has a name and nothing else yet is one.
interface MetaDataMaps {
  name?: string
  generateName?: string
  labels?: Record<string, string>
  annotations?: Record<string, string>
}

interface ReadonlyMetaDataMaps {
  readonly name?: string
  readonly generateName?: string
  readonly labels?: Readonly<Record<string, string>>
  readonly annotations?: Readonly<Record<string, string>>
}

/** Whether the metadata has the label, with whatever value. */
export function hasLabel(metadata: ReadonlyMetaDataMaps | undefined, key: string): boolean {
  return Object.hasOwn(metadata?.labels ?? {}, key)
}

/** Whether the metadata has the annotation, with whatever value. */
export function hasAnnotation(metadata: ReadonlyMetaDataMaps | undefined, key: string): boolean {
  return Object.hasOwn(metadata?.annotations ?? {}, key)
}

/** Sets a label. */
export function setMetaDataLabel(metadata: MetaDataMaps, key: string, value: string): void {
  setMember((metadata.labels ??= {}), key, value)
}

/** Sets an annotation. */
export function setMetaDataAnnotation(metadata: MetaDataMaps, key: string, value: string): void {
  setMember((metadata.annotations ??= {}), key, value)
}
