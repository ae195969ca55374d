import { getEventListeners } from 'node:events'
import { describe, expect, it, vi } from 'vitest'
import { abortable } from './abortable.js'

describe('abortable', () => {
  it('settles as the work does, and takes its listener back', async () => {
    const { signal } = new AbortController()
    await expect(abortable(Promise.resolve(1), signal)).resolves.toBe(1)
    await expect(abortable(Promise.reject(new Error('broken')), signal)).rejects.toThrow('broken')
    expect(getEventListeners(signal, 'abort')).toEqual([])
  })

  it('without a signal is the work itself', () => {
    const work = Promise.resolve(1)
    expect(abortable(work, undefined)).toBe(work)
  })

  it.each(['before', 'during'])('ends with the reason of a signal that aborts %s the work', async (when) => {
    const controller = new AbortController()
    if (when === 'before') controller.abort('why')
    const waiting = abortable(new Promise<never>(() => {}), controller.signal)
    controller.abort('why')
    await expect(waiting).rejects.toBe('why')
  })

  it('hands over what comes too late, once', async () => {
    const controller = new AbortController()
    const { promise: work, resolve } = withResolvers<string>()
    const late = vi.fn()
    const waiting = abortable(work, controller.signal, late)
    controller.abort('why')
    await expect(waiting).rejects.toBe('why')
    expect(late).not.toHaveBeenCalled()
    resolve('a socket')
    await work
    expect(late.mock.calls).toEqual([['a socket']])
  })

  it('lets no failure go unhandled that comes too late', async () => {
    const controller = new AbortController()
    const { promise: work, reject } = withResolvers<string>()
    const waiting = abortable(work, controller.signal)
    controller.abort('why')
    await expect(waiting).rejects.toBe('why')
    reject(new Error('too late'))
    await expect(work).rejects.toThrow('too late')
  })
})

function withResolvers<T>(): { promise: Promise<T>; resolve: (value: T) => void; reject: (err: unknown) => void } {
  let resolve!: (value: T) => void
  let reject!: (err: unknown) => void
  const promise = new Promise<T>((yes, no) => {
    resolve = yes
    reject = no
  })
  return { promise, resolve, reject }
}
