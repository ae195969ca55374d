// Trying again what failed for a reason that passes, such as a conflict of two writers.
import { type Clock, realClock, sleep } from '../clock/index.js'
import { isConflict } from '../meta/index.js'
import { Backoff, type BackoffOptions, type Random } from '../wait/index.js'

/** For conflicts of several clients that change the same object: 5 tries, 10 ms apart, 10 % jitter. */
export const defaultRetry: Readonly<BackoffOptions> = Object.freeze({ steps: 5, duration: 10, factor: 1, jitter: 0.1 })

/**
 * For a change to an object that controllers are busy with: 4 tries, 10, 50 and 250 ms apart, 10 % jitter.
 */
export const defaultBackoff: Readonly<BackoffOptions> = Object.freeze({
  steps: 4,
  duration: 10,
  factor: 5,
  jitter: 0.1,
})

/** Options of {@link onError}. */
export interface OnErrorOptions {
  /** Ends the wait for the next try: the promise rejects with the signal's reason. A try under way is not cut short. */
  signal?: AbortSignal | undefined
  /** @defaultValue the machine's clock */
  clock?: Clock | undefined
  /** Where the jitter comes from. @defaultValue Math.random */
  random?: Random | undefined
}

/** Options of {@link retryOnConflict}. */
export interface RetryOnConflictOptions extends OnErrorOptions {
  /** @defaultValue {@link defaultRetry} */
  backoff?: Readonly<BackoffOptions> | undefined
}

/**
 * Calls `fn` until it succeeds, at most `backoff.steps` times, and again only after an error that is `retriable`. A
 * back-off that reaches its `cap` ends the tries.
 *
 * @returns what `fn` returned.
 * @throws the error of the last try; one that is not retriable at once.
 * @throws the signal's reason, when `signal` aborts before or between the tries.
 * @throws RangeError when `backoff.steps` is below 1, which would try nothing.
 */
export async function onError<T>(
  backoff: Readonly<BackoffOptions>,
  retriable: (err: unknown) => boolean,
  fn: () => Promise<T> | T,
  { signal, clock = realClock, random }: OnErrorOptions = {},
): Promise<T> {
  const state = new Backoff(backoff, { random })
  if (!(state.steps >= 1)) throw new RangeError(`cannot retry with ${state.steps} steps: give at least 1`)
  for (;;) {
    signal?.throwIfAborted()
    try {
      return await fn()
    } catch (err) {
      if (state.steps <= 1 || !retriable(err)) throw err
      const wait = state.step()
      if (state.steps < 1) throw err
      await sleep(wait, { signal, clock })
    }
  }
}

/**
 * Calls `fn` again while it fails for a conflict: the object was changed since it was read.
 *
 * ```ts
 * await retryOnConflict(async () => {
 *   const live = await deployments.get('web')
 *   live.spec.replicas = 2
 *   await deployments.update(live)
 * })
 * ```
 *
 * **Caveats**
 * - `fn` has to read the object again at each try.
 * - An error that wraps the API's error has to carry it as its `cause`.
 *
 * @returns what `fn` returned.
 * @throws the last conflict, after the last try; any other error at once; the signal's reason.
 */
export function retryOnConflict<T>(
  fn: () => Promise<T> | T,
  { backoff = defaultRetry, ...options }: RetryOnConflictOptions = {},
): Promise<T> {
  return onError(backoff, isConflict, fn, options)
}
