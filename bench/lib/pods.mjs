// Objects like those a server sends, for what measures decoding: about 5 KB of JSON each, a third of it managedFields.

const fields = (count, prefix) => Object.fromEntries(Array.from({ length: count }, (_, i) => [`f:${prefix}${i}`, {}]))

const manager = (name) => ({
  manager: name,
  operation: 'Update',
  apiVersion: 'v1',
  time: '2026-01-01T00:00:00Z',
  fieldsType: 'FieldsV1',
  fieldsV1: {
    'f:metadata': { 'f:labels': fields(10, 'label-'), 'f:annotations': fields(4, 'annotation-') },
    'f:spec': { 'f:containers': { 'k:{"name":"main"}': fields(12, 'field-') } },
  },
})

const container = (name) => ({
  name,
  image: `registry.example.com/team/${name}:1.2.3`,
  args: ['--verbose', `--name=${name}`],
  env: Array.from({ length: 8 }, (_, i) => ({ name: `VARIABLE_${i}`, value: `value "${i}"` })),
  resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { cpu: '1', memory: '1Gi' } },
  volumeMounts: [
    { name: 'kube-api-access', readOnly: true, mountPath: '/var/run/secrets/kubernetes.io/serviceaccount' },
  ],
})

/** The i-th Pod. */
export const pod = (i) => ({
  metadata: {
    name: `pod-${i}`,
    generateName: 'pod-',
    namespace: `namespace-${i % 100}`,
    uid: `00000000-0000-0000-0000-${String(i).padStart(12, '0')}`,
    resourceVersion: String(1000 + i),
    creationTimestamp: '2026-01-01T00:00:00Z',
    labels: Object.fromEntries(Array.from({ length: 8 }, (_, k) => [`app.example.com/label-${k}`, `value-${k}-${i}`])),
    annotations: { description: 'Some text that goes on for a while. '.repeat(12) },
    managedFields: ['kube-controller-manager', 'kubelet', 'kubectl'].map(manager),
  },
  spec: { containers: ['main', 'sidecar'].map(container), nodeName: `node-${i % 50}`, restartPolicy: 'Always' },
  status: {
    phase: 'Running',
    conditions: ['Initialized', 'Ready', 'ContainersReady', 'PodScheduled'].map((type) => ({
      type,
      status: 'True',
      lastProbeTime: null,
      lastTransitionTime: '2026-01-01T00:00:00Z',
    })),
    podIP: `10.0.${i % 256}.1`,
  },
})
