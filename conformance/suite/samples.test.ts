// The kinds that are used most, there and back: what is written is read, and what is read can be written.

import { type Clientset, DynamicClient, retryOnConflict } from 'kubewright'
import { equalSemantic, type KubernetesObject } from 'kubewright/meta'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithControlPlane, testNamespace } from '../control-plane/fixture.js'
import { clientsetFor } from './helpers.js'
import { clusterSamples, definition, namespacedSamples, type Sample } from './samples.js'

/** What is in `sent` and is not, or is otherwise, in `answer`. The server may add to objects, not to lists. */
function changed(sent: unknown, answer: unknown, path: readonly string[] = []): string[] {
  if (Array.isArray(sent)) {
    if (!Array.isArray(answer) || answer.length !== sent.length) return [`${path.join('.')}: another list`]
    return sent.flatMap((item, i) => changed(item, answer[i], [...path, String(i)]))
  }
  if (typeof sent === 'object' && sent !== null && typeof answer === 'object' && answer !== null) {
    return Object.entries(sent).flatMap(([key, value]) =>
      changed(value, (answer as Record<string, unknown>)[key], [...path, key]),
    )
  }
  // Amounts are the only thing that servers write otherwise: those stand in fields that say so.
  const field = path.at(-2) ?? ''
  const isSame = sent === answer || equalSemantic({ [field]: { x: sent } }, { [field]: { x: answer } })
  return isSame ? [] : [`${path.join('.')}: ${JSON.stringify(sent)} became ${JSON.stringify(answer)}`]
}

describeWithControlPlane('a valid object', () => {
  let clientset: Clientset
  let dynamic: DynamicClient
  beforeAll(async () => {
    clientset = await clientsetFor()
    dynamic = new DynamicClient(clientset.config)
  })
  afterAll(() => clientset.close())

  /** Creates, reads, writes back, lists and deletes it; says what became of it. */
  const thereAndBack = async ({ kind, object }: Sample): Promise<object> => {
    const namespace = await testNamespace()
    const client = kind.namespaced ? dynamic.resource(kind).namespace(namespace) : dynamic.resource(kind)
    const written: KubernetesObject = object(namespace)
    const name = written.metadata?.name ?? 'sample'
    const wanted = { ...written, metadata: { ...written.metadata, name } }
    await client.create(wanted)
    try {
      const read = await client.get(name)
      // Its controller may be at it too.
      const [once, twice] = await retryOnConflict(async () => {
        // A claim's first write makes a new version of it, though nothing in it differs.
        const once = await client.update(await client.get(name))
        return [once, await client.update(once)] as const
      })
      return {
        changed: changed(wanted, read),
        type: [read.apiVersion, read.kind],
        unchangedWhenWrittenBack: twice.metadata?.resourceVersion === once.metadata?.resourceVersion,
        listed: (await client.list({ fieldSelector: `metadata.name=${name}` })).items.map((item) => [
          item.apiVersion,
          item.kind,
          item.metadata?.name === name,
        ]),
      }
    } finally {
      await client.delete(name, { gracePeriodSeconds: 0 })
    }
  }
  const asItWas = ({ kind: { apiVersion, kind } }: Sample): object => ({
    changed: [],
    type: [apiVersion, kind],
    unchangedWhenWrittenBack: true,
    listed: [[apiVersion, kind, true]],
  })

  const samples = [...namespacedSamples, ...clusterSamples, definition('samples.example.com')]

  it.each(samples.map((sample) => [sample.kind.kind, sample] as const))(
    'of kind %s goes there and back',
    async (_, sample) => {
      expect(await thereAndBack(sample)).toEqual(asItWas(sample))
    },
  )
})
