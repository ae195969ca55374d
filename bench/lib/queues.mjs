// Queues and indices of this library, in a process of their own: the same work as bench/go/queue.go does on client-go's.
import assert from 'node:assert/strict'
import { parseArgs } from 'node:util'
import { newIndexer } from 'kubewright/cache'
import { DelayingQueue, PriorityQueue, WorkQueue } from 'kubewright/workqueue'

const { values } = parseArgs({
  options: {
    what: { type: 'string' },
    items: { type: 'string' },
    'per-value': { type: 'string', default: '10' },
    indices: { type: 'string', default: '1' },
  },
})
const items = Number(values.items)
// As in bench/go/queue.go: several rounds are measured, after half as many that are not, where there are few items.
const rounds = Math.max(1, Math.floor(200_000 / items))
const warmUps = Math.floor(rounds / 2)
const batch = 1000
const namespaces = 16
const hour = 3_600_000

const pad = (number, length) => String(number).padStart(length, '0')
const namespaceOf = (i) => `namespace-${pad(i % namespaces, 2)}`
const keys = Array.from({ length: items }, (_, i) => `${namespaceOf(i)}/web-${pad(i, 7)}`)

// The hash of a text is computed once, at its first use, which was before: an object's key comes again and again.
assert.equal(new Set(keys).size, items)

/** What has passed until now, in milliseconds: on the wall, and of CPU time by all threads. */
function now() {
  const { user, system } = process.cpuUsage()
  return { wall: performance.now(), cpu: (user + system) / 1000 }
}

/** Nanoseconds an item, of each part that `round` tells. */
async function measured(round) {
  const costs = {}
  const time = (part, started) => {
    const ended = now()
    costs[part] ??= { wall: 0, cpu: 0 }
    for (const kind of ['wall', 'cpu']) costs[part][kind] += ((ended[kind] - started[kind]) * 1e6) / items / rounds
  }
  for (let i = 0; i < warmUps; i++) await round(() => {})
  for (let i = 0; i < rounds; i++) await round(time)
  return costs
}

/** Items come in batches, as changes do, and one worker takes them. */
function inBatches(queue, all) {
  for (let first = 0; first < items; first += batch) {
    const end = Math.min(first + batch, items)
    for (let i = first; i < end; i++) queue.add(all[i])
    for (let i = first; i < end; i++) queue.done(queue.tryGet())
  }
}

/** A clock that is moved by hand, at once. */
function handMoved() {
  let at = 0
  let fire
  return {
    now: () => at,
    monotonic: () => at,
    setTimer: (_, callback) => {
      fire = callback
      return { cancel() {} }
    },
    moveTo: (time) => {
      at = time
      fire()
    },
  }
}

const queues = {
  batches: (time) => {
    const queue = new WorkQueue()
    const started = now()
    inBatches(queue, keys)
    time('batches', started)
    assert.equal(queue.length, 0)
  },

  /** Keys that no map has seen yet: their hashes are computed once, in the queue; Go computes one at each step. */
  fresh: (time) => {
    const fresh = JSON.parse(JSON.stringify(keys))
    const queue = new WorkQueue()
    const started = now()
    inBatches(queue, fresh)
    time('fresh', started)
    assert.equal(queue.length, 0)
  },

  async loop(time) {
    const queue = new WorkQueue()
    let added = 0
    const add = () => {
      for (const end = Math.min(added + batch, items); added < end; added++) queue.add(keys[added])
    }
    let taken = 0
    const started = now()
    add()
    for await (const key of queue) {
      queue.done(key)
      if (++taken < added) continue
      if (added === items) queue.shutDown()
      add()
    }
    time('loop', started)
    assert.equal(taken, items)
  },

  async get(time) {
    const queue = new WorkQueue()
    const started = now()
    for (let first = 0; first < items; first += batch) {
      const end = Math.min(first + batch, items)
      for (let i = first; i < end; i++) queue.add(keys[i])
      for (let i = first; i < end; i++) queue.done(await queue.get())
    }
    time('get', started)
    assert.equal(queue.length, 0)
  },

  backlog: (time) => {
    const queue = new WorkQueue()
    const started = now()
    for (const key of keys) queue.add(key)
    let taken = 0
    for (let key = queue.tryGet(); key !== undefined; key = queue.tryGet(), taken++) queue.done(key)
    time('backlog', started)
    assert.equal(taken, items)
  },

  delaying: (time) => {
    const clock = handMoved()
    const queue = new DelayingQueue({ clock })
    const started = now()
    for (let i = 0; i < items; i++) queue.addAfter(keys[i], hour + ((i * 7919) % items))
    time('addAfter', started)
    assert.deepEqual([queue.length, queue.delayedLength], [0, items])
    const due = now()
    clock.moveTo(hour + items)
    time('due', due)
    assert.equal(queue.length, items)
    assert.equal(queue.tryGet(), keys[0])
  },

  priority: (time) => {
    const queue = new PriorityQueue()
    const started = now()
    for (let i = 0; i < items; i++) queue.addWithOpts({ priority: i % 3 }, keys[i])
    assert.equal(queue.length, items)
    let last
    for (let next = queue.tryGetWithPriority(); next; next = queue.tryGetWithPriority()) {
      queue.done(next.item)
      last = next
    }
    time('priority', started)
    assert.equal(queue.length, 0)
    assert.equal(last.priority, 0)
  },
}

/** `perValue` objects to a value of each index; the namespace's index does not change. */
const indices = (time) => {
  const perValue = Number(values['per-value'])
  const names = Array.from({ length: Number(values.indices) }, (_, i) => `app-${i}`)
  const indexer = newIndexer({
    indexers: {
      namespace: (pod) => [pod.metadata.namespace],
      ...Object.fromEntries(names.map((name) => [name, (pod) => [pod.metadata.labels.app]])),
    },
  })
  const value = (i) => `value-${Math.floor(i / perValue)}`
  const pods = (shift) =>
    keys.map((_, i) => ({
      metadata: { namespace: namespaceOf(i), name: `web-${pad(i, 7)}`, labels: { app: value(i + shift) } },
    }))
  const shift = Math.floor(perValue / 2)
  const [first, second] = [pods(0), pods(shift)]
  const asked = Array.from({ length: Math.floor(items / perValue) + 1 }, (_, i) => value(i * perValue))

  const add = now()
  for (const pod of first) indexer.add(pod)
  time('add', add)
  const update = now()
  for (const pod of second) indexer.update(pod)
  time('update', update)
  const lookup = now()
  let found = 0
  for (const each of asked) found += indexer.byIndex('app-0', each).length
  time('lookup', lookup)
  const remove = now()
  for (const pod of second) indexer.delete(pod)
  time('delete', remove)
  assert.equal(indexer.listKeys().length, 0)
  assert.deepEqual(indexer.listIndexFuncValues('app-0'), [])
  assert.equal(found, items)
}

const results = {}
for (const round of values.what === 'index' ? [indices] : Object.values(queues)) {
  Object.assign(results, await measured(round))
}
console.log(JSON.stringify(results))
