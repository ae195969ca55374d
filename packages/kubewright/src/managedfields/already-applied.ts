// Telling, without the server, that an apply would change nothing.

import { type DeepReadonly, isObject, type KubernetesObject, ownMember, type Schema } from '../meta/index.js'
import { FieldSet } from './field-set.js'
import { lastApplied } from './last-applied.js'
import { managedPartOf } from './managed-part.js'
import { entriesOf, isEntryOf } from './managers.js'
import { TypedValue } from './typed-value.js'
import { Updater } from './updater.js'
import type { JsonObject } from './values.js'

/** Options of {@link alreadyApplied}. */
export interface AlreadyAppliedOptions {
  /** The subresource that would be applied to. The object itself by default. */
  readonly subresource?: string
}

/**
 * Whether an apply of `config` by `fieldManager` would certainly change nothing of `live`, so that it need not be sent.
 * `false` means that it would or could: send it.
 *
 * It is certain when all of this holds:
 * - apiVersion, kind and name are those of `live`, and so is the namespace if `config` has one;
 * - the manager's entry in `live`'s managedFields is of that version and owns just the fields that `config` has: none
 *   was taken from it by force, none is to be removed;
 * - `config` merged into `live` is `live`, value by value as JSON has them.
 *
 * So it is `false` also for what only looks different: a quantity or time in another form than the server's (`1000m`
 * for `1`), an empty object or list (the server drops most), the items of a list in another order, an atomic list or object
 * in which the server filled in defaults, fields that the server takes back (the status, when applied to the object itself).
 * Such a configuration is sent each time, and the server finds that nothing changes.
 *
 * **Caveats**: `live` may be behind the server, as everything that was read may: another's change since then is
 * undone at the reconciliation that it causes. Webhooks are not asked. An apply that changes nothing leaves the entry's
 * time as it is.
 *
 * @param live as it came from the server, with managedFields; an object from which they were stripped is never certain
 * @example
 * ```ts
 * const live = lister.deployments(namespace).get(name)
 * if (live && alreadyApplied(live, config, 'web-operator', DeploymentSchema)) return
 * await deployments.apply(config, { fieldManager: 'web-operator', force: true })
 * ```
 */
export function alreadyApplied(
  live: DeepReadonly<KubernetesObject>,
  config: object,
  fieldManager: string,
  schema: Schema,
  { subresource = '' }: AlreadyAppliedOptions = {},
): boolean {
  const before = live as JsonObject
  const applied = identified(before, config as JsonObject)
  if (!applied || entriesOf(applied)) return false
  // The server would write the annotation of client-side apply anew.
  if (fieldManager === 'kubectl' && lastApplied(before) !== undefined) return false
  const entries = entriesOf(before)?.filter((entry) => isEntryOf(entry, fieldManager, 'Apply', subresource))
  const [entry] = entries ?? []
  const apiVersion = entry?.apiVersion
  if (!apiVersion || entries?.length !== 1 || apiVersion !== ownMember(before, 'apiVersion')) return false
  try {
    const typed = TypedValue.of(applied, schema)
    const set = FieldSet.fromFieldsV1(entry.fieldsV1)
    if (!managedPartOf(typed.toFieldSet()).equals(set)) return false
    const current = TypedValue.of(before, schema, { allowDuplicates: true })
    // Not merged only: of list items without their key, one is removed that the configuration has.
    const owned = new Map([['', { set, apiVersion, applied: true }]])
    return sameVersion.apply(current, typed, apiVersion, owned, '', true).object === undefined
  } catch {
    // Whatever is wrong, the server shall say it.
    return false
  }
}

const sameVersion = new Updater({ convert: (value) => value })

/** The configuration as it would be sent to the live object; undefined if it is another's. */
function identified(live: JsonObject, config: JsonObject): JsonObject | undefined {
  for (const field of ['apiVersion', 'kind']) {
    const its = ownMember(config, field)
    if (its !== undefined && its !== ownMember(live, field)) return undefined
  }
  const metadata = ownMember(config, 'metadata')
  const liveMetadata = ownMember(live, 'metadata')
  if (!isObject(metadata) || !isObject(liveMetadata) || ownMember(metadata, 'name') !== ownMember(liveMetadata, 'name'))
    return undefined
  const namespace = ownMember(metadata, 'namespace')
  if (namespace !== undefined && namespace !== ownMember(liveMetadata, 'namespace')) return undefined
  return { ...config, apiVersion: ownMember(live, 'apiVersion'), kind: ownMember(live, 'kind') }
}
