// Some of the API is not known: not an exception on its own, but a part of the answer, beside what is known.

/**
 * Of some group-versions the resources could not be found out. It comes in `failed` of an answer; {@link throwIfFailed}
 * throws it.
 *
 * The usual cause is an aggregated API server that is not there.
 */
export class GroupDiscoveryFailedError extends Error {
  override readonly name: string = 'GroupDiscoveryFailedError'
  /** By group-version, such as `metrics.k8s.io/v1beta1`: why. */
  readonly groups: ReadonlyMap<string, Error>

  constructor(groups: ReadonlyMap<string, Error>) {
    const reasons = [...groups].map(([groupVersion, err]) => `${groupVersion}: ${err.message}`)
    super(`unable to retrieve the complete list of server APIs: ${reasons.sort().join(', ')}`)
    this.groups = groups
  }
}

/** The server knows that a group-version is there, but could not ask for its resources. */
export class StaleGroupVersionError extends Error {
  override readonly name: string = 'StaleGroupVersionError'
  readonly groupVersion: string

  constructor(groupVersion: string) {
    super(`stale GroupVersion discovery: ${groupVersion}`)
    this.groupVersion = groupVersion
  }
}

/** Whether an error says that only a part of the API could be found out. */
export function isGroupDiscoveryFailedError(err: unknown): err is GroupDiscoveryFailedError {
  return err instanceof GroupDiscoveryFailedError
}

/**
 * The group-versions that failed, by name, when an error or one of its causes is a {@link GroupDiscoveryFailedError}.
 */
export function groupDiscoveryFailedErrorGroups(err: unknown): ReadonlyMap<string, Error> | undefined {
  const seen = new Set<unknown>()
  for (let e = err; e instanceof Error && !seen.has(e); e = e.cause) {
    if (e instanceof GroupDiscoveryFailedError) return e.groups
    seen.add(e)
  }
  return undefined
}

/**
 * Gives the answer back when nothing is missing from it: `throwIfFailed(await discovery.serverGroupsAndResources())`.
 *
 * @throws GroupDiscoveryFailedError otherwise
 */
export function throwIfFailed<T extends { readonly failed?: GroupDiscoveryFailedError | undefined }>(answer: T): T {
  if (answer.failed) throw answer.failed
  return answer
}
