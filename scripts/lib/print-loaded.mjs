// node --import this-file: prints the URL of each module that is loaded from then on. As a hook it runs on the
// loader's own thread, so it writes straight to the file descriptor.
import { writeSync } from 'node:fs'
import { register } from 'node:module'
import { isMainThread } from 'node:worker_threads'

if (isMainThread) register(import.meta.url)

export async function load(url, context, nextLoad) {
  writeSync(1, `${url}\n`)
  return nextLoad(url, context)
}
