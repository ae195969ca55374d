// A group and a version of the API, without a kind.

/** `{ group: 'apps', version: 'v1' }`. The core group is `''`. */
export interface GroupVersion {
  readonly group: string
  readonly version: string
}
