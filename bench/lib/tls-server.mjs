// A server of the benchmarks, in a process of its own: HTTP/2 over TLS, every GET answered with one Pod.
// Prints its port; counts the connections it accepts under /connections.
import { readFileSync } from 'node:fs'
import { createSecureServer } from 'node:http2'
import { pod } from './pods.mjs'

const testdata = new URL('../../packages/kubewright/src/rest/transport/testdata/', import.meta.url)
const read = (name) => readFileSync(new URL(name, testdata))
const body = JSON.stringify({ kind: 'Pod', apiVersion: 'v1', ...pod(1) })

let connections = 0
const server = createSecureServer(
  { key: read('server.key'), cert: read('server.pem'), settings: { maxConcurrentStreams: 2000 } },
  (request, response) => {
    response.writeHead(200, { 'content-type': 'application/json' })
    response.end(request.url === '/connections' ? String(connections) : body)
  },
)
server.on('secureConnection', () => connections++)
server.listen(0, '127.0.0.1', () => console.log(server.address().port))
process.on('disconnect', () => process.exit())
