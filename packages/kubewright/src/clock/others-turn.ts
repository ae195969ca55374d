// Letting the rest of the program go on, in the middle of long work.

/** Resolves once what waits in the event loop has run. Takes no time where nothing waits. */
export function othersTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve))
}
