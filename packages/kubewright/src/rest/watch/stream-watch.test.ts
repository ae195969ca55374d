import { describe, expect, it } from 'vitest'
import { FakeClock } from '../../clock/index.js'
import { CallScope } from '../call-scope.js'
import { noLogger } from '../logger.js'
import { responseHeaders } from '../transport/headers.js'
import { StreamWatch } from './stream-watch.js'

const line = (name: string): string => `${JSON.stringify({ type: 'ADDED', object: { metadata: { name } } })}\n`

/** A watch whose body is these pieces; and what was closed. */
function fixture(pieces: Iterable<string | Promise<string>>, { signal }: { signal?: AbortSignal } = {}) {
  const closed: string[] = []
  async function* body(): AsyncGenerator<Uint8Array> {
    try {
      for (const piece of pieces) yield Buffer.from(await piece)
    } finally {
      closed.push('body')
    }
  }
  const url = new URL('http://localhost/pods')
  const watch = new StreamWatch<{ metadata: { name: string } }>({
    call: {
      method: 'GET',
      config: { logger: noLogger, maxResponseBytes: Number.POSITIVE_INFINITY, losslessIntegers: false },
    },
    response: { status: 200, headers: responseHeaders({}), body: body(), close: () => closed.push('response') },
    scope: new CallScope({ method: 'GET', url, clock: new FakeClock(), timeout: 0, signal }),
  })
  return { watch, closed, iterator: watch[Symbol.asyncIterator]() }
}

const nameOf = ({ value, done }: IteratorResult<{ object: unknown }, undefined>): unknown =>
  done ? 'end' : (value.object as { metadata: { name: string } }).metadata.name

describe('a watch', () => {
  it('answers who asks several times at once in the order of the events', async () => {
    const { iterator, closed } = fixture([line('a') + line('b'), line('c'), line('d')])
    const asked = Array.from({ length: 6 }, () => iterator.next())
    expect((await Promise.all(asked)).map(nameOf)).toEqual(['a', 'b', 'c', 'd', 'end', 'end'])
    expect(closed).toEqual(['body', 'response'])
  })

  it('gives out at once what came with what was waited for', async () => {
    const { iterator } = fixture([line('a') + line('b') + line('c')])
    expect(nameOf(await iterator.next())).toBe('a')
    expect(iterator.ready?.()).toMatchObject({ object: { metadata: { name: 'b' } } })
    expect(nameOf(await iterator.next())).toBe('c')
    expect(iterator.ready?.()).toBeUndefined()
    expect(nameOf(await iterator.next())).toBe('end')
  })

  it('that is stopped ends at once, and gives nothing more of what has come', async () => {
    const { watch, iterator, closed } = fixture([line('a') + line('b')])
    await iterator.next()
    watch.stop()
    watch.stop()
    expect(iterator.ready?.()).toBeUndefined()
    expect(nameOf(await iterator.next())).toBe('end')
    expect(closed).toEqual(['response', 'body'])
  })

  it('ends for who leaves the loop over it, also while another answer is waited for', async () => {
    let go: (text: string) => void = () => {}
    const { iterator, closed } = fixture([line('a'), new Promise((resolve) => (go = resolve))])
    await iterator.next()
    const pending = iterator.next()
    expect(await iterator.return?.()).toEqual({ done: true, value: undefined })
    go(line('b'))
    expect(nameOf(await pending)).toBe('end')
    expect(closed).toEqual(['response', 'body'])
  })

  it('tells of what cannot be read once, at its place, and ends', async () => {
    const { iterator, closed } = fixture([`${line('a')}nonsense\n${line('b')}`])
    expect(nameOf(await iterator.next())).toBe('a')
    expect(iterator.ready?.()).toBeUndefined()
    expect((await iterator.next()).value).toMatchObject({ type: 'ERROR', object: { code: 500 } })
    expect(nameOf(await iterator.next())).toBe('end')
    expect(closed).toEqual(['response', 'body'])
  })

  it('throws the reason of a signal that aborts, once', async () => {
    const controller = new AbortController()
    const { iterator } = fixture([line('a') + line('b')], { signal: controller.signal })
    await iterator.next()
    controller.abort(new Error('enough'))
    expect(iterator.ready?.()).toBeUndefined()
    await expect(iterator.next()).rejects.toThrow('enough')
    expect(nameOf(await iterator.next())).toBe('end')
  })
})
