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
  const items = list !== null && typeof list === 'object' ? (list.items ?? []) : undefined
  if (!Array.isArray(items)) throw new TypeError(`returned object must be a list: got ${describe(list)}`)
  return items
}

function describe(value: unknown): string {
  if (value === null || typeof value !== 'object') return String(value)
  const { kind } = value as { kind?: unknown }
  return typeof kind === 'string' ? `an object of kind ${kind} whose items are none` : 'an object whose items are none'
}
