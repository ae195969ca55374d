import { describe, expect, it, vi } from 'vitest'
import { FakeClock } from '../clock/index.js'
import type { Pod } from '../gen/api/core/v1.js'
import type { Clientset } from '../kubernetes/index.js'
import { RaceFreeFakeWatcher } from '../watch/index.js'
import { FakeClientset } from './index.js'

describe('a reactor that does not answer', () => {
  type Call = (clientset: Clientset, signal?: AbortSignal) => Promise<unknown>
  const calls: [string, Call][] = [
    ['a get', (clientset, signal) => clientset.coreV1().pods('ns').get('a', { signal })],
    ['a list', (clientset, signal) => clientset.coreV1().pods('ns').list({ signal })],
    ['a watch', (clientset, signal) => clientset.coreV1().pods('ns').watch({ signal })],
  ]
  function hanging(clock = new FakeClock()): FakeClientset {
    const fake = new FakeClientset({ clock })
    fake.prependReactor('*', '*', () => new Promise(() => {}))
    fake.prependWatchReactor('*', () => new Promise(() => {}))
    return fake
  }

  it.each(calls)('is a server that hangs: %s ends with its signal', async (_, call) => {
    const controller = new AbortController()
    const clock = new FakeClock()
    const waiting = call(hanging(clock), controller.signal)
    await clock.advance(0)
    controller.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
  })

  it.each(calls)('is a server that hangs: %s ends with the fake', async (_, call) => {
    const clock = new FakeClock()
    const fake = hanging(clock)
    const waiting = call(fake)
    await clock.advance(0)
    await fake.close()
    await expect(waiting).rejects.toThrow('the fake is closed')
  })

  it('is a server that hangs: the call ends with its timeout', async () => {
    const clock = new FakeClock()
    const waiting = hanging(clock)
      .coreV1()
      .pods('ns')
      .list({ timeout: 1000 })
      .catch((err: unknown) => (err as Error).name)
    await clock.advance(1000)
    expect(await waiting).toBe('RequestTimeoutError')
  })

  it('has the watch stopped that it gives too late', async () => {
    const clock = new FakeClock()
    const fake = new FakeClientset({ clock })
    const watcher = new RaceFreeFakeWatcher<Pod>()
    const asked = vi.fn<(give: () => void) => void>()
    fake.prependWatchReactor('pods', () => new Promise((resolve) => asked(() => resolve(watcher))))
    const controller = new AbortController()
    const waiting = fake.coreV1().pods('ns').watch({ signal: controller.signal })
    await clock.advance(0)
    controller.abort(new Error('enough'))
    await expect(waiting).rejects.toThrow('enough')
    asked.mock.calls[0]?.[0]()
    await clock.advance(0)
    expect(watcher.isStopped()).toBe(true)
  })
})
