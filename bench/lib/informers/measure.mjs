// What all informers of the benchmarks written in JavaScript are asked: how long until all pods are there, how long until
// all changes are, what a pod takes, how long the event loop stood still. Prints one line of JSON; see ../../go/informer.go.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { request } from 'node:http'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as sleep } from 'node:timers/promises'
import { parseArgs } from 'node:util'

export const { values: options } = parseArgs({
  options: {
    host: { type: 'string' },
    pods: { type: 'string', default: '10000' },
    events: { type: 'string', default: '20000' },
    drop: { type: 'boolean', default: false },
    classic: { type: 'boolean', default: false },
    bytes: { type: 'boolean', default: false },
  },
})

const pods = Number(options.pods)
const events = Number(options.events)

/** Of /proc/self/status, in bytes; 0 where there is none. */
function status(field) {
  try {
    return (
      Number(new RegExp(`^${field}:\\s*(\\d+)`, 'm').exec(readFileSync('/proc/self/status', 'utf8'))?.[1] ?? 0) * 1024
    )
  } catch {
    return 0
  }
}

/** What is in use once all else is collected: the heap, and memory outside of it. */
async function liveMemory() {
  for (let i = 0; i < 3; i++) {
    globalThis.gc()
    await sleep(10)
  }
  const { heapUsed, external } = process.memoryUsage()
  return { heap: heapUsed, external }
}

/** A promise of so many calls of `count`. */
function counter(wanted) {
  let seen = 0
  let resolve
  const done = new Promise((resolved) => {
    resolve = resolved
  })
  if (wanted === 0) resolve()
  const count = (last) => {
    if (++seen === wanted) resolve(last)
  }
  return { done, count }
}

const cpuMs = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

/**
 * Measures one informer: `start` begins and resolves when all pods are in its cache; it calls `onAdd` with each one's
 * version and `onUpdate` with each change's. `size` is the number of objects in the cache.
 */
export async function measure({ start, size, stop }) {
  const adds = counter(pods)
  const updates = counter(events)
  const before = await liveMemory()
  const rssBefore = status('VmRSS')
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  await sleep(20)
  delay.reset()

  let [from, cpu] = [performance.now(), cpuMs()]
  await start({ onAdd: adds.count, onUpdate: updates.count })
  const [syncMs, syncCpuMs] = [performance.now() - from, cpuMs() - cpu]
  await adds.done
  await sleep(5)
  delay.disable()
  assert.equal(size(), pods)
  const after = await liveMemory()
  await sleep(500)
  const rss = status('VmRSS')

  let last = ''
  ;[from, cpu] = [performance.now(), cpuMs()]
  if (events > 0) {
    // Not by fetch, which takes its time to load.
    request(`${options.host}/release`, { method: 'POST' }, (response) => response.resume()).end()
    last = await updates.done
  }
  const [watchMs, watchCpuMs] = [performance.now() - from, cpuMs() - cpu]
  const result = {
    ...{ syncMs, syncCpuMs, watchMs, watchCpuMs, stallMs: delay.max / 1e6 },
    ...{ objects: size(), last },
    heap: after.heap + after.external - before.heap - before.external,
    onHeap: after.heap - before.heap,
    ...{ rssBefore, rss, peakRss: status('VmHWM') },
  }
  await stop()
  console.log(JSON.stringify(result))
}
