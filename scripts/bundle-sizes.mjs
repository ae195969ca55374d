// What a bundle of a program that uses the library weighs: writes the table in the README, or checks it.
//
//   node scripts/bundle-sizes.mjs           writes the table
//   node scripts/bundle-sizes.mjs --check   fails where a size in it is wrong by more than a twentieth
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { gzipSync } from 'node:zlib'
import { rolldown } from 'rolldown'
import { root } from './lib/repository.mjs'

/** What each program does, and its text. Sizes are of all it needs at the start and what it may load later. */
const programs = [
  [
    "a kind and its types: `import { Deployment } from 'kubewright/api/apps/v1'`",
    `export { Deployment } from 'kubewright/api/apps/v1'`,
  ],
  [
    'typed objects and label selectors, no connection: `kubewright/meta`',
    `export { parseLabelSelector, parseQuantity, isNotFound, deepCopy } from 'kubewright/meta'`,
  ],
  ['a work queue: `kubewright/workqueue`', `export { RateLimitingQueue } from 'kubewright/workqueue'`],
  [
    'strategic merge patches of Deployments: `kubewright/patch`',
    `export { createTwoWayStrategicMergePatch } from 'kubewright/patch'\nexport { DeploymentSchema } from 'kubewright/schema/apps/v1'`,
  ],
  [
    'one kind through a client: `DynamicClient`, `getConfig`',
    `import { Deployment } from 'kubewright/api/apps/v1'\nimport { getConfig } from 'kubewright/clientcmd'\nimport { DynamicClient } from 'kubewright/dynamic'\nexport const list = async () => new DynamicClient(await getConfig()).resource(Deployment).list()`,
  ],
  [
    'every built-in kind: `Clientset`, `getConfig`',
    `import { getConfig } from 'kubewright/clientcmd'\nimport { Clientset } from 'kubewright/kubernetes'\nexport const list = async () => new Clientset(await getConfig()).coreV1().pods('').list()`,
  ],
  ['the controller above', /^## A controller.*?^```ts\n(.*?)^```/ms],
]

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
const readmePath = join(root, 'README.md')
const readme = readFileSync(readmePath, 'utf8')
const table = /(?<=<!-- bundle sizes: node scripts\/bundle-sizes\.mjs -->\n\n).*?(?=\n\n)/s

/** Bytes of the program and of everything of the library and its dependency that it may load. */
async function bundled(source) {
  const entry = '\0program.ts'
  const program = {
    name: 'program',
    resolveId: (id) => (id === 'program' ? entry : undefined),
    load: (id) => (id === entry ? source : undefined),
  }
  const input = await rolldown({
    input: { program: 'program' },
    cwd: root,
    platform: 'node',
    external: [/^node:/, 'oauth4webapi', 'socks'],
    plugins: [program],
  })
  const { output } = await input.generate({ format: 'esm', minify: true })
  await input.close()
  const text = output.map(({ code }) => code ?? '').join('')
  return { minified: Buffer.byteLength(text), zipped: gzipSync(text).length }
}

const kilobytes = (bytes) => `${(bytes / 1000).toFixed(bytes < 10_000 ? 1 : 0)} kB`
const rows = []
for (const [what, source] of programs) {
  const text = source instanceof RegExp ? source.exec(readme)?.[1] : source
  if (text === undefined) throw new Error(`README.md has no program for: ${what}`)
  const { minified, zipped } = await bundled(text)
  rows.push([what, kilobytes(minified), kilobytes(zipped)])
}
const written = table.exec(readme)?.[0]
if (written === undefined) throw new Error('README.md has no place for the table of bundle sizes')

if (values.check) {
  const sizes = (text) => [...text.matchAll(/([\d.]+) kB/g)].map(([, size]) => Number(size))
  const [now, then] = [sizes(rows.flat().join('\n')), sizes(written)]
  const isWrong =
    now.length !== then.length || now.some((size, i) => Math.abs(size - then[i]) > Math.max(0.2, size / 20))
  if (isWrong) {
    console.error(`README.md's table of bundle sizes is not right any more; npm run bundle-sizes writes it:\n`)
    for (const row of rows) console.error(row.join(' | '))
    process.exitCode = 1
  }
} else {
  const lines = [['a program with', 'minified', 'and zipped'], ['---', '---:', '---:'], ...rows]
  writeFileSync(readmePath, readme.replace(table, lines.map((row) => `| ${row.join(' | ')} |`).join('\n')))
}
