// Waiting that a signal ends, whatever is waited for.

import { whenAborted } from '../clock/index.js'

/**
 * Settles as `work` does, or rejects with the signal's reason as soon as it aborts.
 *
 * @param onLate gets what `work` still brings after that, to release it.
 */
export function abortable<V>(work: Promise<V>, signal: AbortSignal, onLate?: (value: V) => void): Promise<V> {
  return new Promise((resolve, reject) => {
    const stopListening = whenAborted(signal, () => reject(signal.reason))
    if (signal.aborted) reject(signal.reason)
    work.then(
      (value) => {
        stopListening()
        if (signal.aborted) onLate?.(value)
        else resolve(value)
      },
      (err) => {
        stopListening()
        reject(err)
      },
    )
  })
}
