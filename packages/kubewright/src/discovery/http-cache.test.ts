// What is kept, when it is used, and what the files are.

import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { FakeClock } from '../clock/index.js'
import { chunks, fakeTransport } from '../rest/fake-transport.test-support.js'
import type { TransportRequest } from '../rest/index.js'
import { newCacheTransport } from './index.js'

let directory: string
beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'http-cache-'))
})
afterEach(() => rm(directory, { recursive: true }))

const start = Date.UTC(2026, 0, 1)
const date = new Date(start).toUTCString()

/** A server with one document, which knows If-None-Match; and a client that remembers. */
function documentServer(headers: Record<string, string> = { etag: '"one"' }) {
  const state = { headers: { date, ...headers } as Record<string, string>, body: 'a document' }
  const inner = fakeTransport((request) => {
    const isSame = request.headers['if-none-match'] === state.headers.etag && state.headers.etag !== undefined
    if (isSame) return { status: 304, headers: state.headers }
    return { headers: state.headers, body: chunks(state.body.slice(0, 3), state.body.slice(3)) }
  })
  const clock = new FakeClock(start)
  const cache = newCacheTransport(inner, { cacheDirectory: directory, clock })
  const ask = async (request: Partial<TransportRequest> = {}): Promise<string> => {
    const all = {
      method: 'GET',
      url: new URL('https://server/doc?b=1'),
      headers: { accept: 'application/json' },
      ...request,
    }
    const response = await cache.roundTrip(all)
    expect(response.status).toBe(200)
    let text = ''
    for await (const chunk of response.body) text += new TextDecoder().decode(chunk)
    return text
  }
  return { ask, clock, requests: inner.sent, state }
}

const onlyFile = async (): Promise<string> => {
  const names = await readdir(directory)
  expect(names).toHaveLength(1)
  return join(directory, names[0] ?? '')
}

it('asks whether what it has is still so', async () => {
  const { ask, requests, state } = documentServer()
  expect(await ask()).toBe('a document')
  expect(await ask()).toBe('a document')
  expect(requests.map(({ headers }) => headers['if-none-match'])).toEqual([undefined, '"one"'])
  Object.assign(state, { body: 'another', headers: { etag: '"two"' } })
  expect(await ask()).toBe('another')
  expect(await ask()).toBe('another')
  expect(requests.at(-1)?.headers['if-none-match']).toBe('"two"')
})

it.each([
  [{ 'cache-control': 'public, max-age=60' }],
  [{ 'cache-control': 'public, immutable', expires: new Date(start + 60_000).toUTCString() }],
])('does not ask while the answer says that it is good: %j', async (headers) => {
  const { ask, clock, requests } = documentServer(headers)
  await ask()
  await clock.advance(59_000)
  expect(await ask()).toBe('a document')
  expect(requests).toHaveLength(1)
  await clock.advance(2_000)
  await ask()
  expect(requests).toHaveLength(2)
})

it.each([[{}], [{ etag: '"one"', 'cache-control': 'no-store' }]])(
  'does not keep what cannot be recognized or must not be kept: %j',
  async (headers) => {
    const { ask } = documentServer(headers)
    await ask()
    expect(await readdir(directory)).toEqual([])
  },
)

it('keeps answers apart that depend on what was asked for', async () => {
  const { ask, requests } = documentServer({ etag: '"one"', vary: 'Accept, X-Other', 'cache-control': 'max-age=60' })
  await ask()
  await ask()
  expect(requests).toHaveLength(1)
  await ask({ headers: { accept: 'text/plain' } })
  expect(requests).toHaveLength(2)
  expect(requests.at(-1)?.headers['if-none-match']).toBeUndefined()
})

it('lets everything but whole GETs pass', async () => {
  const { ask, requests } = documentServer()
  await ask({ method: 'POST' })
  await ask({ headers: { range: 'bytes=0-' } })
  expect(requests).toHaveLength(2)
  expect(await readdir(directory)).toEqual([])
})

it('writes client-go’s files', async () => {
  await documentServer({
    etag: '"one"',
    'content-type': 'text/x',
    vary: 'Accept',
    'transfer-encoding': 'chunked',
  }).ask()
  const file = await onlyFile()
  expect(((await stat(file)).mode & 0o777).toString(8)).toBe('660')
  expect(file).toBe(join(directory, createHash('sha256').update('https://server/doc?b=1').digest('hex')))
  const bytes = await readFile(file)
  expect(bytes.subarray(32).toString()).toBe(
    `HTTP/1.1 200 OK\r\nDate: ${date}\r\nEtag: "one"\r\nContent-Type: text/x\r\nVary: Accept\r\n` +
      'X-Varied-Accept: application/json\r\nContent-Length: 10\r\n\r\na document',
  )
  expect(bytes.subarray(0, 32)).toEqual(createHash('sha256').update(bytes.subarray(32)).digest())
})

const head = `HTTP/2.0 200 OK\r\nDate: ${date}\r\nCache-Control: max-age=60\r\n`
it.each([
  ['to its end', `${head}Connection: close\r\n\r\nof Go`, 'of Go'],
  ['in chunks', `${head}Transfer-Encoding: chunked\r\n\r\n2\r\nof\r\n3\r\n Go\r\n0\r\n\r\n`, 'of Go'],
  ['with a length', `${head}Content-Length: 5\r\n\r\nof Go`, 'of Go'],
  ['cut off', `${head}Content-Length: 9\r\n\r\nof Go`, 'a document'],
  ['cut off in a chunk', `${head}Transfer-Encoding: chunked\r\n\r\n9\r\nof`, 'a document'],
  ['compressed', `${head}Content-Encoding: gzip\r\n\r\nof Go`, 'a document'],
  ['without an end of the headers', head.trimEnd(), 'a document'],
  ['of something else', 'nonsense', 'a document'],
])('reads client-go’s files: %s', async (_, text, expected) => {
  const { ask } = documentServer()
  await ask()
  const response = Buffer.from(text)
  await writeFile(await onlyFile(), Buffer.concat([createHash('sha256').update(response).digest(), response]))
  expect(await ask()).toBe(expected)
})

it('does not use a file whose sum is wrong', async () => {
  const { ask } = documentServer({ etag: '"one"', 'cache-control': 'max-age=60' })
  await ask()
  const file = await onlyFile()
  const bytes = await readFile(file)
  await writeFile(file, Buffer.from(bytes.toString('latin1').replace('a document', 'a forgery!'), 'latin1'))
  expect(await ask()).toBe('a document')
})

it('does not keep what was not read to its end, and works without a directory', async () => {
  const { ask } = documentServer()
  await rm(directory, { recursive: true })
  await writeFile(directory, '')
  expect(await ask()).toBe('a document')
})
