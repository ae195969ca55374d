// The work queue against a model that is as plain as can be.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DelayingQueue } from './delaying-queue.js'
import { FifoQueue } from './fifo-queue.js'
import { RateLimitingQueue } from './rate-limiting-queue.js'
import { WorkQueue } from './work-queue.js'

/** The rules, on lists. */
class Model {
  waiting: string[] = []
  processing: string[] = []
  dirtyInProcess: string[] = []
  getters: string[] = []
  shuttingDown = false

  add(item: string): void {
    if (this.shuttingDown || this.waiting.includes(item) || this.dirtyInProcess.includes(item)) return
    if (this.processing.includes(item)) this.dirtyInProcess.push(item)
    else this.waiting.push(item)
  }
  done(item: string): void {
    if (!this.processing.includes(item)) return
    this.processing = this.processing.filter((each) => each !== item)
    if (!this.dirtyInProcess.includes(item)) return
    this.dirtyInProcess = this.dirtyInProcess.filter((each) => each !== item)
    this.waiting.push(item)
  }
  take(): string | undefined {
    const item = this.waiting.shift()
    if (item !== undefined) this.processing.push(item)
    return item
  }
  /** What the getters that can be served get. */
  serve(): Map<string, string | undefined> {
    const served = new Map<string, string | undefined>()
    while (this.getters.length > 0 && (this.waiting.length > 0 || this.shuttingDown)) {
      served.set(this.getters.shift() as string, this.take())
    }
    return served
  }
}

type Command =
  | { op: 'add' | 'done'; item: string }
  | { op: 'get' | 'next' | 'tryGet' | 'shutDown' | 'drain' }
  | { op: 'abort'; getter: number }

const item = fc.constantFrom('a', 'b', 'c', 'd')
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 10, arbitrary: fc.record({ op: fc.constant('add' as const), item }) },
  { weight: 8, arbitrary: fc.record({ op: fc.constant('done' as const), item }) },
  { weight: 10, arbitrary: fc.record({ op: fc.constantFrom('get' as const, 'next' as const, 'tryGet' as const) }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('abort' as const), getter: fc.nat(30) }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constantFrom('shutDown' as const, 'drain' as const) }) },
)

/** Some commands before anything else has its turn. */
const bursts = fc.array(fc.array(command, { minLength: 1, maxLength: 4 }), { maxLength: 40 })

describe.each([
  ['WorkQueue', () => new WorkQueue<string>()],
  ['WorkQueue with an order of its own', () => new WorkQueue<string>({ queue: new FifoQueue() })],
  ['DelayingQueue', () => new DelayingQueue<string>()],
  ['RateLimitingQueue', () => new RateLimitingQueue<string>()],
])('%s', (_name, make) => {
  it('does what the model does', async () => {
    await fc.assert(
      fc.asyncProperty(bursts, async (bursts) => {
        const queue = make()
        const model = new Model()
        const iterator = queue[Symbol.asyncIterator]()
        const aborts: AbortController[] = []
        const got = new Map<string, string | undefined>()
        const want = new Map<string, string | undefined>()
        let drains = 0
        let drained = 0
        const run = (each: Command): void => {
          if (each.op === 'add') {
            queue.add(each.item)
            model.add(each.item)
          } else if (each.op === 'done') {
            queue.done(each.item)
            model.done(each.item)
          } else if (each.op === 'tryGet') {
            expect(queue.tryGet()).toBe(model.take())
          } else if (each.op === 'abort') {
            aborts[each.getter]?.abort()
            model.getters = model.getters.filter((name) => name !== `get ${each.getter}`)
          } else if (each.op === 'get' || each.op === 'next') {
            const name = `${each.op} ${aborts.length}`
            const abort = new AbortController()
            aborts.push(abort)
            const asked =
              each.op === 'get' ? queue.get({ signal: abort.signal }) : iterator.next().then(({ value }) => value)
            asked.then(
              (value) => got.set(name, value),
              () => {},
            )
            model.getters.push(name)
          } else {
            model.shuttingDown = true
            if (each.op === 'drain') {
              drains++
              void queue.shutDownWithDrain().then(() => drained++)
            } else {
              queue.shutDown()
              drains = -Infinity
            }
          }
          for (const [name, value] of model.serve()) want.set(name, value)
          expect([queue.length, queue.shuttingDown]).toEqual([model.waiting.length, model.shuttingDown])
        }
        for (const burst of bursts) {
          burst.forEach(run)
          await new Promise((resolve) => setImmediate(resolve))
          expect(got).toEqual(want)
          const left = model.waiting.length + model.processing.length
          if (drains > 0) expect(drained).toBe(left === 0 ? drains : 0)
        }
      }),
      { numRuns: 300 },
    )
  })
})
