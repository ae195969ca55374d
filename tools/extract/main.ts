// Writes spec/: the facts of Kubernetes' API that code is generated from. Needs Go; see spec/README.md.

import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from '../root.js'
import { fileOf, type GroupVersionFacts, readSpec, writeSpec } from '../spec/format.js'
import { readGoClients } from './go-client.js'
import { apiPackages, clientFolders, kubernetesVersion, moduleDir } from './go-modules.js'
import { writeGoNames } from './go-names.js'
import { type GroupVersion, readGroupVersion } from './group-version.js'
import {
  assertSame,
  type OpenApiSchema,
  type OpenApiSchemas,
  reachable,
  splitName,
  toDefinition,
  withDescriptions,
} from './openapi.js'

const machineryPackage = 'io.k8s.apimachinery.pkg'
const metaPackage = `${machineryPackage}.apis.meta.v1`

/** Definitions that no kind refers to and clients need. */
const extraRoots = [
  `${machineryPackage}.version.Info`,
  ...[
    'APIGroup',
    'APIGroupList',
    'APIResourceList',
    'APIVersions',
    'ApplyOptions',
    'Condition',
    'CreateOptions',
    'DeleteOptions',
    'Duration',
    'GetOptions',
    'ListOptions',
    'PartialObjectMetadata',
    'PartialObjectMetadataList',
    'PatchOptions',
    'Status',
    'Table',
    'TableOptions',
    'UpdateOptions',
    'WatchEvent',
  ].map((name) => `${metaPackage}.${name}`),
]

/** What has definitions and no resources. `meta` and `apimachinery` stand for Go packages, not for API groups. */
const withoutResources: readonly GroupVersion[] = [
  {
    pkg: 'io.k8s.api.apidiscovery.v2',
    group: 'apidiscovery.k8s.io',
    version: 'v2',
    folder: 'apidiscovery',
    served: true,
  },
  { pkg: metaPackage, group: 'meta', version: 'v1', folder: 'meta', served: true },
  { pkg: machineryPackage, group: 'apimachinery', version: 'unversioned', folder: 'apimachinery', served: true },
]

function readPublished(kubernetesDir: string): OpenApiSchemas {
  const dir = join(kubernetesDir, 'api/openapi-spec/v3')
  const schemas: OpenApiSchemas = {}
  for (const file of readdirSync(dir).sort()) {
    const document = JSON.parse(readFileSync(join(dir, file), 'utf8')) as { components?: { schemas?: OpenApiSchemas } }
    Object.assign(schemas, document.components?.schemas)
  }
  return schemas
}

function readCompiled(controlPlane: string | undefined): OpenApiSchemas {
  const args = ['openapi', `${machineryPackage}.`, ...apiPackages.map((p) => `${p.name}.`)]
  const [command, first] = controlPlane ? [controlPlane, []] : ['go', ['run', '-trimpath', '.']]
  const out = execFileSync(command, [...first, ...args], {
    cwd: join(root, 'conformance/control-plane'),
    env: { ...process.env, CGO_ENABLED: '0' },
    encoding: 'utf8',
    maxBuffer: 2 ** 28,
  })
  return JSON.parse(out) as OpenApiSchemas
}

/** The compiled definitions are the larger set; the published ones have the texts that say what is deprecated. */
function merge(published: OpenApiSchemas, compiled: OpenApiSchemas): OpenApiSchemas {
  for (const [name, schema] of Object.entries(published)) assertSame(name, schema, compiled[name])
  return Object.fromEntries(
    Object.entries(compiled).map(([name, schema]) => [name, withDescriptions(schema, published[name])]),
  )
}

function readGroupVersions(kubernetesDir: string, schemas: OpenApiSchemas): GroupVersion[] {
  const packages = new Set(Object.keys(schemas).map((name) => splitName(name).pkg))
  const clients = clientFolders.flatMap(({ module, dir, version }) =>
    readGoClients(join(moduleDir(module), dir)).filter((c) => version === undefined || c.version === version),
  )
  const discoveryDir = join(kubernetesDir, 'api/discovery')
  return [...clients.map((c) => readGroupVersion(c, discoveryDir, (pkg) => packages.has(pkg))), ...withoutResources]
}

/** Distributes the definitions over their group-versions, those only that something of the API needs. */
function distribute(schemas: OpenApiSchemas, groupVersions: readonly GroupVersion[]): GroupVersionFacts[] {
  const homeOf = (name: string): GroupVersion => {
    const { pkg } = splitName(name)
    const home = groupVersions.find((gv) => gv.pkg === pkg) ?? groupVersions.find((gv) => name.startsWith(`${gv.pkg}.`))
    if (!home) throw new Error(`reading the API description: ${name} is of no known group-version`)
    return home
  }
  const isRoot = (name: string, schema: OpenApiSchema) =>
    schema['x-kubernetes-group-version-kind'] !== undefined &&
    groupVersions.some((gv) => gv.pkg === splitName(name).pkg && gv.pkg !== metaPackage)
  const kinds = Object.entries(schemas).flatMap(([name, schema]) => (isRoot(name, schema) ? [name] : []))
  const wanted = [...reachable(schemas, [...extraRoots, ...kinds])]

  return groupVersions.map((gv) => {
    const refer = (name: string): string => {
      const home = homeOf(name)
      const short = splitName(name).name
      return home === gv ? short : `${fileOf(home)}.${short}`
    }
    const definitions: GroupVersionFacts['definitions'] = {}
    for (const name of wanted.filter((n) => homeOf(n) === gv).sort(bySuffix)) {
      const short = splitName(name).name
      if (definitions[short]) throw new Error(`${gv.group}/${gv.version}: two definitions are named ${short}`)
      definitions[short] = toDefinition(name, schemas[name] as OpenApiSchema, refer)
    }
    const { pkg: _, ...facts } = gv
    for (const { client } of Object.values(gv.resources ?? {})) {
      if (client?.scale !== undefined) client.scale = refer(client.scale)
    }
    return { ...facts, definitions }
  })
}

function bySuffix(a: string, b: string): number {
  return splitName(a).name < splitName(b).name ? -1 : 1
}

const { values } = parseArgs({ options: { 'control-plane': { type: 'string' }, 'only-names': { type: 'boolean' } } })
const spec = join(root, 'spec')
if (!values['only-names']) {
  const kubernetesDir = moduleDir('k8s.io/kubernetes')
  const schemas = merge(readPublished(kubernetesDir), readCompiled(values['control-plane']))
  const facts = distribute(schemas, readGroupVersions(kubernetesDir, schemas))
  writeSpec(spec, facts)
  console.log(`spec: ${facts.length} files, from Kubernetes ${kubernetesVersion}`)
}
writeGoNames(readSpec(spec))
