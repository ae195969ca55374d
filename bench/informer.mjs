// Informers side by side: how long until 10,000 pods are in the cache, how long until 20,000 changes of them are, what a pod
// takes. Each in a process of its own against the same server, and each has to end with all objects and the last version.
import assert from 'node:assert/strict'
import { clientNode, goProgram, inNode, podServer, resultOf, rustProgram, versions } from './lib/peers.mjs'
import { table, writeSection } from './lib/results.mjs'
import { interleaved, median, report } from './lib/stats.mjs'

const pods = 10_000
const events = 20_000
const many = 100_000
const pairs = Number(process.env.BENCH_PAIRS ?? 15)
const fewer = Math.min(pairs, 5)
const firstVersion = 1_000_000_000

const program = await goProgram()
const server = await podServer(program)
const rust = await rustProgram()
const client = await clientNode()

/** Calls `runWith(host)` and holds the result to the end state. */
const measure =
  (runWith, { count = pods, changes = events } = {}) =>
  async () => {
    const result = await runWith(server.host(count, changes), [`--pods=${count}`, `--events=${changes}`])
    assert.equal(result.objects, count)
    if (changes > 0) assert.equal(Number(result.last), firstVersion + count + changes)
    return { ...result, rssGrowth: result.rss - result.rssBefore }
  }
const go =
  (...flags) =>
  (host, sizes) =>
    resultOf(program, ['informer', `--host=${host}`, ...sizes, ...flags])
const js =
  (script, ...flags) =>
  (host, sizes) =>
    inNode(`informers/${script}.mjs`, [`--host=${host}`, ...sizes, ...flags])

const rows = [
  ['', `sync of ${pods} pods`, 'CPU', `${events} changes`, 'CPU', 'live bytes a pod', 'RSS growth a pod', 'peak RSS'],
]
function row(name, results, count = pods) {
  const middle = (key) => median(results.map((result) => result[key])).value
  const ms = (key) => (results.some((result) => result[key] > 1) ? `${middle(key).toFixed(0)} ms` : '')
  const kilobytes = (key) => (results[0][key] ? `${(middle(key) / count / 1000).toFixed(1)} KB` : '')
  rows.push([
    ...[name, ms('syncMs'), ms('syncCpuMs'), ms('watchMs'), ms('watchCpuMs')],
    ...[kilobytes('heap'), kilobytes('rssGrowth'), `${(middle('peakRss') / 1e6).toFixed(0)} MB`],
  ])
}

const ratios = [['', 'median', '95 % interval', 'goal']]
/** Pair by pair. */
function ratio(what, ours, theirs, goal) {
  const result = median(ours.map((value, i) => value / theirs[i]))
  report(what, '×', result, goal === undefined ? undefined : Number((goal + 0.1).toFixed(2)))
  const { value, low, high } = result
  ratios.push([what, value.toFixed(2), `${low.toFixed(2)} – ${high.toFixed(2)}`, goal === undefined ? '' : `≤ ${goal}`])
}
const all = (results, key) => results.map((result) => result[key])

const [protobuf, bytes, decoded, plain] = await interleaved(
  pairs,
  measure(go('--protobuf')),
  measure(js('ours', '--bytes')),
  measure(js('ours')),
  measure(js('plain')),
)
row(`client-go ${versions.clientGo}, protobuf`, protobuf)
row('kubewright, bytes', bytes)
row('kubewright, decoded', decoded)
row('plain node', plain)
for (const [what, key] of [
  ['sync of 10,000 pods', 'syncMs'],
  ['watch of 20,000 changes', 'watchMs'],
]) {
  ratio(`${what}, bytes, time over client-go's with protobuf`, all(bytes, key), all(protobuf, key), 0.8)
  ratio(`${what}, decoded, time over plain node's`, all(decoded, key), all(plain, key), 1.1)
}
for (const [what, key] of [
  ['sync of 10,000 pods', 'syncCpuMs'],
  ['watch of 20,000 changes', 'watchCpuMs'],
]) {
  ratio(`${what}, bytes, CPU over client-go's with protobuf`, all(bytes, key), all(protobuf, key))
  ratio(`${what}, decoded, CPU over plain node's`, all(decoded, key), all(plain, key))
}
ratio("a cached pod, bytes, live bytes over client-go's", all(bytes, 'heap'), all(protobuf, 'heap'), 0.75)
ratio("a cached pod, bytes, RSS growth over client-go's", all(bytes, 'rssGrowth'), all(protobuf, 'rssGrowth'), 0.6)

const small = { changes: 0 }
const [droppedGo, dropped] = await interleaved(
  fewer,
  measure(go('--protobuf', '--drop'), small),
  measure(js('ours', '--bytes', '--drop'), small),
)
row('client-go, protobuf, without managedFields', droppedGo)
row('kubewright, bytes, without managedFields', dropped)
ratio(
  "a cached pod without managedFields, bytes, live bytes over client-go's",
  all(dropped, 'heap'),
  all(droppedGo, 'heap'),
  0.5,
)

const others = [measure(go())]
const names = [`client-go ${versions.clientGo}, JSON`]
if (rust) {
  others.push(measure((host) => resultOf(rust, [host, String(pods), String(events)])))
  names.push(`kube-rs ${versions.kubeRs}`)
}
if (client) {
  const env = { CLIENT_NODE: client.folder }
  others.push(
    measure((host, sizes) =>
      inNode('informers/client-node.mjs', [`--host=${host}`, ...sizes], { node: client.node, env }),
    ),
  )
  names.push(`client-node ${versions.clientNode}, node 24`)
}
const otherResults = await interleaved(Math.min(pairs, 3), ...others)
for (const [i, name] of names.entries()) row(name, otherResults[i])

const [large] = await interleaved(fewer, measure(js('ours', '--bytes'), { count: many, changes: 0 }))
row('kubewright, bytes, 100,000 pods', large, many)
const perPod = (results, count) => median(all(results, 'syncCpuMs').map((ms) => (ms * 1000) / count)).value
const [slow, fast] = [perPod(large, many), perPod(bytes, pods)]
report(
  'sync of 100,000 pods, CPU of a pod over that with 10,000',
  '×',
  { value: slow / fast, low: slow / fast, high: slow / fast },
  1.2,
)
report('sync of 100,000 pods, bytes, longest stall', 'ms', median(all(large, 'stallMs')), 60)
report('sync of 100,000 pods, bytes, heap', 'MB', median(all(large, 'onHeap').map((size) => size / 1e6)), 60)
server.close()

const stall = median(all(large, 'stallMs'))
writeSection('Informers', [
  `${pairs} interleaved runs of the first four, fewer of the others. Loopback, plain HTTP/1.1, pods of ${server.podBytes} bytes of`,
  'JSON, initial objects as a stream (client-node: a list), no limits. A goal is met when the interval ends within 0.1 above it.',
  '',
  ...table(ratios),
  '',
  ...table(rows),
  '',
  `100,000 pods, kept as bytes: longest stall of the event loop ${stall.value.toFixed(0)} ms (${stall.low.toFixed(0)} – ${stall.high.toFixed(0)}),`,
  `${(median(all(large, 'onHeap')).value / 1e6).toFixed(0)} MB of JavaScript heap, ${slow.toFixed(0)} µs of CPU a pod (with 10,000: ${fast.toFixed(0)}).`,
  ...(rust ? [] : ['kube-rs was not built on this machine.']),
  ...(client ? [] : ['client-node could not be installed on this machine.']),
])
