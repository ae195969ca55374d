// A transport that gives every request the same answer and remembers what it was asked.

import { fakeTransport } from '../rest/fake-transport.test-support.js'

/** Passes for the answer to any call, a list included. */
const success = { kind: 'Status', apiVersion: 'v1', status: 'Success', items: [] }

export interface Recorded {
  line: string
  body: unknown
  contentType: unknown
}

/** `answer` goes out as JSON, or as text where it is a string; several of `lines`, as a watch sends them. */
export function recordingConfig(answer: unknown = success, { lines }: { lines?: readonly unknown[] } = {}) {
  const requests: Recorded[] = []
  const accepted: unknown[] = []
  const text = lines ? lines.map((line) => `${JSON.stringify(line)}\n`).join('') : answer
  const sentText = typeof text === 'string' ? text : JSON.stringify(text)
  const transport = fakeTransport(({ method, url, body, headers }) => {
    const sent = typeof body === 'string' ? body : new TextDecoder().decode(body as Uint8Array | undefined)
    requests.push({
      line: `${method} ${url.pathname}${decodeURIComponent(url.search)}`,
      body: sent === '' ? undefined : JSON.parse(sent),
      contentType: headers['content-type'],
    })
    accepted.push(headers['accept'])
    return {
      headers: { 'content-type': typeof answer === 'string' ? 'text/plain' : 'application/json' },
      body: inSmallParts(sentText),
    }
  })
  return { config: { host: 'http://server', qps: -1, transport }, requests, accepted }
}

async function* inSmallParts(text: string): AsyncGenerator<Uint8Array> {
  const bytes = new TextEncoder().encode(text)
  for (let at = 0; at < bytes.length; at += 7) yield bytes.subarray(at, at + 7)
}
