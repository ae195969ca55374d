// The limit on who is remembered for updates: the oldest are remembered together, as "ancient-changes".

import { compareText } from '../meta/index.js'
import { type Managed, managerIdentifier, secondsOf } from './managers.js'

/** How many managers of updates an object keeps apart. */
const maxUpdateManagers = 10

/** Joins the oldest managers of updates, each version's for itself, until there are no more than the limit. */
export function capUpdateManagers({ fields, times }: Managed): void {
  const updaters = [...fields].filter(([, { applied }]) => !applied).map(([manager]) => manager)
  if (updaters.length <= maxUpdateManagers) return
  updaters.sort((a, b) => secondsOf(times.get(a)) - secondsOf(times.get(b)) || compareText(a, b))
  const firstOfVersion = new Map<string, string>()
  let count = updaters.length
  for (const manager of updaters) {
    if (count <= maxUpdateManagers) return
    const versioned = fields.get(manager)
    if (!versioned) continue
    const { apiVersion } = versioned
    const first = firstOfVersion.get(apiVersion)
    if (first === undefined) {
      firstOfVersion.set(apiVersion, manager)
      continue
    }
    const bucket = managerIdentifier({ manager: 'ancient-changes', operation: 'Update', apiVersion })
    const oldest = fields.get(first)
    if (!fields.has(bucket) && oldest) {
      fields.delete(first)
      fields.set(bucket, oldest)
    }
    const joined = fields.get(bucket)
    fields.set(bucket, { ...versioned, set: joined ? versioned.set.union(joined.set) : versioned.set })
    fields.delete(manager)
    count--
    // The latest of those that were joined.
    times.set(bucket, times.get(manager))
  }
}
