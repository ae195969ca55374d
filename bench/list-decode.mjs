// A list of 50 MB from its bytes to its objects: what it costs over JSON.parse, and how long the event loop stands still.
import assert from 'node:assert/strict'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { Config, noLogger, responseHeaders, restClientFor } from 'kubewright/rest'
import { pod } from './lib/pods.mjs'
import { interleaved, median, report } from './lib/stats.mjs'

const chunkSize = 64 * 1024
const items = []
for (let size = 0; size < 50e6; size += JSON.stringify(items.at(-1)).length) items.push(pod(items.length))
const list = { kind: 'PodList', apiVersion: 'v1', metadata: { resourceVersion: '99' }, items }
const content = new TextEncoder().encode(JSON.stringify(list))

/** The content as a connection would give it. */
async function* chunks() {
  for (let at = 0; at < content.length; at += chunkSize) {
    yield content.slice(at, at + chunkSize)
    // One read of a socket is one turn of the event loop.
    if ((at / chunkSize) % 16 === 0) await new Promise((resolve) => setImmediate(resolve))
  }
}

const transport = {
  close: async () => {},
  roundTrip: async () => ({
    status: 200,
    headers: responseHeaders({ 'content-type': 'application/json' }),
    body: chunks(),
    close: () => {},
  }),
}
function reader(losslessIntegers) {
  const config = new Config({ host: 'http://localhost', qps: -1, logger: noLogger, transport, losslessIntegers })
  const client = restClientFor(config, { group: '', version: 'v1' })
  return async () => (await client.get().resource('pods').do()).object
}

async function plain() {
  const all = []
  for await (const chunk of chunks()) all.push(chunk)
  return JSON.parse(Buffer.concat(all).toString())
}

/** Milliseconds, and the longest time for which no timer could fire. */
const measure = (read) => async () => {
  globalThis.gc?.()
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  await new Promise((resolve) => setTimeout(resolve, 20))
  delay.reset()
  const from = performance.now()
  const result = await read()
  const ms = performance.now() - from
  await new Promise((resolve) => setTimeout(resolve, 20))
  delay.disable()
  assert.equal(result.items.length, items.length)
  assert.deepEqual(result.items.at(-1), items.at(-1))
  assert.deepEqual(Object.keys(result), Object.keys(list))
  return { ms, stall: delay.max / 1e6 }
}

const [decoded, lossless, parsed] = await interleaved(15, measure(reader(false)), measure(reader(true)), measure(plain))

report(
  'list of 50 MB, time over JSON.parse of the whole',
  '×',
  median(decoded.map(({ ms }, i) => ms / parsed[i].ms)),
  1.1,
)
report(
  'list of 50 MB with losslessIntegers, none of them large, time over JSON.parse of the whole',
  '×',
  median(lossless.map(({ ms }, i) => ms / parsed[i].ms)),
)
report('list of 50 MB, longest stall', 'ms', median(decoded.map(({ stall }) => stall)))
report('list of 50 MB, longest stall of JSON.parse of the whole', 'ms', median(parsed.map(({ stall }) => stall)))
