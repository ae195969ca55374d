// Objects in messages.

import { isObject, ownMember, parseGroupVersion } from '../meta/index.js'
import type { JsonObject } from './values.js'

/** A text property; empty for every other value. */
export function textOf(object: unknown, name: string): string {
  const value = isObject(object) ? ownMember(object, name) : undefined
  return typeof value === 'string' ? value : ''
}

/** An object for messages, as the API server has it: `default/web; apps/v1, Kind=Deployment`. */
export function describeObject(object: JsonObject): string {
  const metadata = ownMember(object, 'metadata')
  return `${textOf(metadata, 'namespace')}/${textOf(metadata, 'name')}; ${groupVersionKind(object)}`
}

export function groupVersionKind(object: JsonObject): string {
  const apiVersion = textOf(object, 'apiVersion')
  let group = ''
  let version = apiVersion
  try {
    ;({ group, version } = parseGroupVersion(apiVersion))
  } catch {
    // Said as it stands.
  }
  return `${group}/${version}, Kind=${textOf(object, 'kind')}`
}
