// The error of a wait that ended before what it waited for.

/** What an {@link InterruptedError} says where nothing else is known. */
const timedOut = 'timed out waiting for the condition'

/** Options of {@link InterruptedError}. */
export interface InterruptedErrorOptions {
  /** What ended the wait, such as a signal's reason. */
  cause?: unknown
}

/** A wait ended before the condition was met: its time or its tries were up, or it was called off. */
export class InterruptedError extends Error {
  override readonly name: string = 'InterruptedError'

  /** @param message @defaultValue client-go's `timed out waiting for the condition` */
  constructor(message: string = timedOut, options: InterruptedErrorOptions = {}) {
    super(message, options)
  }
}

/**
 * Whether an error, or one of its causes, says that a wait was ended before its condition was met: an
 * {@link InterruptedError}, or the reason that the platform gives for an abort or a timeout (`AbortError`,
 * `TimeoutError`).
 *
 * **Caveats**: a signal that was aborted with a reason of one's own rejects with that reason; pass the signal, and it is
 * known too.
 */
export function interrupted(err: unknown, signal?: AbortSignal): boolean {
  if (signal?.aborted && err === signal.reason) return true
  for (let depth = 0; err instanceof Error && depth < 16; depth++, err = err.cause) {
    if (err instanceof InterruptedError) return true
    if (err instanceof DOMException && (err.name === 'AbortError' || err.name === 'TimeoutError')) return true
  }
  return false
}
