// For tests of what is not held any more.

import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

/** Collects garbage, without a flag that node would have to be started with. */
export async function collectGarbage(): Promise<void> {
  setFlagsFromString('--expose-gc')
  const collect: () => void = runInNewContext('gc')
  // A weak reference holds its target until the end of the job that made it.
  await new Promise((resolve) => setImmediate(resolve))
  collect()
}
