// Work queue, delaying queue and indices against client-go's, and how they grow.
import assert from 'node:assert/strict'
import { newIndexer } from 'kubewright/cache'
import { DelayingQueue, WorkQueue } from 'kubewright/workqueue'
import { goProgram, resultOf } from './lib/peers.mjs'
import { table, writeSection } from './lib/results.mjs'
import { interleaved, median, report } from './lib/stats.mjs'

const items = 1_000_000
const objects = 100_000
// As in bench/go/queue.go.
const batch = 1000
const namespaces = 16
const pairs = Number(process.env.BENCH_PAIRS ?? 15)

const pad = (i) => String(i).padStart(7, '0')
const keysOf = (count) => Array.from({ length: count }, (_, i) => `namespace-${i % namespaces}/web-${pad(i)}`)

async function queue(count) {
  const keys = keysOf(count)
  const work = new WorkQueue()
  const started = performance.now()
  for (let first = 0; first < count; first += batch) {
    const end = Math.min(first + batch, count)
    for (let i = first; i < end; i++) work.add(keys[i])
    for (let i = first; i < end; i++) work.done(await work.get())
  }
  const opsPerSecond = count / ((performance.now() - started) / 1000)
  assert.equal(work.length, 0)

  const delaying = new DelayingQueue()
  const delayed = performance.now()
  for (let i = 0; i < count; i++) delaying.addAfter(keys[i], 3_600_000 + ((i * 7919) % count))
  const addAfterNs = ((performance.now() - delayed) * 1e6) / count
  assert.equal(delaying.length, 0)
  delaying.shutDown()
  return { opsPerSecond, addAfterNs }
}

function index(count) {
  const indexer = newIndexer({
    indexers: {
      namespace: (pod) => [pod.metadata.namespace],
      app: (pod) => [pod.metadata.labels.app],
    },
  })
  const pod = (i, app) => ({
    metadata: {
      namespace: `namespace-${i % namespaces}`,
      name: `web-${pad(i)}`,
      labels: { app: `app-${Math.floor(app)}` },
    },
  })
  const first = Array.from({ length: count }, (_, i) => pod(i, i / 10))
  const second = Array.from({ length: count }, (_, i) => pod(i, (i + 5) / 10))
  const timed = (work) => {
    const started = performance.now()
    work()
    return ((performance.now() - started) * 1e6) / count
  }
  let found = 0
  const result = {
    AddNs: timed(() => first.forEach((obj) => indexer.add(obj))),
    UpdateNs: timed(() => second.forEach((obj) => indexer.update(obj))),
    LookupNs: timed(() => {
      for (let i = 0; i < count; i++) found += indexer.byIndex('app', `app-${Math.floor((i + 5) / 10)}`).length
    }),
  }
  assert.equal(indexer.listKeys().length, count)
  assert.ok(found >= count * 5)
  return result
}

const program = await goProgram()
const [goQueue, queues, fewer, goIndex, indices, fewerObjects] = await interleaved(
  pairs,
  () => resultOf(program, ['queue', `--items=${items}`]),
  () => queue(items),
  () => queue(items / 10),
  () => resultOf(program, ['index', `--items=${objects}`]),
  () => index(objects),
  () => index(objects / 10),
)

const rows = [['', 'median', '95 % interval', 'goal']]
function told(what, unit, result, goal) {
  report(what, unit, result, goal)
  const number = (n) => n.toFixed(n < 100 ? 2 : 0)
  rows.push([
    what,
    `${number(result.value)} ${unit}`,
    `${number(result.low)} – ${number(result.high)}`,
    goal === undefined ? '' : `≤ ${goal}`,
  ])
}
const pairwise = (a, b, key) => median(a.map((result, i) => result[key] / b[i][key]))

told('work queue, add, get and done of an item', 'ns', median(queues.map(({ opsPerSecond }) => 1e9 / opsPerSecond)))
told("work queue, add, get and done, time over client-go's", '×', pairwise(goQueue, queues, 'opsPerSecond'), 1.1)
told('delaying queue, addAfter with 1,000,000 items', 'ns', median(queues.map(({ addAfterNs }) => addAfterNs)))
told("delaying queue, addAfter, time over client-go's", '×', pairwise(queues, goQueue, 'addAfterNs'), 1.1)
told('delaying queue, addAfter, 1,000,000 items over 100,000', '×', pairwise(queues, fewer, 'addAfterNs'), 4)
for (const [key, name] of [
  ['AddNs', 'add'],
  ['UpdateNs', 'update'],
  ['LookupNs', 'look up 10 objects'],
]) {
  told(`index of 100,000 objects, ${name}, time over client-go's`, '×', pairwise(indices, goIndex, key), 1.1)
  told(`index, ${name}, 100,000 objects over 10,000`, '×', pairwise(indices, fewerObjects, key), 4)
}
writeSection('Queues and indices', [`${pairs} interleaved runs, one worker.`, '', ...table(rows)])
