// Waiting for a state that another process reaches in its own time.

/**
 * Calls `probe` until it returns something other than undefined, null or false; fails with the last error or value
 * after `withinMs`. For states that another process reaches in its own time.
 */
export async function eventually<T>(
  probe: () => T | Promise<T>,
  { withinMs = 30_000, everyMs = 50 } = {},
): Promise<NonNullable<T>> {
  const deadline = performance.now() + withinMs
  for (;;) {
    let last: unknown
    try {
      const value = await probe()
      if (value !== undefined && value !== null && value !== false) return value
      last = value
    } catch (err) {
      last = err
    }
    if (performance.now() > deadline) {
      throw last instanceof Error ? last : new Error(`not reached within ${withinMs} ms; last seen: ${String(last)}`)
    }
    await new Promise((resolve) => setTimeout(resolve, everyMs))
  }
}
