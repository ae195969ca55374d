// Which objects the options of a list or watch select.

import {
  type ListOptions,
  messageOf,
  parseFieldSelector,
  parseLabelSelector,
  type Unstructured,
} from '../meta/index.js'
import { newBadRequest } from './api-errors.js'
import { fieldsOf, selectableFields, unknownField } from './kind-rules.js'
import type { ResourceInfo } from './resources.js'

/** Which objects are meant. */
export interface ObjectFilter {
  /** `''`: all. */
  readonly namespace: string
  readonly matches: (object: Unstructured) => boolean
}

/** What the options select. @throws ApiError isBadRequest for a selector that is none, or one by a field that there is not */
export function filterOf(info: ResourceInfo, namespace: string, opts: ListOptions): ObjectFilter {
  const labels = parsed(() => parseLabelSelector(opts.labelSelector ?? ''))
  const fields = parsed(() => parseFieldSelector(opts.fieldSelector ?? ''))
  const known = selectableFields(info, info.namespaced, info.selectableFields)
  const names = fields.requirements.map(({ field }) => field)
  for (const name of names) if (!known.includes(name)) throw newBadRequest(unknownField(info, name))
  return {
    namespace,
    matches: (object) =>
      labels.matches(object.metadata.labels) && (fields.empty || fields.matches(fieldsOf(info, object, names))),
  }
}

function parsed<R>(parse: () => R): R {
  try {
    return parse()
  } catch (err) {
    throw newBadRequest(messageOf(err))
  }
}
