// Which fields can be owned at all.

import { FieldSet } from './field-set.js'
import { makePath } from './path-element.js'

/** Never part of what is managed. */
const neverManaged: FieldSet = FieldSet.of(
  makePath('apiVersion'),
  makePath('kind'),
  makePath('metadata'),
  ...[
    'name',
    'namespace',
    'creationTimestamp',
    'selfLink',
    'uid',
    'clusterName',
    'generation',
    'managedFields',
    'resourceVersion',
  ].map((name) => makePath('metadata', name)),
)

/** What a set of fields counts for ownership: all but what identifies the object. */
export const managedPartOf = (set: FieldSet): FieldSet => set.difference(neverManaged)
