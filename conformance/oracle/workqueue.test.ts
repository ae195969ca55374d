// Work queues and their limiters answer as Go's do, whatever is done with them. What takes its time is not asked: Go's
// delaying queue adds in its own time, which no question can wait for.

import fc from 'fast-check'
import {
  ItemExponentialFailureRateLimiter,
  ItemFastSlowRateLimiter,
  MaxOfRateLimiter,
  type RateLimiter,
  WithMaxWaitRateLimiter,
  WorkQueue,
} from 'kubewright/workqueue'
import { expect, it } from 'vitest'
import { runs } from './arbitraries.js'
import { describeWithOracle } from './describe-with-oracle.js'

interface Question {
  kind: string
  base: number
  max: number
  fast: number
  inner: Question[]
}

function limiterOf({ kind, base, max, fast, inner }: Question): RateLimiter<string> {
  const [first, ...others] = inner.map(limiterOf)
  if (kind === 'exponential') return new ItemExponentialFailureRateLimiter(base, max)
  if (kind === 'fastSlow') return new ItemFastSlowRateLimiter(base, max, fast)
  if (kind === 'withMaxWait' && first) return new WithMaxWaitRateLimiter(first, max)
  return new MaxOfRateLimiter(...(first ? [first, ...others] : []))
}

const item = fc.constantFrom('a', 'b', 'c')
const ms = fc.oneof(fc.integer({ min: 1, max: 2000 }), fc.constantFrom(1, 5, 1_000_000))
const simple = fc.record({
  kind: fc.constantFrom('exponential', 'fastSlow'),
  base: ms,
  max: ms,
  fast: fc.nat(5),
  inner: fc.constant<Question[]>([]),
})
const limiter: fc.Arbitrary<Question> = fc.oneof(
  simple,
  fc.record({
    kind: fc.constant('maxOf'),
    base: ms,
    max: ms,
    fast: fc.nat(5),
    inner: fc.array(simple, { maxLength: 3 }),
  }),
  fc.record({
    kind: fc.constant('withMaxWait'),
    base: ms,
    max: ms,
    fast: fc.nat(5),
    inner: fc.array(simple, { minLength: 1, maxLength: 1 }),
  }),
)

describeWithOracle('rate limiters', (oracle) => {
  it('make an item wait as long as Go does', async () => {
    const step = fc.record({ op: fc.constantFrom('when', 'when', 'when', 'forget', 'numRequeues'), item })
    // More failures than a number of Go can double for.
    const long = fc.array(step, { maxLength: 150, size: 'max' })
    await fc.assert(
      fc.asyncProperty(limiter, long, async (question, steps) => {
        const ours = limiterOf(question)
        const answers = steps.map(({ op, item }) => {
          if (op === 'when') return ours.when(item)
          if (op === 'numRequeues') return ours.numRequeues(item)
          ours.forget(item)
          return null
        })
        expect({ result: answers }).toEqual(await oracle.ask('workqueue.limiter', { ...question, steps }))
      }),
      runs(500),
    )
  })
})

describeWithOracle('a work queue', (oracle) => {
  it('hands out what Go does', async () => {
    const op = fc.oneof(
      { weight: 20, arbitrary: fc.constantFrom('add', 'add', 'get', 'done') },
      { weight: 1, arbitrary: fc.constant('shutDown') },
    )
    const steps = fc.array(fc.record({ op, item }), { maxLength: 60 })
    await fc.assert(
      fc.asyncProperty(steps, async (steps) => {
        const queue = new WorkQueue<string>()
        const processing = new Set<string>()
        const ours: object[] = []
        const asked: typeof steps = []
        for (const { op, item } of steps) {
          // An item that waits, and is not being processed, Go queues twice when it is said to be done.
          if (op === 'done' && !processing.delete(item)) continue
          asked.push({ op, item })
          let taken: string | undefined = ''
          if (op === 'add') queue.add(item)
          else if (op === 'done') queue.done(item)
          else if (op === 'shutDown') queue.shutDown()
          else if (queue.length > 0 || queue.shuttingDown) {
            taken = await queue.get()
            if (taken === undefined) taken = 'shut down'
            else processing.add(taken)
          }
          ours.push({ taken, length: queue.length, shuttingDown: queue.shuttingDown })
        }
        expect({ result: ours }).toEqual(await oracle.ask('workqueue.queue', asked))
      }),
      runs(300),
    )
  })
})
