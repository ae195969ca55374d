// Small GETs over TLS: one after the other, and a thousand at once, against the same over node:http2 alone.
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect } from 'node:http2'
import { Clientset } from 'kubewright'
import { defaultUserAgent } from 'kubewright/rest'
import { interleaved, median, report } from './lib/stats.mjs'

const server = fork(new URL('lib/tls-server.mjs', import.meta.url), { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] })
const [line] = await once(server.stdout, 'data')
const origin = `https://127.0.0.1:${Number(line)}`
const ca = readFileSync(new URL('../packages/kubewright/src/rest/transport/testdata/ca.pem', import.meta.url), 'utf8')
const path = '/api/v1/namespaces/default/pods/web'

/** What our client sends too. */
const headers = { accept: 'application/json', 'accept-encoding': 'gzip', 'user-agent': defaultUserAgent() }

/** A client of node:http2 alone, as little as does the job. */
function plain() {
  const session = connect(origin, { ca })
  const get = (at) =>
    new Promise((resolve, reject) => {
      const stream = session.request({ ':path': at, ...headers })
      const chunks = []
      stream.on('data', (chunk) => chunks.push(chunk))
      stream.on('end', () => resolve(JSON.parse(Buffer.concat(chunks).toString())))
      stream.on('error', reject)
      stream.end()
    })
  return { get: () => get(path), connections: () => get('/connections'), close: async () => session.close() }
}

function ours() {
  const clientset = new Clientset({ host: origin, tlsClientConfig: { caData: ca }, qps: -1 })
  const pods = clientset.coreV1().pods('default')
  const count = clientset.coreV1().restClient().get().absPath('/connections')
  return {
    get: () => pods.get('web'),
    connections: async () => Number(new TextDecoder().decode(await count.doRaw())),
    close: () => clientset.close(),
  }
}

/** Milliseconds for `work` on a new client, its handshake included; fails when it took more than one connection. */
const measure = (make, work) => async () => {
  const counter = plain()
  const before = await counter.connections()
  const client = make()
  const from = performance.now()
  const last = await work(client.get)
  const ms = performance.now() - from
  assert.equal(last.metadata.name, 'pod-1')
  assert.equal((await counter.connections()) - before, 1, 'more than one TLS handshake')
  await Promise.all([client.close(), counter.close()])
  return ms
}

async function sequential(get) {
  let last
  for (let i = 0; i < 200; i++) last = await get()
  return last
}
const concurrent = async (get) => (await Promise.all(Array.from({ length: 1000 }, get))).at(-1)

for (const [name, work, goal] of [
  ['200 sequential TLS GETs, over node:http2 alone', sequential, 1.1],
  ['1,000 concurrent TLS GETs on one connection, over node:http2 alone', concurrent, 1.2],
]) {
  const [mine, bare] = await interleaved(15, measure(ours, work), measure(plain, work))
  report(name, '×', median(mine.map((ms, i) => ms / bare[i])), goal)
}
server.disconnect()
