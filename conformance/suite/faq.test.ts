// docs/faq.md, taken at its word: each program runs and prints what stands below it.

import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Clientset } from 'kubewright'
import { load, loadFromFile, writeToFile } from 'kubewright/clientcmd'
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest'
import { describeWithControlPlane, mintToken, suiteNamespace } from '../control-plane/fixture.js'
import { eventually } from './eventually.js'
import { clientsetFor, deployment } from './helpers.js'
import { printedBy, programsOf } from './page-programs.js'

const root = fileURLToPath(new URL('../../', import.meta.url))
const questions = readFileSync(join(root, 'docs/faq.md'), 'utf8')
  .split(/^## /m)
  .map((text) => ({ name: text.slice(0, text.indexOf('\n')), text }))
const programs = questions.flatMap(programsOf)

describeWithControlPlane('the programs of docs/faq.md', () => {
  const mine = suiteNamespace()
  const other = suiteNamespace()
  // The label is of this run alone: what an earlier one left may still be there.
  const placeholders = () =>
    [
      ['my-namespace', mine()],
      ['other-namespace', other()],
      ['the-faq', mine()],
    ] as const
  let clientset: Clientset
  let directory: string

  /** A kubeconfig with the cluster and the user of another one, under a name of its own. */
  const kubeconfig = async (name: string, of: string): Promise<string> => {
    const given = await loadFromFile(of)
    const context = given.contexts.get(given.currentContext)
    const cluster = given.clusters.get(context?.cluster ?? '')
    const user = given.users.get(context?.user ?? '')
    if (!cluster || !user) throw new Error(`no cluster or user in ${of}`)
    const made = await load('')
    made.clusters.set(name, cluster)
    made.users.set(name, user)
    made.contexts.set(name, { cluster: name, user: name, namespace: mine() })
    made.currentContext = name
    const file = join(directory, `${name}.kubeconfig`)
    await writeToFile(made, file)
    return file
  }

  beforeAll(async () => {
    clientset = await clientsetFor()
    // Within the repository, so that what is imported is transformed and finds the library.
    await mkdir(join(root, '.cache'), { recursive: true })
    directory = await mkdtemp(join(root, '.cache/faq-'))
    await clientset
      .coreV1()
      .configMaps(mine())
      .create({ metadata: { name: 'settings' } })
    for (const namespace of [mine(), other()]) {
      await clientset
        .appsV1()
        .deployments(namespace)
        .create(deployment('web', { labels: { from: mine() } }))
    }
    await eventually(async () => (await clientset.appsV1().replicaSets(mine()).list()).items.length === 1)
    const files = [
      await kubeconfig('production', await mintToken('admin')),
      await kubeconfig('staging', await mintToken('developer')),
    ]
    vi.stubEnv('KUBECONFIG', files.join(delimiter))
  })
  afterAll(async () => {
    vi.unstubAllEnvs()
    await clientset?.close()
    await rm(directory, { recursive: true, force: true })
  })
  afterEach(() => {
    vi.restoreAllMocks()
  })

  it('there are some, and each says what it prints', () => {
    expect(programs.length).toBeGreaterThan(10)
    expect(programs.filter(({ output }) => output === undefined)).toEqual([])
  })

  it.each(programs.map((program, index) => ({ ...program, index })))('$page', async ({ code, output, index }) => {
    const replaced = (text: string): string =>
      placeholders().reduce((all, [from, to]) => all.replaceAll(from, to), text)
    const file = join(directory, `${index}.ts`)
    await writeFile(file, replaced(code))
    expect(await printedBy(file)).toBe(replaced(output ?? ''))
  })
})
