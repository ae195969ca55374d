// The transport without TLS, and programs that use it, against servers on this machine.

import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import type http from 'node:http'
import net from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import {
  cleanUp,
  client,
  closedPort,
  eventually,
  failure,
  get,
  listen,
  listenHttp,
  request,
  text,
  useServers,
} from './servers.test-support.js'

useServers()

describe('what servers do that is unkind', () => {
  it('answering and leaving while a request is being sent fails that request alone', async () => {
    const server = await listen(
      net.createServer((socket) =>
        socket.once('data', () => {
          socket.end('HTTP/1.1 413 Too Large\r\ncontent-length: 0\r\n\r\n')
          setImmediate(() => socket.destroy())
        }),
      ),
    )
    const transport = client(server.url)
    const body = Buffer.alloc(20 * 2 ** 20)
    for (let i = 0; i < 5; i++) {
      // Either the answer comes through or the connection breaks first; a socket's error must reach nobody else.
      const outcome = await transport.roundTrip(request(server.url, '/', { method: 'POST', body })).then(
        async (response) => [response.status, await text(response)],
        (err: unknown) => [(err as { reason?: string }).reason, ''],
      )
      expect([413, 'lost']).toContain(outcome[0])
    }
    await eventually(() => server.sockets.size).toBe(0)
  })

  it.each([
    ['a chunk without a size', 'transfer-encoding: chunked\r\n\r\n5\r\nhello\r\nzz\r\n'],
    ['a broken gzip body', 'content-encoding: gzip\r\ncontent-length: 5\r\n\r\nhello'],
  ])('%s is told as such, not as a lost connection; the next request works', async (_what, rest) => {
    let broken = true
    const server = await listen(
      net.createServer((socket) =>
        socket.on('data', () => {
          socket.write(`HTTP/1.1 200 OK\r\n${broken ? rest : 'content-length: 2\r\n\r\nok'}`)
          broken = false
        }),
      ),
    )
    const transport = client(server.url)
    expect((await failure(get(transport, server.url))).reason).toBe('protocol')
    expect(await get(transport, server.url)).toBe('ok')
  })

  it('sending thousands of headers, a few of them huge', async () => {
    const warning = Array.from({ length: 3000 }, (_, i) => `299 - "${i}"`)
    const server = await listenHttp(
      (_req, res) => void res.setHeader('warning', warning).setHeader('huge', 'x'.repeat(1e6)).end('ok'),
    )
    const response = await client(server.url).roundTrip(request(server.url))
    expect(response.headers.getAll('warning')).toEqual(warning)
    expect(response.headers.get('huge')).toHaveLength(1e6)
    expect(await text(response)).toBe('ok')
  })

  it.each([204, 200])('saying of nothing (%i) that it is compressed is an empty answer', async (status) => {
    const server = await listenHttp((_req, res) => {
      res.writeHead(status, { 'content-encoding': 'gzip', ...(status === 200 && { 'content-length': '0' }) }).end()
    })
    expect(await get(client(server.url), server.url)).toBe('')
  })

  it.each([
    ['at its start', 0],
    ['later', 1],
  ])('and what users do: a body that fails %s fails the request, with its own error', async (_when, chunks) => {
    const server = await listenHttp((req, res) => req.resume().on('end', () => res.end()))
    async function* body(): AsyncGenerator<Uint8Array> {
      for (let i = 0; i < chunks; i++) yield new Uint8Array(10)
      throw new Error('mine')
    }
    const sending = client(server.url).roundTrip(request(server.url, '/', { method: 'POST', body: body() }))
    expect((await failure(sending)).message).toContain('mine')
  })
})

describe('HTTP/1.1', () => {
  it('keeps its socket between requests', async () => {
    const server = await listenHttp((req, res) => void res.end(req.url))
    const transport = client(server.url)
    for (const path of ['/1', '/2', '/3']) expect(await get(transport, server.url, path)).toBe(path)
    expect(server.connections()).toBe(1)
  })

  it('sends method, path, repeated headers and the body of a DELETE', async () => {
    const server = await listenHttp((req, res) => {
      let body = ''
      req.on('data', (chunk) => {
        body += chunk
      })
      req.on('end', () => {
        res.setHeader('warning', ['299 - "a"', '299 - "b"'])
        const groups = req.headersDistinct['impersonate-group']
        res.end(JSON.stringify({ method: req.method, url: req.url, host: req.headers.host, groups, body }))
      })
    })
    const response = await client(server.url).roundTrip(
      request(server.url, '/x%2Fy?a=1', {
        method: 'DELETE',
        headers: { 'impersonate-group': ['g1', 'g2'] },
        body: '{}',
      }),
    )
    expect(response.headers.getAll('Warning')).toEqual(['299 - "a"', '299 - "b"'])
    expect(JSON.parse(await text(response))).toEqual({
      method: 'DELETE',
      url: '/x%2Fy?a=1',
      host: new URL(server.url).host,
      groups: ['g1', 'g2'],
      body: '{}',
    })
  })

  it.each([
    [{}, 'gzip'],
    [{ disableCompression: true }, 'undefined'],
  ])('decompresses: %j', async (options, asked) => {
    const server = await listenHttp((req, res) => {
      const answer = String(req.headers['accept-encoding'])
      if (answer === 'gzip') res.setHeader('content-encoding', 'gzip')
      res.end(answer === 'gzip' ? gzipSync(answer) : answer)
    })
    expect(await get(client(server.url, options), server.url)).toBe(asked)
  })

  it.each([
    ['plain', (res: http.ServerResponse) => void res.write('half')],
    [
      'gzip',
      (res: http.ServerResponse) => {
        res.setHeader('content-encoding', 'gzip')
        res.write(gzipSync('half').subarray(0, 15))
      },
    ],
  ])('reports a %s body that is cut off', async (_name, write) => {
    const server = await listenHttp((_req, res) => {
      write(res)
      setImmediate(() => res.destroy())
    })
    const response = await client(server.url).roundTrip(request(server.url))
    expect((await failure(text(response))).reason).toBe('lost')
  })

  it('sends a GET again when a kept socket was closed by the server, and no POST', async () => {
    let connections = 0
    // Answers one request on each connection, and breaks it at the second one.
    const server = await listen(
      net.createServer((socket) => {
        let requests = 0
        const number = ++connections
        socket.on('data', () => {
          if (++requests > 1) socket.resetAndDestroy()
          else socket.write(`HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n${number}`)
        })
      }),
    )
    const transport = client(server.url)
    expect(await get(transport, server.url)).toBe('1')
    expect(await get(transport, server.url)).toBe('2')
    const err = await failure(transport.roundTrip(request(server.url, '/', { method: 'POST', body: 'x' })))
    expect(err.reason).toBe('lost')
    expect(connections).toBe(2)
  })

  it('does not send a GET again on a new socket', async () => {
    let requests = 0
    const server = await listen(
      net.createServer((socket) => {
        socket.on('data', () => {
          requests++
          socket.resetAndDestroy()
        })
      }),
    )
    const err = await failure(client(server.url).roundTrip(request(server.url)))
    expect(err.message).toContain('closed before an answer came')
    expect(requests).toBe(1)
  })

  it('closes the socket at once on abort, before and after the headers', async () => {
    const server = await listenHttp((req, res) => {
      if (req.url === '/headers') res.write('event')
    })
    const transport = client(server.url)
    for (const path of ['/', '/headers']) {
      const controller = new AbortController()
      const promise = transport.roundTrip(request(server.url, path, { signal: controller.signal })).then(text)
      await eventually(() => server.sockets.size).toBe(1)
      controller.abort(new Error('enough'))
      await expect(promise).rejects.toThrow('enough')
      await eventually(() => server.sockets.size).toBe(0)
    }
  })

  it('closes the socket when the body is left early', async () => {
    const server = await listenHttp((_req, res) => void res.write('event'))
    for await (const _chunk of (await client(server.url).roundTrip(request(server.url))).body) break
    await eventually(() => server.sockets.size).toBe(0)
  })

  it('rejects a signal that is aborted already', async () => {
    const signal = AbortSignal.abort(new Error('gone'))
    await expect(
      client('http://127.0.0.1:1').roundTrip(request('http://127.0.0.1:1', '/', { signal })),
    ).rejects.toThrow('gone')
  })
})

describe('failures to connect', () => {
  it('names host and port, and keeps the cause', async () => {
    const port = await closedPort()
    for (const scheme of ['http', 'https']) {
      const base = `${scheme}://user:secret@127.0.0.1:${port}`
      const err = await failure(client(base).roundTrip(request(base, '/version')))
      expect(err.reason).toBe('connect')
      expect(err.message).toBe(
        `GET ${scheme}://127.0.0.1:${port}/version: cannot connect to 127.0.0.1:${port}: connection refused; ` +
          'is the server running, and is the host of the Config right?',
      )
      expect((err.cause as { code: string }).code).toBe('ECONNREFUSED')
    }
  })

  it('says when a server speaks no HTTP', async () => {
    const server = await listen(net.createServer((socket) => void socket.end('SSH-2.0-x\r\n')))
    const err = await failure(client(server.url).roundTrip(request(server.url)))
    expect(err.reason).toBe('protocol')
  })
})

it('a program ends by itself while connections are idle', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'kubewright-'))
  cleanUp(() => rm(directory, { recursive: true }))
  const source = fileURLToPath(new URL('../..', import.meta.url))
  const root = join(source, '../../..')
  const tsc = join(root, 'node_modules/.bin/tsc')
  const flags = '--ignoreConfig --noCheck --target es2023 --module nodenext --types node --skipLibCheck'.split(' ')
  await writeFile(join(directory, 'package.json'), '{"type":"module"}')
  await promisify(execFile)(
    tsc,
    [
      ...flags,
      '--typeRoots',
      join(root, 'node_modules/@types'),
      '--rootDir',
      source,
      '--outDir',
      directory,
      join(source, 'rest/index.ts'),
    ],
    { cwd: source },
  )
  const testdata = fileURLToPath(new URL('testdata/', import.meta.url))
  await writeFile(
    join(directory, 'program.js'),
    `import http from 'node:http'
import http2 from 'node:http2'
import { readFileSync } from 'node:fs'
import { Config, unversionedRestClientFor } from './rest/index.js'
const testdata = ${JSON.stringify(testdata)}
const pem = (name) => readFileSync(testdata + name, 'utf8')
const files = { caFile: testdata + 'ca.pem', certFile: testdata + 'client.pem', keyFile: testdata + 'client.key' }
const answer = (req, res) => { res.setHeader('content-type', 'application/json'); res.end('{"ok":true}') }
const servers = [http.createServer(answer), http2.createSecureServer({ cert: pem('server.pem'), key: pem('server.key') }, answer)]
for (const [i, server] of servers.entries()) {
  await new Promise((resolve) => server.listen(0, '127.0.0.1', resolve))
  const host = (i === 0 ? 'http' : 'https') + '://127.0.0.1:' + server.address().port
  server.on('connection', (socket) => socket.unref())
  server.unref()
  const client = unversionedRestClientFor(new Config({ host, tlsClientConfig: i === 0 ? {} : files }))
  const { object } = await client.get().absPath('/').do()
  console.log(object.ok)
}
`,
  )
  const { stdout } = await promisify(execFile)(process.execPath, ['program.js'], { cwd: directory, timeout: 20_000 })
  expect(stdout).toBe('true\ntrue\n')
}, 60_000)
