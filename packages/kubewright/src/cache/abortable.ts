// Waiting that a signal ends, whatever is waited for.

/**
 * Settles as `work` does, or rejects with the signal's reason as soon as it aborts.
 *
 * @param onLate gets what `work` still brings after that, to release it.
 */
export function abortable<V>(work: Promise<V>, signal: AbortSignal, onLate?: (value: V) => void): Promise<V> {
  return new Promise((resolve, reject) => {
    const onAbort = (): void => reject(signal.reason)
    if (signal.aborted) onAbort()
    else signal.addEventListener('abort', onAbort, { once: true })
    work.then(
      (value) => {
        signal.removeEventListener('abort', onAbort)
        if (signal.aborted) onLate?.(value)
        else resolve(value)
      },
      (err) => {
        signal.removeEventListener('abort', onAbort)
        reject(err)
      },
    )
  })
}
