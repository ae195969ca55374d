// kubectl's JSONPath: on objects of a real server, `-o jsonpath` and `--sort-by` find the same as ours on `-o json`.

import type { Clientset } from 'kubewright'
import type { PodInput } from 'kubewright/api/core/v1'
import { jsonPath, sortBy } from 'kubewright/jsonpath'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { describeWithControlPlane, kubectl, suiteNamespace } from '../control-plane/fixture.js'
import { clientsetFor } from './helpers.js'

const pod = (name: string, cpu: string, memory: string, tier?: string): PodInput => ({
  metadata: {
    name,
    labels: { app: name, 'app.kubernetes.io/name': name, ...(tier && { tier }) },
    annotations: { note: `<${name}> & "co"` },
  },
  spec: {
    containers: [
      { name: 'main', image: 'nginx:1.27', resources: { requests: { cpu, memory } }, ports: [{ containerPort: 80 }] },
      { name: 'side', image: 'busybox', args: ['sh', '-c', 'echo\t"hi"\n'], env: [{ name: 'A', value: '1' }] },
    ],
    priority: 0,
    terminationGracePeriodSeconds: Number.parseInt(memory, 10),
  },
})

const templates = [
  '{.items[*].metadata.name}',
  '{.kind} of {.apiVersion}',
  '{.items[0].spec}',
  '{.items[0].spec.containers}',
  '{.items[*].spec.containers[*].image}',
  "{.items[*]['metadata.name', 'spec.terminationGracePeriodSeconds']}",
  '{.items[0].metadata.labels}',
  '{.items[0].metadata.labels.app\\.kubernetes\\.io/name}',
  "{.items[0].metadata.labels['app\\.kubernetes\\.io/name']}",
  '{.items[0].metadata.annotations}',
  '{.items[0].metadata.annotations.note}',
  '{.items[-1].metadata.uid}',
  '{.items[0:2].metadata.name}',
  '{.items[::2].metadata.name}',
  '{.items[-2:].metadata.name}',
  '{.items[0,2].metadata.name}',
  '{.items[?(@.metadata.labels.tier)].metadata.name}',
  '{.items[?(@.metadata.labels.tier=="front")].metadata.name}',
  '{.items[?(@.metadata.labels.tier!="front")].metadata.name}',
  '{.items[?(@.spec.terminationGracePeriodSeconds>100)].metadata.name}',
  '{.items[?(@.spec.terminationGracePeriodSeconds<=100)].metadata.name}',
  '{.items[?(@.spec.containers[0].resources.requests.cpu=="2")].metadata.name}',
  '{.items[*].spec.containers[?(@.env)].name}',
  '{.items[0].spec.containers[?(@.name=="side")].args}',
  '{.items[0].spec.containers[1].args[2]}',
  '{range .items[*]}{.metadata.name}{"\\t"}{.spec.containers[0].resources.requests.cpu}{"\\n"}{end}',
  '{range .items[*]}{.metadata.name}: {range .spec.containers[*]}{.name},{end}{"\\n"}{end}done',
  '{range .items[?(@.metadata.labels.tier)]}{.metadata.labels.tier} {end}',
  '{range .nothing[*]}{.a}{end}none',
  '{.items[0].status}',
  '{.items[*].status.phase}',
  '{.items[*].status.conditions}',
  '{.items[0].spec.securityContext}',
  '{.items[0].spec.enableServiceLinks}',
  '{.metadata.resourceVersion}',
  '{..image}',
  '{..containerPort}',
  '{.missing.field}',
  '{"quoted \\"text\\""}{1}{true}{1.5}',
]

const broken = [
  '{.items[0',
  '{.items[9]}',
  '{.items[x]}',
  '{items}',
  '{end}',
  '{.kind[0]}',
  '{.items[?(@.metadata.name=~"a")]}',
  '{.items[?(@.metadata==1)]}',
]

const sortings = [
  ['metadata.name', 'by name'],
  ['.metadata.uid', 'by UID'],
  ['{.spec.terminationGracePeriodSeconds}', 'by a number'],
  ['spec.containers[0].resources.requests.cpu', 'by CPU'],
  ['.spec.containers[0].resources.requests.memory', 'by memory'],
  ['.metadata.labels.app\\.kubernetes\\.io/name', 'by a label'],
] as const

describeWithControlPlane('jsonpath', () => {
  const namespace = suiteNamespace()
  let clientset: Clientset

  beforeAll(async () => {
    clientset = await clientsetFor()
    const pods = clientset.coreV1().pods(namespace())
    await pods.create(pod('web', '500m', '1000Mi', 'front'))
    await pods.create(pod('db', '2', '1Gi', 'back'))
    await pods.create(pod('cache', '1500m', '64Mi'))
    await pods.create(pod('agent', '0.1', '2000Ki', 'front'))
  })
  afterAll(() => clientset.close())

  const get = async (...args: string[]): Promise<string> => {
    const { code, stdout, stderr } = await kubectl(['get', 'pods', '-n', namespace(), ...args])
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
    return stdout
  }
  const pods = async (): Promise<{ items: { metadata: { name: string } }[] }> =>
    JSON.parse(await get('-o', 'json')) as { items: { metadata: { name: string } }[] }

  it.each(templates)('%s', async (template) => {
    const data = await pods()
    expect(jsonPath(template, { allowMissingKeys: true }).execute(data)).toBe(await get('-o', `jsonpath=${template}`))
    expect(jsonPath(template, { allowMissingKeys: true, jsonOutput: true }).execute(data)).toBe(
      await get('-o', `jsonpath-as-json=${template}`),
    )
  })

  it.each(broken)('fails: %s', async (template) => {
    const { code, stderr } = await kubectl(['get', 'pods', '-n', namespace(), '-o', `jsonpath=${template}`])
    expect(code).toBe(1)
    const data = await pods()
    let message = ''
    try {
      jsonPath(template, { allowMissingKeys: true }).execute(data)
    } catch (err) {
      message = (err as Error).message
    }
    expect(message).not.toBe('')
    expect(stderr).toContain(message)
  })

  it.each(sortings)('--sort-by=%s: %s', async (path) => {
    const { items } = await pods()
    const names = sortBy(items, path).map(({ metadata }) => metadata.name)
    expect(names.join(' ')).toBe(await get('--sort-by', path, '-o', 'jsonpath={.items[*].metadata.name}'))
  })

  it('--sort-by has what is missing first', async () => {
    const { items } = await pods()
    const path = '.metadata.labels.tier'
    const [first, second] = sortBy(items, path).map(({ metadata }) => metadata.name)
    const theirs = (await get('--sort-by', path, '-o', 'jsonpath={.items[*].metadata.name}')).split(' ')
    expect([first, second]).toEqual(['cache', 'db'])
    expect(theirs.slice(0, 2)).toEqual([first, second])
  })

  it('--sort-by fails for a path that nothing has', async () => {
    const { items } = await pods()
    const { code, stderr } = await kubectl([
      'get',
      'pods',
      '-n',
      namespace(),
      '-o',
      'name',
      '--sort-by',
      '.spec.nobody',
    ])
    expect(code).toBe(1)
    const message = 'couldn\'t find any field with path "{.spec.nobody}" in the list of objects'
    expect(stderr).toContain(message)
    expect(() => sortBy(items, '.spec.nobody')).toThrow(message)
  })
})
