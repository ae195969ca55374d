// 20,000 events of a watch from their bytes to their objects: what it costs over splitting at newlines and JSON.parse.
import assert from 'node:assert/strict'
import { Config, noLogger, responseHeaders, restClientFor } from 'kubewright/rest'
import { pod } from './lib/pods.mjs'
import { interleaved, median, report } from './lib/stats.mjs'

const count = 20_000
const chunkSize = 64 * 1024
const newline = 0x0a

const lines = Array.from({ length: 500 }, (_, i) => `${JSON.stringify({ type: 'MODIFIED', object: pod(i) })}\n`)
const block = new TextEncoder().encode(lines.join(''))
const rounds = count / lines.length

/** The events as a connection would give them. */
async function* chunks() {
  for (let round = 0; round < rounds; round++) {
    for (let at = 0; at < block.length; at += chunkSize) yield block.slice(at, at + chunkSize)
    await new Promise((resolve) => setImmediate(resolve))
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
/** Calls back with each event. */
function reader(losslessIntegers) {
  const config = new Config({ host: 'http://localhost', qps: -1, logger: noLogger, transport, losslessIntegers })
  const client = restClientFor(config, { group: '', version: 'v1' })
  return async (onEvent) => {
    for await (const event of await client.get().resource('pods').watch()) onEvent(event)
  }
}

async function plain(onEvent) {
  let rest = Buffer.alloc(0)
  for await (const chunk of chunks()) {
    const bytes = rest.length === 0 ? Buffer.from(chunk.buffer) : Buffer.concat([rest, chunk])
    let start = 0
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
      onEvent(JSON.parse(bytes.toString('utf8', start, end)))
      start = end + 1
    }
    rest = bytes.subarray(start)
  }
}

const measure = (run) => async () => {
  let seen = 0
  let versions = 0
  const from = performance.now()
  await run(({ type, object }) => {
    if (type === 'MODIFIED') seen++
    versions += Number(object.metadata.resourceVersion)
  })
  const ms = performance.now() - from
  assert.equal(seen, count)
  assert.equal(versions, rounds * lines.reduce((sum, _, i) => sum + 1000 + i, 0))
  return ms
}

const [decoded, lossless, parsed] = await interleaved(15, measure(reader(false)), measure(reader(true)), measure(plain))

report(
  'watch of 20,000 events, time over JSON.parse of each line',
  '×',
  median(decoded.map((ms, i) => ms / parsed[i])),
  1.1,
)
report(
  'watch of 20,000 events with losslessIntegers, none of them large, time over JSON.parse of each line',
  '×',
  median(lossless.map((ms, i) => ms / parsed[i])),
)
report('watch of 20,000 events', 'events/s', median(decoded.map((ms) => count / (ms / 1000))))
