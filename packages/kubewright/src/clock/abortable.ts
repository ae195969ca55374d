// Waiting that a signal ends, whatever is waited for.
import { whenAborted } from './when-aborted.js'

/**
 * Settles as `work` does, or rejects with the signal's reason as soon as it aborts. Without a signal it is `work` itself.
 *
 * @param onLate gets what `work` still brings after that, to release it.
 */
export function abortable<V>(
  work: Promise<V>,
  signal: AbortSignal | undefined,
  onLate?: (value: V) => void,
): Promise<V> {
  if (signal === undefined) return work
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
