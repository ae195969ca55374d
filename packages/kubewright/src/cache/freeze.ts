// Objects of a cache that nobody can change.

/** What Go's strconv.ParseBool takes for true. */
const yes = new Set(['1', 't', 'T', 'TRUE', 'true', 'True'])

/** Whether the environment asks for frozen caches, by client-go's variable. */
export function freezeByEnvironment(): boolean {
  return yes.has(process.env.KUBE_CACHE_MUTATION_DETECTOR ?? '')
}

/** Freezes plain objects and lists, and all that is in them. Returns the same object. */
export function deepFreeze<T>(obj: T): T {
  // No recursion: an object may be as deep as the server allows.
  const left: unknown[] = [obj]
  for (let value = left.pop(); value !== undefined; value = left.pop()) {
    if (!isPlain(value) || Object.isFrozen(value)) continue
    Object.freeze(value)
    for (const inner of Object.values(value)) if (typeof inner === 'object' && inner !== null) left.push(inner)
  }
  return obj
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  if (Array.isArray(value)) return true
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}
