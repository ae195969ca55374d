// Programs that show what the library's types cost a compiler, in a project of their own that sees the built package.
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { root } from './repository.mjs'

const api = join(root, 'packages/kubewright/dist/gen/api')

/** Ten lines that list Deployments and update some. */
export const small = `import { Clientset, getConfig } from 'kubewright'
import type { Deployment } from 'kubewright/api/apps/v1'

const clientset = new Clientset(await getConfig())
const deployments = clientset.appsV1().deployments('default')
const small = (d: Deployment): boolean => (d.spec.replicas ?? 1) < 2
for (const deployment of (await deployments.list()).items) {
  if (!small(deployment)) continue
  deployment.spec.replicas = 2
  await deployments.update(deployment)
}
`

/** Reads and writes objects of so many kinds, each through its descriptor and by its types. */
export function withKinds(count) {
  const kinds = readdirSync(api, { recursive: true })
    .filter((file) => /\/v\d\w*\.d\.ts$/.test(file))
    .toSorted((a, b) => (a < b ? -1 : 1))
    .flatMap((file) => {
      const text = readFileSync(join(api, file), 'utf8')
      return [...text.matchAll(/^export declare const (\w+): Kind</gm)].map(([, name]) => [
        file.replace('.d.ts', ''),
        name,
      ])
    })
    .slice(0, count)
  if (kinds.length < count) throw new Error(`there are ${kinds.length} kinds, not ${count}`)
  const lines = kinds.map(
    ([module, name], i) => `import { ${name} as K${i}, type ${name}Input as W${i} } from 'kubewright/api/${module}'
const o${i}: K${i} = await client.resource(K${i}).get('name')
await client.resource(K${i}).update({ ...o${i}, metadata: { name: 'other' } } satisfies W${i})
`,
  )
  return `import { DynamicClient, getConfig } from 'kubewright'\n\nconst client = new DynamicClient(await getConfig())\n${lines.join('')}`
}

/** A folder in which programs that import the library compile. To be disposed of. */
export class TypeProject {
  folder = mkdtempSync(join(tmpdir(), 'kubewright-types-'))
  tsc = join(root, 'node_modules/typescript/bin/tsc')

  constructor() {
    mkdirSync(join(this.folder, 'node_modules'))
    symlinkSync(join(root, 'packages/kubewright'), join(this.folder, 'node_modules/kubewright'))
    writeFileSync(join(this.folder, 'package.json'), '{ "type": "module" }')
  }

  /** Writes a program, and gives the name of its project file. */
  add(name, source) {
    const compilerOptions = { strict: true, noEmit: true, module: 'nodenext', skipLibCheck: false, types: [] }
    writeFileSync(join(this.folder, `${name}.ts`), source)
    writeFileSync(join(this.folder, `${name}.json`), JSON.stringify({ compilerOptions, files: [`${name}.ts`] }))
    return `${name}.json`
  }

  remove() {
    rmSync(this.folder, { recursive: true })
  }
}
