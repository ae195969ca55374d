// Quantities and label selectors, against client-go's.
import assert from 'node:assert/strict'
import { parseLabelSelector, parseQuantity } from 'kubewright/meta'
import { Oracle } from '../conformance/dist/oracle/oracle.js'
import { interleaved, median, report } from './lib/stats.mjs'

const iterations = 3000
const texts = ['100m', '1', '1500m', '128Mi', '1Gi', '1.5Gi', '500M', '250Ki', '2', '0', '12e3', '0.5']
const selector = 'app.kubernetes.io/name=web,tier in (front,back),!canary,version notin (v1,v2)'
const labels = Array.from({ length: 20 }, (_, i) => ({
  'app.kubernetes.io/name': i % 2 === 0 ? 'web' : 'db',
  tier: ['front', 'back', 'other'][i % 3],
  version: `v${i % 5}`,
  'pod-template-hash': `hash-${i}`,
  ...(i % 7 === 0 ? { canary: 'true' } : {}),
}))

const oracle = await Oracle.start()

async function ask(room, input) {
  const answer = await oracle.ask(room, { ...input, iterations })
  assert.ok('result' in answer, answer.error)
  return answer.result
}

/** Nanoseconds of each, and what it came to. */
async function inGo() {
  const quantity = await ask('quantity.time', { texts })
  const label = await ask('labels.time', { selector, labels })
  return { ...quantity, ...label }
}

function nanosecondsEach(count, work) {
  const started = performance.now()
  const result = work()
  return [((performance.now() - started) * 1e6) / count, result]
}

function repeated(work) {
  let result
  for (let i = 0; i < iterations; i++) result = work()
  return result
}

async function ours() {
  const quantities = texts.map((text) => parseQuantity(text))
  const zero = parseQuantity('0')
  const parsed = parseLabelSelector(selector)
  const count = iterations * texts.length
  const [parseAndPrint, printed] = nanosecondsEach(count, () =>
    repeated(() => texts.map((text) => parseQuantity(text).toString())),
  )
  const [add, sum] = nanosecondsEach(count, () => repeated(() => quantities.reduce((sum, each) => sum.add(each), zero)))
  const [parse] = nanosecondsEach(iterations, () => repeated(() => parseLabelSelector(selector)))
  const [match, matches] = nanosecondsEach(iterations * labels.length, () =>
    repeated(() => labels.filter((each) => parsed.matches(each)).length),
  )
  return { parseAndPrint, add, parse, match, printed, sum: sum.toString(), matches }
}

const [go, js] = await interleaved(15, inGo, ours)
await oracle.close()
for (const result of ['printed', 'sum', 'matches']) assert.deepEqual(js.at(-1)[result], go.at(-1)[result])

for (const [what, key] of [
  ['a quantity, parsed and printed', 'parseAndPrint'],
  ['a quantity, added', 'add'],
  ['a label selector, parsed', 'parse'],
  ['a label selector, matched', 'match'],
]) {
  report(what, 'ns', median(js.map((run) => run[key])))
  report(`${what}, time over client-go's`, '×', median(js.map((run, i) => run[key] / go[i][key])))
}
