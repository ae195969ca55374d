// What the tests of this room share: objects, statuses, and a client whose watches a test plays.

import type { Status } from '../gen/api/meta/v1.js'
import { ApiError, type KubernetesObject, type ListOptions, type Watch, type WatchEvent } from '../meta/index.js'
import { FakeWatcher } from './fake-watcher.js'

export const pod = (name: string, resourceVersion?: string): KubernetesObject => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name, namespace: 'default', ...(resourceVersion === undefined ? {} : { resourceVersion }) },
})

export const status = (code: number, reason: string, retryAfterSeconds?: number): Status => ({
  apiVersion: 'v1',
  kind: 'Status',
  metadata: {},
  status: 'Failure',
  code,
  reason,
  message: reason,
  ...(retryAfterSeconds === undefined ? {} : { details: { retryAfterSeconds } }),
})

export const apiError = (code: number, reason: string): ApiError =>
  new ApiError(status(code, reason), { method: 'GET', url: 'https://server/api/v1/pods' })

/** Each watch is the next of what is planned: a watch, or an error; after that, watches without events. */
export class PlayedClient {
  readonly asked: ListOptions[] = []
  readonly watches: FakeWatcher[] = []
  readonly #plan: (() => Watch | undefined)[] = []

  /** The next watch brings these events; the server ends it then, unless `open`. */
  events(events: readonly WatchEvent[], { open = false }: { open?: boolean } = {}): this {
    return this.plan(() => {
      const watch = new FakeWatcher({ channelSize: events.length })
      for (const event of events) void watch.send(event)
      if (!open) watch.stop()
      return watch
    })
  }

  fails(err: unknown): this {
    return this.plan(() => {
      throw err
    })
  }

  plan(next: () => Watch | undefined): this {
    this.#plan.push(next)
    return this
  }

  async watch(options: ListOptions): Promise<Watch> {
    const { signal, ...asked } = options
    this.asked.push(asked)
    const watch = (this.#plan.shift() ?? (() => new FakeWatcher()))()
    if (watch instanceof FakeWatcher) {
      this.watches.push(watch)
      signal?.addEventListener('abort', () => watch.stop(), { once: true })
    }
    return watch as Watch
  }
}
