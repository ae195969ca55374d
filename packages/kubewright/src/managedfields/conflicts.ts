// Conflicts of an apply: what others own, as the updater throws them and as the API server answers them.

import type { ManagedFieldsEntry, Status } from '../gen/api/meta/v1.js'
import { ApiError, asApiError, compareText, goQuote, goUnquote } from '../meta/index.js'
import { FieldSet } from './field-set.js'
import { formatPath, type Path } from './path-element.js'

/** Others own fields that an apply would change: by manager's identifier, in order. Becomes an ApiError. */
export class Conflicts extends Error {
  readonly list: readonly { readonly manager: string; readonly path: Path }[]

  constructor(list: Conflicts['list']) {
    super(messageOf(list))
    this.list = list
  }

  static of(sets: ReadonlyMap<string, FieldSet>): Conflicts {
    const managers = [...sets.keys()].sort(compareText)
    return new Conflicts(
      managers.flatMap((manager) => Array.from(sets.get(manager) as FieldSet, (path) => ({ manager, path }))),
    )
  }

  /** The fields in conflict, whoever owns them. */
  toSet(): FieldSet {
    return FieldSet.of(...this.list.map(({ path }) => path))
  }

  /** The Status that the API server answers: 409, with a cause for each field. */
  toStatus(): Status {
    const causes = this.list.map(({ manager, path }) => ({
      reason: 'FieldManagerConflict',
      message: `conflict with ${printManager(manager)}`,
      field: formatPath(path),
    }))
    return {
      kind: 'Status',
      apiVersion: 'v1',
      metadata: {},
      status: 'Failure',
      message: this.message,
      reason: 'Conflict',
      details: { causes },
      code: 409,
    }
  }
}

function messageOf(list: Conflicts['list']): string {
  const [first] = list
  if (first && list.length === 1)
    return `Apply failed with 1 conflict: conflict with ${printManager(first.manager)}: ${formatPath(first.path)}`
  const lines: string[] = []
  let last: string | undefined
  for (const { manager, path } of list) {
    if (manager !== last) lines.push(`conflicts with ${printManager(manager)}:`)
    last = manager
    lines.push(`- ${formatPath(path)}`)
  }
  return `Apply failed with ${list.length} conflicts: ${lines.join('\n')}`
}

function printManager(identifier: string): string {
  const { manager = '', operation, apiVersion = '', subresource } = JSON.parse(identifier) as ManagedFieldsEntry
  const text = subresource ? `${goQuote(manager)} with subresource ${goQuote(subresource)}` : goQuote(manager)
  return operation === 'Update' ? `${text} using ${apiVersion}` : text
}

/** A field that another manager owns, as an answer of the API server names it. */
export interface FieldConflict {
  /** The other manager's name. */
  readonly manager: string
  /** `Apply`, or `Update` for what create, update and patch do. */
  readonly operation: 'Apply' | 'Update'
  /** The version that the other manager wrote; the server names it for updates only. */
  readonly apiVersion?: string
  /** The subresource that the other manager wrote through. */
  readonly subresource?: string
  /** The field: `.spec.replicas`. */
  readonly field: string
  /** The server's own words: `conflict with "kubectl-client-side-apply" using apps/v1`. */
  readonly message: string
}

const quoted = String.raw`"(?:[^"\\]|\\.)*"`
const causeText = new RegExp(
  `^conflict with (?<manager>${quoted})(?: with subresource (?<subresource>${quoted}))?(?: using (?<apiVersion>\\S+)(?: at \\S+)?)?$`,
  's',
)

/**
 * The conflicts that made an apply fail: who owns which field. Empty for every other error.
 *
 * @example
 * ```ts
 * try {
 *   await deployments.apply(config, { fieldManager: 'web-operator' })
 * } catch (err) {
 *   const conflicts = conflictsOf(err)
 *   if (conflicts.length === 0) throw err
 *   // Somebody else's autoscaler: leave the replicas to it, take the rest.
 *   if (conflicts.every(({ field }) => field === '.spec.replicas')) delete config.spec.replicas
 * }
 * ```
 */
export function conflictsOf(err: unknown): FieldConflict[] {
  const causes: unknown = asApiError(err)?.status.details?.causes
  if (!Array.isArray(causes)) return []
  return causes.flatMap((cause) => {
    if (cause?.reason !== 'FieldManagerConflict') return []
    const { message = '', field = '' } = cause as { message?: string; field?: string }
    const { manager, subresource, apiVersion } = causeText.exec(message)?.groups ?? {}
    return [
      {
        manager: manager === undefined ? '' : unquoted(manager),
        operation: apiVersion === undefined ? 'Apply' : 'Update',
        ...(apiVersion !== undefined && { apiVersion }),
        ...(subresource !== undefined && { subresource: unquoted(subresource) }),
        field,
        message,
      } as const,
    ]
  })
}

/** The text between the quotes; as it stands where it was not Go that quoted. */
function unquoted(text: string): string {
  try {
    return goUnquote(text)
  } catch {
    return text.slice(1, -1)
  }
}

/** An ApiError of a Status made here. */
export const apiError = (status: Status, url: string, cause?: unknown): ApiError =>
  new ApiError(status, { method: 'PATCH', url }, cause === undefined ? undefined : { cause })

/** The answer to a configuration that is none. */
export const badRequest = (message: string, url: string): ApiError =>
  apiError(
    { kind: 'Status', apiVersion: 'v1', metadata: {}, status: 'Failure', message, reason: 'BadRequest', code: 400 },
    url,
  )
