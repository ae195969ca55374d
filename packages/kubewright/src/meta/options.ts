// Options of API calls. One object, last argument: what goes to the server (wire names) and how to call (signal, timeout).

/** How a call is made; accepted by every call that does I/O. */
export interface CallOptions {
  /** Cancels the call: it rejects with the signal's reason and its connection or stream is released. */
  signal?: AbortSignal | undefined
  /**
   * Milliseconds for the whole call, connecting, retries and reading the answer included; also sent as the `timeout`
   * parameter. A watch is ended by the server after it. 0 or absent: the Config's timeout, by default none.
   */
  timeout?: number | undefined
}

/** How unknown or duplicate fields of a written object are treated by the server. */
export type FieldValidation = 'Ignore' | 'Warn' | 'Strict' | (string & {})

/** What happens to dependents when an object is deleted. */
export type DeletionPropagation = 'Orphan' | 'Background' | 'Foreground' | (string & {})

/** Options of reading one object. */
export interface GetOptions extends CallOptions {
  /** `''` (absent): the newest state; `'0'`: any, from the server's cache; else not older than this version. */
  resourceVersion?: string | undefined
}

/** Options of lists and watches. */
export interface ListOptions extends CallOptions {
  labelSelector?: string | undefined
  fieldSelector?: string | undefined
  /** `''` (absent): the newest state; `'0'`: any, from the server's cache; else not older than this version. */
  resourceVersion?: string | undefined
  resourceVersionMatch?: 'Exact' | 'NotOlderThan' | (string & {}) | undefined
  /** Page size. The next page is asked for with `continue`. */
  limit?: number | undefined
  continue?: string | undefined
  /** Seconds after which the server ends the call. */
  timeoutSeconds?: number | undefined
  /** Watches only: ask for BOOKMARK events. */
  allowWatchBookmarks?: boolean | undefined
  /** Watches only: stream the existing objects first (needs `resourceVersionMatch: 'NotOlderThan'`). */
  sendInitialEvents?: boolean | undefined
  /** Watches only; set by `watch` itself. */
  watch?: boolean | undefined
}

/** Options that every writing call takes. */
export interface WriteOptions extends CallOptions {
  /** `['All']`: everything but the write itself is done. */
  dryRun?: readonly string[] | undefined
  /** Name of the actor for field management; at most 128 printable characters. Absent: from the User-Agent. */
  fieldManager?: string | undefined
  fieldValidation?: FieldValidation | undefined
}

/** Options of creating an object. */
export interface CreateOptions extends WriteOptions {}

/** Options of replacing an object. */
export interface UpdateOptions extends WriteOptions {}

/** Options of patching an object. */
export interface PatchOptions extends WriteOptions {
  /** Apply patches only: take over fields that others own. */
  force?: boolean | undefined
  /** Patches the subresource, such as `status` or `scale`, instead of the object. */
  subresource?: string | undefined
}

/** Options of server-side apply. */
export interface ApplyOptions extends CallOptions {
  dryRun?: readonly string[] | undefined
  /** Name of the actor that will own the fields; at most 128 printable characters. Required by the server. */
  fieldManager: string
  /** Take over fields that others own instead of failing with a conflict. */
  force?: boolean | undefined
  fieldValidation?: FieldValidation | undefined
}

/** Options of deleting; `deleteCollection` takes them too. */
export interface DeleteOptions extends CallOptions {
  /** @defaultValue the kind's, mostly `Background` */
  propagationPolicy?: DeletionPropagation | undefined
  /** Seconds that the object has to end in; 0: none. @defaultValue the object's or the kind's */
  gracePeriodSeconds?: number | undefined
  /** Deletes only this incarnation of the object. */
  preconditions?: { uid?: string | undefined; resourceVersion?: string | undefined } | undefined
  dryRun?: readonly string[] | undefined
  /** @deprecated use `propagationPolicy` */
  orphanDependents?: boolean | undefined
  ignoreStoreReadErrorWithClusterBreakingPotential?: boolean | undefined
}
