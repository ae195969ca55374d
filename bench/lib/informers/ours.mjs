// An informer of this library; with --bytes one whose cache holds bytes.
import { newBytesInformer, SharedIndexInformer } from 'kubewright/cache'
import { Clientset } from 'kubewright/kubernetes'
import { Config } from 'kubewright/rest'
import { measure, options } from './measure.mjs'

const { host, bytes, classic, drop } = options
const pods = new Clientset(new Config({ host, qps: -1 })).coreV1().pods('')
const kind = { apiVersion: 'v1', kind: 'Pod', namespaced: true }
const useWatchList = !classic
const informer = bytes
  ? newBytesInformer(kind, pods, { useWatchList, drop: drop ? ['metadata.managedFields'] : [] })
  : new SharedIndexInformer(pods, { useWatchList, expectedKind: kind })
if (drop && !bytes) {
  informer.setTransform((pod) => {
    delete pod.metadata.managedFields
    return pod
  })
}

const stopped = new AbortController()
let running
await measure({
  start: async ({ onAdd, onUpdate }) => {
    informer.addEventHandler({
      onAdd: (pod) => onAdd(version(pod)),
      onUpdate: (_old, pod) => onUpdate(version(pod)),
    })
    running = informer.run({ signal: stopped.signal })
    await informer.synced
  },
  size: () => informer.indexer.listKeys().length,
  stop: async () => {
    stopped.abort()
    await running
  },
})

function version(pod) {
  return bytes ? pod.resourceVersion : pod.metadata.resourceVersion
}
