// A Pod's log as lines.

import type { ByteStream } from '../rest/index.js'

/** Reads a log line by line. The connection is opened when the iteration starts and released when it ends. */
export async function* podLogLines(open: () => Promise<ByteStream>): AsyncGenerator<string, void, undefined> {
  const stream = await open()
  // A multi-byte character may be split between two chunks; the decoder keeps its first part.
  const decoder = new TextDecoder()
  let rest = ''
  try {
    for await (const chunk of stream) {
      const lines = (rest + decoder.decode(chunk, { stream: true })).split('\n')
      rest = lines.pop() ?? ''
      for (const line of lines) yield withoutReturn(line)
    }
    rest += decoder.decode()
    if (rest !== '') yield withoutReturn(rest)
  } finally {
    stream.close()
  }
}

const withoutReturn = (line: string): string => (line.endsWith('\r') ? line.slice(0, -1) : line)
