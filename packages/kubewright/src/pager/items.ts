// What a page is, and what it holds.

/** Any list that an API answers with. */
export interface ListLike {
  metadata?:
    | {
        resourceVersion?: string | undefined
        continue?: string | undefined
        remainingItemCount?: number | undefined
      }
    | undefined
  /** Servers written in Go send null for none. */
  items?: unknown[] | null | undefined
}

/** @throws TypeError when it is no list. */
export function itemsOf<L extends ListLike>(list: L): NonNullable<L['items']> {
  const items = isListLike(list) ? (list.items ?? []) : undefined
  if (!Array.isArray(items)) throw new TypeError(`returned object must be a list: got ${describe(list)}`)
  return items
}

/** What says that it is something else, such as a Status, must not pass for a list without items. */
function isListLike(value: unknown): value is ListLike {
  if (value === null || typeof value !== 'object' || Array.isArray(value)) return false
  const { kind, items } = value as { kind?: unknown; items?: unknown }
  return Array.isArray(items) || kind === undefined || (typeof kind === 'string' && kind.endsWith('List'))
}

function describe(value: unknown): string {
  if (value === null || typeof value !== 'object') return String(value)
  if (Array.isArray(value)) return 'an array'
  const { kind } = value as { kind?: unknown }
  return typeof kind === 'string' ? `an object of kind ${kind} whose items are none` : 'an object whose items are none'
}
