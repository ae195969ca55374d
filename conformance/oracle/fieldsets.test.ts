// Sets of fields: what they are made of, what is done with them, and how they are written.

import fc from 'fast-check'
import {
  anyElement,
  excludeFields,
  FieldSet,
  formatPath,
  includeFields,
  type PathElement,
  parseElement,
} from 'kubewright/managedfields'
import { expect, it } from 'vitest'
import { Random } from '../faults/random.js'
import { runs } from './arbitraries.js'
import { describeWithOracle } from './describe-with-oracle.js'
import { describeSet, elementTexts, type GoSet, normal, randomFields, seed } from './field-sets.js'

describeWithOracle('fieldpath.Set', (oracle) => {
  it('operates on sets, and writes them, as Go does', async () => {
    await fc.assert(
      fc.asyncProperty(seed, async (from) => {
        const choices = new Random(from)
        const [inA, inB] = [randomFields(choices), randomFields(choices)]
        const go = await oracle.ask<Record<string, unknown>>('managedfields.sets', { a: inA, b: inB })
        if ('error' in go) throw new Error(go.error)
        const a = FieldSet.fromFieldsV1(inA as never)
        const b = FieldSet.fromFieldsV1(inB as never)
        const children = a.elements.filter((each) => each.children)
        const ours = {
          a: describeSet(a),
          b: describeSet(b),
          union: describeSet(a.union(b)),
          intersection: describeSet(a.intersection(b)),
          difference: describeSet(a.difference(b)),
          recursiveDifference: describeSet(a.recursiveDifference(b)),
          leaves: describeSet(a.leaves()),
          equal: a.equals(b),
          has: Array.from(b, (path) => a.has(path)),
          withPrefix: children.map(({ element }) => describeSet(b.withPrefix(element))),
        }
        const theirs = Object.fromEntries(
          Object.entries(go.result).map(([key, value]) => {
            if (Array.isArray(value))
              return [key, value.map((each) => (typeof each === 'object' ? normal(each) : each))]
            return [key, typeof value === 'object' ? normal(value as GoSet) : value]
          }),
        )
        expect(ours).toEqual(theirs)
        const rebuilt = FieldSet.of(...a)
        expect(rebuilt.equals(a)).toBe(true)
      }),
      runs(1000),
    )
  })

  it('filters sets as Go does', async () => {
    await fc.assert(
      fc.asyncProperty(seed, async (from) => {
        const choices = new Random(from)
        const set = FieldSet.fromFieldsV1(randomFields(choices) as never)
        const exclude = FieldSet.fromFieldsV1(randomFields(choices) as never)
        // One pattern for each first element: see the differences.
        const firsts = elementTexts.filter((text) => parseElement(text) && text !== 'v:1.0' && choices.percent(15))
        const include = firsts.map((first) => [
          first,
          ...Array.from({ length: choices.int(0, 2) }, () => choices.pick(['*', '*', 'f:a', 'k:{"name":"a"}'])),
        ])
        const go = await oracle.ask<{ include: GoSet; exclude: GoSet }>('managedfields.filters', {
          set: set.toFieldsV1(),
          exclude: exclude.toFieldsV1(),
          include: include.length > 0 ? include : [['f:nothing']],
        })
        if ('error' in go) throw new Error(go.error)
        const patterns = include.map((texts) =>
          texts.map((text) => (text === '*' ? anyElement : (parseElement(text) as PathElement))),
        )
        expect({
          include: describeSet(includeFields(...patterns)(set)),
          exclude: describeSet(excludeFields(exclude)(set)),
        }).toEqual({ include: normal(go.result.include), exclude: normal(go.result.exclude) })
      }),
      runs(1000),
    )
  })

  it.each(['abc', 'f', 'k:', 'k:5', 'v:', 'i:x', 'k:{"a"}'])('refuses the element %j', async (text) => {
    const go = await oracle.ask('managedfields.sets', { a: { [text]: {} } })
    expect('error' in go).toBe(true)
    expect(() => FieldSet.fromFieldsV1({ [text]: {} })).toThrow('parsing key as path element')
  })
})

describeWithOracle('paths', (oracle) => {
  const known = elementTexts.flatMap((text): [string, PathElement][] => {
    const element = parseElement(text)
    return element ? [[text, element]] : []
  })

  it.each(known)('prints %s as Go does', async (text, element) => {
    const go = await oracle.ask<{ a: GoSet }>('managedfields.sets', { a: { [text]: {} } })
    expect('result' in go && go.result.a.text).toBe(formatPath([element]))
  })
})
