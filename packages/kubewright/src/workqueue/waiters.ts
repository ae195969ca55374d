// Those who wait for a queue.
import { whenAborted } from '../clock/index.js'

/** One who waits for the queue. */
export interface Waiter<R> {
  resolve(result: R): void
}

/** Waits in `waiters` until resolved or aborted. */
export function waitIn<R>(waiters: Set<Waiter<R>>, signal: AbortSignal | undefined): Promise<R> {
  return new Promise((resolve, reject) => {
    const stopListening =
      signal &&
      whenAborted(signal, () => {
        waiters.delete(waiter)
        reject(signal.reason)
      })
    const waiter: Waiter<R> = {
      resolve(result) {
        stopListening?.()
        resolve(result)
      },
    }
    waiters.add(waiter)
  })
}

/** Ends the wait of all. */
export function release(waiters: Set<Waiter<undefined>>): void {
  for (const waiter of waiters) waiter.resolve(undefined)
  waiters.clear()
}

/** What a `for await` loop over a queue asks: what is there without a wait, else `get`, until that gives undefined. */
export function iterate<T>(queue: {
  tryGet(): T | undefined
  get(): Promise<T | undefined>
}): AsyncIterator<T, undefined> {
  return {
    // Not async: a loop awaits what it is given, and a second promise for each item takes a sixth of the item's time.
    next() {
      const item = queue.tryGet()
      return item === undefined ? queue.get().then(resultOf) : Promise.resolve(resultOf(item))
    },
  }
}

const resultOf = <T>(value: T | undefined): IteratorResult<T, undefined> =>
  value === undefined ? { done: true, value: undefined } : { done: false, value }
