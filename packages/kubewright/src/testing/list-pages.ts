// Lists that are read in pages: what follows a page waits here, as it was when the first was read.

import type { Unstructured } from '../meta/index.js'
import { newResourceExpired } from './api-errors.js'

/** How many lists may wait for their next page to be asked for. */
const maxPagedLists = 100

/** The rest of a list, and the version that all of it shows. */
export interface PagedList {
  readonly items: readonly Unstructured[]
  readonly version: number
}

/** Rests of lists, by their continue tokens. */
export class ListPages {
  readonly #rests = new Map<string, PagedList>()
  #lastPage = 0

  /** The token by which the rest is asked for; the oldest of more than a hundred is forgotten. */
  keep(rest: PagedList): string {
    const token = btoa(JSON.stringify({ v: 'meta.k8s.io/v1', rv: rest.version, page: ++this.#lastPage }))
    this.#rests.set(token, rest)
    for (const oldest of this.#rests.keys()) {
      if (this.#rests.size <= maxPagedLists) break
      this.#rests.delete(oldest)
    }
    return token
  }

  /** @throws ApiError isResourceExpired for a token that is not known */
  get(token: string): PagedList {
    const rest = this.#rests.get(token)
    if (rest) return rest
    throw newResourceExpired(
      'The provided continue parameter is too old to display a consistent list result. You must start a new list without the continue parameter.',
    )
  }
}
