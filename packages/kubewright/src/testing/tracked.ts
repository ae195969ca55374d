// What a tracker is asked with, and answers with.

import type { GroupVersionResource, Kind, ListMeta } from '../meta/index.js'

/** A resource: by its name, or by its kind, which gives its type. */
export type ResourceOf<T extends object> = Kind<T, object> | GroupVersionResource

/** Options of an {@link ObjectTracker}'s writes. */
export interface TrackerWriteOptions {
  /**
   * As which endpoint of the API: `''` the object itself, which does not write a status that has an endpoint of its own;
   * `'status'` only the status; `'scale'` a Scale.
   *
   * @defaultValue all of the object is written as it is, status included, whatever its version
   */
  readonly subresource?: string | undefined
  /** Who owns what is written. @defaultValue `unknown` */
  readonly fieldManager?: string | undefined
  /** `['All']`: nothing is stored. */
  readonly dryRun?: readonly string[] | undefined
}

/** Options of {@link ObjectTracker.apply} and of patches that apply. */
export interface TrackerApplyOptions extends TrackerWriteOptions {
  /** Takes fields from others instead of failing. @defaultValue false */
  readonly force?: boolean | undefined
}

/** A list that a tracker gives. */
export interface TrackedList<T> {
  apiVersion: string
  kind: string
  metadata: ListMeta & { resourceVersion: string }
  items: T[]
}
