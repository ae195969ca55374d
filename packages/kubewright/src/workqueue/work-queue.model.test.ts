// The work queue against a model that is as plain as can be.
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
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
  /** What the getters that can be served get. */
  serve(): Map<string, string | undefined> {
    const served = new Map<string, string | undefined>()
    while (this.getters.length > 0 && (this.waiting.length > 0 || this.shuttingDown)) {
      const item = this.waiting.shift()
      if (item !== undefined) this.processing.push(item)
      served.set(this.getters.shift() as string, item)
    }
    return served
  }
}

type Command =
  | { op: 'add' | 'done'; item: string }
  | { op: 'get' | 'shutDown' | 'drain' }
  | { op: 'abort'; getter: number }

const item = fc.constantFrom('a', 'b', 'c', 'd')
const command: fc.Arbitrary<Command> = fc.oneof(
  { weight: 8, arbitrary: fc.record({ op: fc.constant('add' as const), item }) },
  { weight: 6, arbitrary: fc.record({ op: fc.constant('done' as const), item }) },
  { weight: 8, arbitrary: fc.record({ op: fc.constant('get' as const) }) },
  { weight: 2, arbitrary: fc.record({ op: fc.constant('abort' as const), getter: fc.nat(30) }) },
  { weight: 1, arbitrary: fc.record({ op: fc.constantFrom('shutDown' as const, 'drain' as const) }) },
)

describe('WorkQueue', () => {
  it('does what the model does', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(command, { maxLength: 60 }), async (commands) => {
        const queue = new WorkQueue<string>()
        const model = new Model()
        const aborts: AbortController[] = []
        const got = new Map<string, string | undefined>()
        const want = new Map<string, string | undefined>()
        let drains = 0
        let drained = 0
        for (const each of commands) {
          if (each.op === 'add') {
            queue.add(each.item)
            model.add(each.item)
          } else if (each.op === 'done') {
            queue.done(each.item)
            model.done(each.item)
          } else if (each.op === 'get') {
            const name = `getter ${aborts.length}`
            const abort = new AbortController()
            aborts.push(abort)
            queue.get({ signal: abort.signal }).then(
              (value) => got.set(name, value),
              () => {},
            )
            model.getters.push(name)
          } else if (each.op === 'abort') {
            aborts[each.getter]?.abort()
            model.getters = model.getters.filter((name) => name !== `getter ${each.getter}`)
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
          await new Promise((resolve) => setImmediate(resolve))
          expect(got).toEqual(want)
          expect(queue.length).toBe(model.waiting.length)
          expect(queue.shuttingDown).toBe(model.shuttingDown)
          if (drains > 0 && drained < drains) expect(model.waiting.length + model.processing.length).toBeGreaterThan(0)
          if (drains > 0 && model.waiting.length + model.processing.length === 0) expect(drained).toBe(drains)
        }
      }),
      { numRuns: 300 },
    )
  })
})
