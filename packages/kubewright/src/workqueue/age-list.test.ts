import fc from 'fast-check'
import { expect, it } from 'vitest'
import { type Aged, AgeList } from './age-list.js'

interface Item extends Aged<Item> {
  readonly name: number
}

it('AgeList has the items in the order of adding, whichever are removed', () => {
  const command = fc.oneof(
    { weight: 10, arbitrary: fc.constant('add' as const) },
    { weight: 8, arbitrary: fc.record({ remove: fc.nat(20) }) },
    { weight: 1, arbitrary: fc.constant('clear' as const) },
  )
  fc.assert(
    fc.property(fc.array(command, { maxLength: 60 }), (commands) => {
      const list = new AgeList<Item>()
      let model: Item[] = []
      for (const [name, each] of commands.entries()) {
        if (each === 'add') {
          const item = { name, older: undefined, newer: undefined }
          list.add(item)
          model.push(item)
        } else if (each === 'clear') {
          list.clear()
          model = []
        } else {
          const known = model[each.remove]
          if (!known) continue
          list.remove(known)
          model = model.filter((item) => item !== known)
        }
        const held: Item[] = []
        for (let item = list.oldest; item; item = item.newer) held.push(item)
        expect(held.map((item) => item.name)).toEqual(model.map((item) => item.name))
        expect(held.map((item) => item.older?.name)).toEqual(
          [undefined, ...held.map((item) => item.name)].slice(0, held.length),
        )
      }
    }),
  )
})
