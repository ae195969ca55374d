// Listening to a signal that a whole program shares.

/**
 * The signal, after its limit of listeners is lifted: a program has one for all that it does, and all of it listens. That
 * is no leak, which Node's warning of more than ten listeners would take it for.
 */
export function sharedByMany<S extends AbortSignal | undefined>(signal: S): S {
  if (signal instanceof EventTarget) process.getBuiltinModule('node:events').setMaxListeners(0, signal)
  return signal
}

/**
 * Calls `listener` once when the signal aborts; not when it has aborted already. Any number may listen to one signal.
 *
 * @returns takes the listener back. Idempotent.
 */
export function whenAborted(signal: AbortSignal, listener: () => void): () => void {
  sharedByMany(signal).addEventListener('abort', listener, { once: true })
  return () => signal.removeEventListener('abort', listener)
}
