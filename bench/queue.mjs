// Queues and indices against client-go's and controller-runtime's, and how they grow with what they hold. Each run is a
// process of its own, and has to end with the right number of items.
import { goProgram, inNode, resultOf } from './lib/peers.mjs'
import { table, writeSection } from './lib/results.mjs'
import { interleaved, median, report } from './lib/stats.mjs'

const many = 100_000
const sizes = [1_000, 10_000, 100_000, 1_000_000]
const pairs = Number(process.env.BENCH_PAIRS ?? 15)
const fewer = Math.min(pairs, 5)
const fewest = Math.min(pairs, 3)

const program = await goProgram()
const go =
  (what, items, ...flags) =>
  () =>
    resultOf(program, [what, `--items=${items}`, ...flags])
const ours =
  (what, items, ...flags) =>
  () =>
    inNode('queues.mjs', [`--what=${what}`, `--items=${items}`, ...flags])

const number = (n) => n.toFixed(n < 10 ? 2 : 0)
const ratios = [['', 'median', '95 % interval', 'goal']]
/** Pair by pair, of what the functions find in the results. A goal is met when the interval ends within 0.1 above it. */
function ratio(what, a, b, goal) {
  const result = median(a.map((value, i) => value / b[i]))
  report(what, '×', result, goal === undefined ? undefined : Number((goal + 0.1).toFixed(2)))
  const { value, low, high } = result
  ratios.push([what, number(value), `${number(low)} – ${number(high)}`, goal === undefined ? '' : `≤ ${goal}`])
}
const all = (results, part, kind = 'wall') => results.map((result) => result[part][kind])
const ns = (results, part) => number(median(all(results, part)).value)

const [goQueue, queue, goIndex, index] = await interleaved(
  pairs,
  go('queue', many),
  ours('queue', many),
  go('index', many),
  ours('index', many),
)
const perSecond = all(queue, 'batches').map((nanoseconds) => 1000 / nanoseconds)
report('work queue, add, get and done', 'million items a second', median(perSecond))
for (const kind of ['wall', 'cpu']) {
  const [time, goal] = kind === 'wall' ? ['time', 1] : ['CPU']
  const beside = (what, part, theirs = part) =>
    ratio(`${what}, ${time} over client-go's`, all(queue, part, kind), all(goQueue, theirs, kind), goal)
  beside('work queue, add, tryGet and done', 'batches')
  beside('work queue, 100,000 items at once', 'backlog')
  beside('delaying queue, 100,000 items, addAfter', 'addAfter')
  beside('delaying queue, 100,000 items, all due', 'due')
}
for (const [what, part] of [
  ['keys that are new texts', 'fresh'],
  ['for await', 'loop'],
  ['await get', 'get'],
]) {
  ratio(`work queue, ${what}, time over client-go's`, all(queue, part), all(goQueue, 'batches'))
}
ratio(
  "priority queue, 100,000 items at once, time over controller-runtime's",
  all(queue, 'priority'),
  all(goQueue, 'priority'),
  1,
)
for (const [what, part] of [
  ['add', 'add'],
  ['update', 'update'],
  ['look up 10 objects', 'lookup'],
  ['delete', 'delete'],
]) {
  ratio(`index of 100,000 objects, ${what}, time over client-go's`, all(index, part), all(goIndex, part), 1)
}

/** Rows of nanoseconds, ours and theirs, a column for each measure of results that were taken in turns. */
async function growth(title, what, flagsOf, columns, parts, runs) {
  const results = await interleaved(
    runs,
    ...columns.flatMap((column) => [go(what, ...flagsOf(column)), ours(what, ...flagsOf(column))]),
  )
  const of = (i, side) => results[2 * i + side]
  const rows = [[title, ...columns.map((column) => column.toLocaleString('en'))]]
  for (const [name, part] of parts) {
    rows.push([`${name}, kubewright`, ...columns.map((_, i) => ns(of(i, 1), part))])
    rows.push([`${name}, Go`, ...columns.map((_, i) => ns(of(i, 0), part))])
  }
  return { rows, ours: (i) => of(i, 1) }
}

const queues = await growth(
  'nanoseconds an item, of a queue of so many',
  'queue',
  (items) => [items],
  sizes,
  [
    ['work queue, batches of 1,000', 'batches'],
    ['work queue, all at once', 'backlog'],
    ['delaying queue, addAfter', 'addAfter'],
    ['delaying queue, all due', 'due'],
    ['priority queue, all at once', 'priority'],
  ],
  fewer,
)
const indexed = await growth(
  'nanoseconds an object, of an index of so many',
  'index',
  (items) => [items],
  sizes,
  [
    ['add', 'add'],
    ['update', 'update'],
    ['each object found, of 10', 'lookup'],
    ['delete', 'delete'],
  ],
  fewest,
)
const found = await growth(
  'nanoseconds an object found, of so many at a look-up',
  'index',
  (count) => [many, `--per-value=${count}`],
  [1, 10, 100, 1000],
  [['of 100,000 objects', 'lookup']],
  fewest,
)
const updated = await growth(
  'nanoseconds an update that changes so many indices',
  'index',
  (count) => [many, `--indices=${count}`],
  [1, 2, 4, 8],
  [['of 100,000 objects', 'update']],
  fewest,
)

// Ten times as many items: what is logarithmic takes 1.2 times as long, and longer where memory is what is waited for. What
// is linear takes ten times as long.
const grows = ({ ours }, part, from, to) => [all(ours(to), part), all(ours(from), part)]
for (const part of ['addAfter', 'due']) {
  ratio(`delaying queue, ${part}, 1,000,000 items over 100,000`, ...grows(queues, part, 2, 3), 4)
}
ratio('priority queue, 1,000,000 items over 100,000', ...grows(queues, 'priority', 2, 3), 4)
for (const part of ['add', 'update', 'lookup', 'delete']) {
  ratio(`index, ${part}, 1,000,000 objects over 100,000`, ...grows(indexed, part, 2, 3), 4)
}
ratio('index, an object found, of 1,000 over of 10', ...grows(found, 'lookup', 1, 3), 2)
ratio('index, an update of 8 indices over one of 1', ...grows(updated, 'update', 0, 3), 8)

writeSection('Queues and indices', [
  `${pairs} interleaved runs, fewer of what grows; one producer and one worker in turns. An index update moves an object to`,
  'another value of the index; by namespace it stays where it is. A goal is met when the interval ends within 0.1 above it.',
  '',
  ...table(ratios),
  ...[queues, indexed, found, updated].flatMap(({ rows }) => ['', ...table(rows)]),
])
