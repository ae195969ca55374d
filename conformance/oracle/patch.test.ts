import fc from 'fast-check'
import type { JsonPatchOperation, StructSchema } from 'kubewright/meta'
import * as patch from 'kubewright/patch'
import { CustomResourceDefinitionSchema } from 'kubewright/schema/apiextensions/v1'
import { ControllerRevisionSchema, DeploymentSchema } from 'kubewright/schema/apps/v1'
import { CronJobSchema } from 'kubewright/schema/batch/v1'
import { NodeSchema, PodSchema, ServiceAccountSchema, ServiceSchema } from 'kubewright/schema/core/v1'
import { expect, it } from 'vitest'
import { Random } from '../faults/random.js'
import { runs } from './arbitraries.js'
import { type Ask, answerOf, describeWithOracle } from './describe-with-oracle.js'
import type { Answer } from './oracle.js'
import { change, drawPatch, drawValue } from './schema-values.js'

const kinds: Readonly<Record<string, StructSchema>> = {
  ControllerRevision: ControllerRevisionSchema,
  CronJob: CronJobSchema,
  CustomResourceDefinition: CustomResourceDefinitionSchema,
  Deployment: DeploymentSchema,
  Node: NodeSchema,
  Pod: PodSchema,
  Service: ServiceSchema,
  ServiceAccount: ServiceAccountSchema,
}

const plain = <T>(value: T): T => JSON.parse(JSON.stringify(value)) as T

/** The same answer, or an error on both sides; which of several errors comes first, Go leaves to its maps. */
function expectSame(ours: Answer, go: Answer, question: unknown): void {
  const told = JSON.stringify(question)
  if ('error' in go)
    expect('error' in ours, `Go fails (${go.error}), ours gives ${JSON.stringify(ours)}: ${told}`).toBe(true)
  else if ('error' in ours) expect.fail(`ours fails (${ours.error}), Go gives ${JSON.stringify(go.result)}: ${told}`)
  else expect(plain(ours.result), told).toEqual(go.result)
}

/** Asks both, and sees to it that ours has left its arguments alone. */
async function compare(oracle: Ask, room: string, question: object, ours: () => unknown): Promise<Answer> {
  const before = JSON.stringify(question)
  const answer = answerOf(ours)
  expect(JSON.stringify(question), 'the arguments are as they were').toBe(before)
  expectSame(answer, await oracle.ask(room, question), question)
  return answer
}

const draw = fc.record({ type: fc.constantFrom(...Object.keys(kinds)), seed: fc.nat() })

function drawCase(type: string, seed: number) {
  const schema = kinds[type]
  if (!schema) throw new Error(`no kind ${type}`)
  const choices = new Random(seed)
  const original = drawValue(schema, choices) as object
  const modified = (choices.percent(85) ? change(original, schema, choices) : drawValue(schema, choices)) as object
  const current = (choices.percent(85) ? change(original, schema, choices) : drawValue(schema, choices)) as object
  return { schema, choices, original, modified, current }
}

describeWithOracle('strategic merge patches', (oracle) => {
  it('are made between two objects as by strategicpatch, and lead from one to the other', async () => {
    await fc.assert(
      fc.asyncProperty(draw, async ({ type, seed }) => {
        const { schema, original, modified } = drawCase(type, seed)
        const question = { type, original, modified, unchanged: ['kind'], metadataUnchanged: ['name'] }
        const preconditions = [patch.requireKeyUnchanged('kind'), patch.requireMetadataKeyUnchanged('name')]
        const made = await compare(oracle, 'patch.strategic.create', question, () =>
          patch.createTwoWayStrategicMergePatch(original, modified, schema, { preconditions }),
        )
        if ('error' in made) return
        await compare(oracle, 'patch.strategic', { type, original, patch: made.result }, () =>
          patch.applyStrategicMergePatch(original, made.result as object, schema),
        )
      }),
      runs(1500),
    )
  })

  it('are made of three objects as by strategicpatch', async () => {
    await fc.assert(
      fc.asyncProperty(draw, fc.boolean(), async ({ type, seed }, overwrite) => {
        const { schema, original, modified, current } = drawCase(type, seed)
        const question = { type, original, modified, current, overwrite }
        const made = await compare(oracle, 'patch.strategic.threeWay', question, () =>
          patch.createThreeWayStrategicMergePatch(original, modified, current, schema, { overwrite }),
        )
        if ('error' in made) return
        await compare(oracle, 'patch.strategic', { type, original: current, patch: made.result }, () =>
          patch.applyStrategicMergePatch(current, made.result as object, schema),
        )
      }),
      runs(1500),
    )
  })

  it('that were written by hand are applied as by strategicpatch', async () => {
    await fc.assert(
      fc.asyncProperty(draw, async ({ type, seed }) => {
        const { schema, original, choices } = drawCase(type, seed)
        const body = drawPatch(original, schema, choices) as object
        await compare(oracle, 'patch.strategic', { type, original, patch: body }, () =>
          patch.applyStrategicMergePatch(original, body, schema),
        )
      }),
      runs(1200),
    )
  })

  it('of long lists keep the order that strategicpatch keeps', async () => {
    const names = Array.from({ length: 50 }, (_, i) => `n${(i * 7) % 50}`)
    await fc.assert(
      fc.asyncProperty(fc.nat(), async (seed) => {
        const choices = new Random(seed)
        const pod = () => {
          const some = choices.shuffled(names.filter(() => choices.percent(60)))
          return {
            metadata: { finalizers: some },
            spec: { containers: some.map((name) => ({ name, image: choices.pick(['a', 'b']) })) },
          }
        }
        const [original, modified, current] = [pod(), pod(), pod()]
        const made = await compare(
          oracle,
          'patch.strategic.threeWay',
          { type: 'Pod', original, modified, current, overwrite: true },
          () => patch.createThreeWayStrategicMergePatch(original, modified, current, PodSchema, { overwrite: true }),
        )
        const body = ('result' in made ? made.result : {}) as Record<string, Record<string, unknown>>
        // Also without the order, as patches written by hand.
        if (choices.percent(50)) {
          delete body['spec']?.['$setElementOrder/containers']
          delete body['metadata']?.['$setElementOrder/finalizers']
        }
        await compare(oracle, 'patch.strategic', { type: 'Pod', original: current, patch: body }, () =>
          patch.applyStrategicMergePatch(current, body, PodSchema),
        )
      }),
      runs(300),
    )
  })

  it('are merged with each other as by strategicpatch', async () => {
    await fc.assert(
      fc.asyncProperty(draw, async ({ type, seed }) => {
        const { schema, original, choices } = drawCase(type, seed)
        const [first, second] = [drawPatch(original, schema, choices), drawPatch(original, schema, choices)] as [
          object,
          object,
        ]
        const question = { type, original: first, patch: second }
        await compare(oracle, 'patch.strategic.merge', question, () =>
          patch.mergeStrategicMergePatches([first, second], schema),
        )
        // Of a conflict and an error, the first one found is told.
        const go = await oracle.ask('patch.strategic.conflict', question)
        const ours = answerOf(() => patch.strategicMergePatchesConflict(first, second, schema))
        const told = (answer: Answer) => 'error' in answer || answer.result
        expect(told(ours), JSON.stringify(question)).toBe(told(go))
      }),
      runs(1200),
    )
  })
})

const key = fc.constantFrom('a', 'b', 'c', 'a/b', 'm~n', '', '0', '__proto__', 'constructor')
const { value } = fc.letrec<{ value: unknown; object: object }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, withCrossShrink: true },
    fc.constantFrom(null, true, false, 'x', '', 0, 1, 1.5, -3),
    fc.array(tie('value'), { maxLength: 3 }),
    tie('object'),
  ),
  object: fc
    .array(fc.tuple(key, tie('value')), { maxLength: 4 })
    .map(
      (entries) => JSON.parse(`{${entries.map(([k, v]) => `${JSON.stringify(k)}:${JSON.stringify(v)}`)}}`) as object,
    ),
}))
const object = fc
  .array(fc.tuple(key, value), { maxLength: 4 })
  .map((entries) => JSON.parse(`{${entries.map(([k, v]) => `${JSON.stringify(k)}:${JSON.stringify(v)}`)}}`) as object)

/** Some of the first, some of the second, so that they have things in common. */
const related = fc.tuple(object, object, object, fc.nat()).map(([a, b, c, seed]) => {
  const choices = new Random(seed)
  const mix = (left: unknown, right: unknown): unknown => {
    if (typeof left !== 'object' || typeof right !== 'object' || !left || !right)
      return choices.percent(50) ? left : right
    if (Array.isArray(left) || Array.isArray(right)) return choices.percent(50) ? left : right
    const names = [...new Set([...Object.keys(left), ...Object.keys(right)])].filter(() => choices.percent(80))
    const entries = names.map((name) => {
      const [l, r] = [Object.entries(left), Object.entries(right)].map((e) => e.find(([k]) => k === name)?.[1])
      return [name, l === undefined ? r : r === undefined ? l : mix(l, r)]
    })
    return JSON.parse(`{${entries.map(([k, v]) => `${JSON.stringify(k)}:${JSON.stringify(v)}`)}}`)
  }
  return [a, mix(a, b) as object, mix(a, c) as object] as const
})

describeWithOracle('JSON merge patches', (oracle) => {
  it('are applied as by kube-apiserver', async () => {
    await fc.assert(
      fc.asyncProperty(related, async ([original, body]) => {
        await compare(oracle, 'patch.merge', { original, patch: body }, () => patch.applyMergePatch(original, body))
      }),
      runs(1200),
    )
  })

  it('are made between two objects, and of three, as by client-go', async () => {
    await fc.assert(
      fc.asyncProperty(related, async ([original, modified, current]) => {
        await compare(oracle, 'patch.merge.create', { original, modified }, () =>
          patch.createMergePatch(original, modified),
        )
        await compare(oracle, 'patch.merge.threeWay', { original, modified, current, unchanged: ['c'] }, () =>
          patch.createThreeWayMergePatch(original, modified, current, {
            preconditions: [patch.requireKeyUnchanged('c')],
          }),
        )
      }),
      runs(1200),
    )
  })
})

const pointer = fc
  .array(fc.oneof(key, fc.constantFrom('1', '2', '-', '-1', '01', '+1', '9')), { maxLength: 3 })
  .map((parts) => parts.map((part) => `/${part.replaceAll('~', '~0').replaceAll('/', '~1')}`).join(''))
const operation: fc.Arbitrary<object> = fc.oneof(
  fc.record({ op: fc.constantFrom('add', 'add', 'replace', 'test'), path: pointer, value }, { noNullPrototype: true }),
  fc.record({ op: fc.constant('remove'), path: pointer }, { noNullPrototype: true }),
  fc.record({ op: fc.constantFrom('move', 'copy'), from: pointer, path: pointer }, { noNullPrototype: true }),
  fc.record({ op: fc.constantFrom('add', 'test', 'x', 'move'), path: pointer }, { noNullPrototype: true }),
)

describeWithOracle('JSON patches', (oracle) => {
  it('are applied as by kube-apiserver, its messages included', async () => {
    await fc.assert(
      fc.asyncProperty(object, fc.array(operation, { maxLength: 5 }), async (original, operations) => {
        const go = await oracle.ask('patch.json', { original, patch: operations })
        if ('error' in go && go.panic) return
        const ours = answerOf(() => patch.applyJsonPatch(original, operations as JsonPatchOperation[]))
        expectSame(ours, go, { original, operations })
        if ('error' in go && 'error' in ours) expect(ours.error).toBe(go.error)
      }),
      runs(1200),
    )
  })

  it('that were made lead from one object to the other, for Go too', async () => {
    await fc.assert(
      fc.asyncProperty(related, async ([original, modified]) => {
        const operations = patch.createJsonPatch(original, modified)
        expect(patch.applyJsonPatch(original, operations)).toEqual(modified)
        expect(await oracle.ask('patch.json', { original, patch: operations })).toEqual({ result: plain(modified) })
      }),
      runs(1200),
    )
  })
})
