// The reflector's list: which version and page size it asks for, and what it does when the server cannot serve them.

import { isExpiredOrGone, type KubernetesList, type KubernetesObject, messageOf } from '../meta/index.js'
import { defaultPageSize, type PagedList } from '../pager/index.js'
import { isTable } from './consume-watch.js'
import { listPages } from './paged-list.js'
import type { ReflectorContext } from './reflector-context.js'
import { isAnswerTooLarge, isTooLargeResourceVersion } from './watch-errors.js'

export class ReflectorLister<T extends KubernetesObject> {
  readonly #context: ReflectorContext<T>
  /** The server pages even lists of any version: it serves them from storage, so it may as well page all of them. */
  #serverPages = false
  /** Everything in one answer is more than is allowed. */
  #needsPages = false

  constructor(context: ReflectorContext<T>) {
    this.#context = context
  }

  /**
   * Lists everything and replaces the store's content with it.
   *
   * @throws Error `failed to list …` or `unable to sync …`, with its cause; the signal's reason when it aborts.
   */
  async list(signal: AbortSignal): Promise<void> {
    const { store, versions, typeDescription } = this.#context
    const requested = this.#needsPages ? '' : versions.relist()
    let result: PagedList<KubernetesList<T>>
    try {
      result = await this.#listAt(requested, this.#pageSize(requested), signal)
    } catch (err) {
      signal.throwIfAborted()
      const hint = isAnswerTooLarge(err) ? '; what an informer asks for at a time is its option pageSize' : ''
      throw new Error(`failed to list ${typeDescription}: ${messageOf(err)}${hint}`, { cause: err })
    }
    if (requested === '0' && result.paginated && !this.#needsPages) this.#serverPages = true
    versions.unavailable = false

    const resourceVersion = result.list.metadata?.resourceVersion ?? ''
    try {
      // Servers written in Go send null for none.
      store.replace(result.list.items ?? [], resourceVersion)
    } catch (err) {
      throw new Error(`unable to sync list result: ${messageOf(err)}`, { cause: err })
    }
    versions.last = resourceVersion
  }

  /**
   * Tries once more, at once, at the newest version, where the requested one is no use; or where it comes in one answer, whose
   * size is too much: servers page the newest version only.
   */
  async #listAt(requested: string, pageSize: number, signal: AbortSignal): Promise<PagedList<KubernetesList<T>>> {
    const { listerWatcher, versions, typeDescription } = this.#context
    let result: PagedList<KubernetesList<T>>
    try {
      result = await listPages(listerWatcher, requested, { pageSize, signal })
    } catch (err) {
      if (requested !== '' && isAnswerTooLarge(err)) {
        this.#needsPages = true
        result = await listPages(listerWatcher, '', { pageSize: pageSize || defaultPageSize, signal })
      } else if (isExpiredOrGone(err) || isTooLargeResourceVersion(err)) {
        versions.unavailable = true
        result = await listPages(listerWatcher, versions.relist(), { pageSize, signal })
      } else {
        throw err
      }
    }
    if (isTable(result.list)) {
      throw new Error(`unsupported list gvk: ${result.list.apiVersion}, Kind=Table, type: ${typeDescription}`)
    }
    return result
  }

  /**
   * A limit makes servers read from their storage. A relist at a version they have in memory must therefore have none,
   * or all clients together would fall upon the storage when the server restarts.
   */
  #pageSize(requested: string): number {
    const { pageSize } = this.#context
    if (pageSize !== undefined && pageSize !== 0) return pageSize
    if (this.#serverPages) return defaultPageSize
    return requested !== '' && requested !== '0' ? 0 : defaultPageSize
  }
}
