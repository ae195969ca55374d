// Strategic merge patches of a Deployment: made and applied, against client-go's. Ours works on objects; client-go's users
// call it with JSON and get JSON, so that is what is measured there.
import assert from 'node:assert/strict'
import { applyStrategicMergePatch, createTwoWayStrategicMergePatch } from 'kubewright/patch'
import { DeploymentSchema } from 'kubewright/schema/apps/v1'
import { Oracle } from '../conformance/dist/oracle/oracle.js'
import { interleaved, median, report } from './lib/stats.mjs'

const iterations = 300

const container = (name) => ({
  name,
  image: `${name}:1`,
  args: ['--verbose', '--config=/etc/config/main.yaml'],
  ports: [
    { name: 'http', containerPort: 8080, protocol: 'TCP' },
    { name: 'metrics', containerPort: 9090, protocol: 'TCP' },
  ],
  env: Array.from({ length: 8 }, (_, i) => ({ name: `SETTING_${i}`, value: `value ${i}` })),
  resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '256Mi' } },
  volumeMounts: [
    { name: 'config', mountPath: '/etc/config', readOnly: true },
    { name: 'data', mountPath: '/data' },
  ],
  livenessProbe: {
    httpGet: { path: '/healthz', port: 'http', scheme: 'HTTP' },
    periodSeconds: 10,
    failureThreshold: 3,
  },
  terminationMessagePath: '/dev/termination-log',
  imagePullPolicy: 'IfNotPresent',
})
const original = {
  apiVersion: 'apps/v1',
  kind: 'Deployment',
  metadata: {
    name: 'web',
    namespace: 'default',
    labels: { app: 'web', tier: 'front' },
    annotations: { 'example.com/owner': 'team-a' },
    finalizers: ['example.com/a', 'example.com/b'],
  },
  spec: {
    replicas: 3,
    selector: { matchLabels: { app: 'web' } },
    strategy: { type: 'RollingUpdate', rollingUpdate: { maxSurge: '25%', maxUnavailable: '25%' } },
    template: {
      metadata: { labels: { app: 'web' } },
      spec: {
        containers: [container('app'), container('proxy'), container('log')],
        initContainers: [container('init')],
        volumes: [
          { name: 'config', configMap: { name: 'web' } },
          { name: 'data', emptyDir: {} },
        ],
        tolerations: [{ key: 'dedicated', operator: 'Exists' }],
      },
    },
  },
  status: { replicas: 3, conditions: [{ type: 'Available', status: 'True' }] },
}
const modified = structuredClone(original)
modified.spec.replicas = 4
modified.spec.template.spec.containers[0].env.push({ name: 'ADDED', value: '1' })
modified.spec.template.spec.containers[1].image = 'proxy:2'

const oracle = await Oracle.start()

/** Nanoseconds for one of each. */
async function inGo() {
  const answer = await oracle.ask('patch.strategic.time', { type: 'Deployment', original, modified, iterations })
  assert.ok('result' in answer, answer.error)
  assert.deepEqual(answer.result.result, modified)
  return answer.result
}

async function ours() {
  let patch
  let result
  const started = performance.now()
  for (let i = 0; i < iterations; i++) patch = createTwoWayStrategicMergePatch(original, modified, DeploymentSchema)
  const made = performance.now()
  for (let i = 0; i < iterations; i++) result = applyStrategicMergePatch(original, patch, DeploymentSchema)
  const applied = performance.now()
  assert.deepEqual(result, modified)
  const nanoseconds = (from, to) => ((to - from) * 1e6) / iterations
  return { create: nanoseconds(started, made), apply: nanoseconds(made, applied), patch }
}

const [go, js] = await interleaved(25, inGo, ours)
await oracle.close()
assert.deepEqual(js.at(-1).patch, go.at(-1).patch)

for (const [name, key] of [
  ['make', 'create'],
  ['apply', 'apply'],
]) {
  report(`strategic merge patch of a Deployment, ${name}`, 'µs', median(js.map((run) => run[key] / 1000)))
  report(
    `strategic merge patch of a Deployment, ${name}, time over client-go's`,
    '×',
    median(js.map((run, i) => run[key] / go[i][key])),
    1.0,
  )
}
