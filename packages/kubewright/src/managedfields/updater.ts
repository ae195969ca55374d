// Who owns what after a change: merge.Updater of structured-merge-diff.

import type { Comparison } from './compare.js'
import { Conflicts } from './conflicts.js'
import { FieldSet } from './field-set.js'
import type { FieldFilter } from './filter.js'
import type { Managers, VersionedSet } from './managers.js'
import { reconcileFieldSetWithSchema } from './reconcile-schema.js'
import type { TypedValue } from './typed-value.js'
import { equalValues } from './values.js'

/** Converts values between versions; undefined for a version that does not exist (any more). */
export interface Converter {
  convert(value: TypedValue, apiVersion: string): TypedValue | undefined
}

/** Throws what `work` throws, with what was being done before its message. */
function doing<T>(what: string, work: () => T): T {
  try {
    return work()
  } catch (err) {
    throw new Error(`${what}: ${(err as Error).message}`, { cause: err })
  }
}

/** Computes the managers of changed objects, and merges what is applied. */
export class Updater {
  readonly #converter: Converter
  readonly #filters: Readonly<Record<string, FieldFilter>>

  /** `filters`, by version, say what can be owned at all. */
  constructor(converter: Converter, filters: Readonly<Record<string, FieldFilter>> = {}) {
    this.#converter = converter
    this.#filters = filters
  }

  #filter(apiVersion: string): FieldFilter {
    return (Object.hasOwn(this.#filters, apiVersion) && this.#filters[apiVersion]) || ((set) => set)
  }

  #filtered({ added, removed, modified }: Comparison, apiVersion: string): Comparison {
    const filter = this.#filter(apiVersion)
    return { added: filter(added), removed: filter(removed), modified: filter(modified) }
  }

  /** The managers after `manager` changed `live` to `next` by create, update or patch: it owns what it changed. */
  update(live: TypedValue, next: TypedValue, apiVersion: string, managers: Managers, manager: string): Managers {
    const reconciled = this.#reconcile(live, managers)
    const { removed, modified, added } = this.#take(live, next, apiVersion, reconciled, manager, true)
    const before = reconciled.get(manager)?.set ?? FieldSet.of()
    const set = this.#filter(apiVersion)(before.difference(removed).union(modified).union(added))
    if (set.empty) reconciled.delete(manager)
    else reconciled.set(manager, { set, apiVersion, applied: false })
    return reconciled
  }

  /**
   * The object and its managers after `manager` applied `config` to `live`. No object: nothing in it changed.
   *
   * @throws Conflicts when others own what would change, unless forced
   */
  apply(
    live: TypedValue,
    config: TypedValue,
    apiVersion: string,
    managers: Managers,
    manager: string,
    force: boolean,
  ): { object: TypedValue | undefined; managers: Managers } {
    const reconciled = this.#reconcile(live, managers)
    const merged = doing('failed to merge config', () => live.merge(config))
    const last = reconciled.get(manager)
    reconciled.set(manager, { set: this.#filter(apiVersion)(config.toFieldSet()), apiVersion, applied: true })
    const object = doing('failed to prune fields', () => this.#prune(merged, reconciled, apiVersion, last))
    this.#take(live, object, apiVersion, reconciled, manager, force)
    return { object: equalValues(live.value, object.value) ? undefined : object, managers: reconciled }
  }

  /** Takes from the others what changes, and from all what is gone. */
  #take(
    live: TypedValue,
    next: TypedValue,
    apiVersion: string,
    managers: Managers,
    manager: string,
    force: boolean,
  ): Comparison {
    const own = this.#filtered(
      doing('failed to compare objects', () => live.compare(next)),
      apiVersion,
    )
    const byVersion = new Map<string, Comparison>([[apiVersion, own]])
    const conflicts = new Map<string, FieldSet>()
    const removed = new Map<string, FieldSet>()
    for (const [other, versioned] of [...managers]) {
      if (other === manager) continue
      let comparison = byVersion.get(versioned.apiVersion)
      if (!comparison) {
        const before = doing('failed to convert old object', () => this.#converter.convert(live, versioned.apiVersion))
        const after =
          before && doing('failed to convert new object', () => this.#converter.convert(next, versioned.apiVersion))
        if (!before || !after) {
          managers.delete(other)
          continue
        }
        comparison = this.#filtered(
          doing('failed to compare objects', () => before.compare(after)),
          versioned.apiVersion,
        )
        byVersion.set(versioned.apiVersion, comparison)
      }
      const conflict = versioned.set.intersection(comparison.modified.union(comparison.added))
      if (!conflict.empty) conflicts.set(other, conflict)
      if (!comparison.removed.empty) removed.set(other, comparison.removed)
    }
    if (!force && conflicts.size > 0) throw Conflicts.of(conflicts)
    for (const lost of [conflicts, removed]) for (const [other, set] of lost) lose(managers, other, set)
    for (const [other, { set }] of managers) if (set.empty) managers.delete(other)
    return own
  }

  /** Removes what its applier stated last time and states no longer, and nobody else owns. */
  #prune(merged: TypedValue, managers: Managers, apiVersion: string, last: VersionedSet | undefined): TypedValue {
    if (!last || last.set.empty) return merged
    const converted = doing('failed to convert merged object to last applied version', () =>
      this.#converter.convert(merged, last.apiVersion),
    )
    if (!converted) return merged
    const without = converted.removeItems(last.set.ensureNamedFieldsAreMembers(converted.schema))
    const owned = doing('failed add back owned items', () =>
      this.#addBackOwned(converted, without, last.apiVersion, managers),
    )
    const pruned = doing('failed add back dangling items', () => this.#addBackDangling(converted, owned, last))
    const result = this.#converter.convert(pruned, apiVersion)
    if (!result) throw new Error(`cannot convert the object back to ${apiVersion}`)
    return result
  }

  /** What was removed too much: what a manager owns. The version of the last apply comes first. */
  #addBackOwned(merged: TypedValue, pruned: TypedValue, first: string, managers: Managers): TypedValue {
    const owned = new Map<string, FieldSet>()
    for (const { set, apiVersion } of managers.values()) owned.set(apiVersion, owned.get(apiVersion)?.union(set) ?? set)
    const versions = [first, ...[...owned.keys()].filter((version) => version !== first)]
    let current = { merged, pruned }
    for (const version of versions) {
      const set = owned.get(version)
      if (set) current = this.#addBackOwnedAt(current.merged, current.pruned, version, set)
    }
    return current.pruned
  }

  #addBackOwnedAt(
    merged: TypedValue,
    pruned: TypedValue,
    apiVersion: string,
    owned: FieldSet,
  ): { merged: TypedValue; pruned: TypedValue } {
    const all = doing(`failed to convert merged object at version ${apiVersion}`, () =>
      this.#converter.convert(merged, apiVersion),
    )
    if (!all) return { merged, pruned }
    const some = doing(`failed to convert pruned object at version ${apiVersion}`, () =>
      this.#converter.convert(pruned, apiVersion),
    )
    if (!some) return { merged: all, pruned }
    const named = (set: FieldSet): FieldSet => set.ensureNamedFieldsAreMembers(all.schema)
    const tooMuch = named(all.toFieldSet()).difference(named(some.toFieldSet()).union(named(owned)))
    return { merged: all, pruned: all.removeItems(tooMuch) }
  }

  /** What was removed too much: what the applier did not own, though nobody else does. */
  #addBackDangling(merged: TypedValue, pruned: TypedValue, last: VersionedSet): TypedValue {
    const converted = doing('failed to convert pruned object to last applied version', () =>
      this.#converter.convert(pruned, last.apiVersion),
    )
    if (!converted) return merged
    const named = (set: FieldSet): FieldSet => set.ensureNamedFieldsAreMembers(merged.schema)
    const gone = named(merged.toFieldSet()).difference(named(converted.toFieldSet()))
    return merged.removeItems(gone.intersection(named(last.set)))
  }

  /** The managers by today's schema, without those of versions that do not exist any more. A map of its own. */
  #reconcile(live: TypedValue, managers: Managers): Managers {
    const result: Managers = new Map()
    for (const [manager, versioned] of managers) {
      const converted = this.#converter.convert(live, versioned.apiVersion)
      if (converted)
        result.set(manager, { ...versioned, set: reconcileFieldSetWithSchema(versioned.set, converted.schema) })
    }
    return result
  }
}

function lose(managers: Managers, manager: string, set: FieldSet): void {
  const versioned = managers.get(manager)
  if (versioned) managers.set(manager, { ...versioned, set: versioned.set.difference(set) })
}
