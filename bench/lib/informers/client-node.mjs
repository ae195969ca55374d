// The informer of @kubernetes/client-node, from the folder that the environment names. It lists, always.
import { createRequire } from 'node:module'
import { pathToFileURL } from 'node:url'
import { measure, options } from './measure.mjs'

// Not installed with the workspace.
const name = '@kubernetes/client-node'
const require = createRequire(`${process.env.CLIENT_NODE}/package.json`)
const { KubeConfig, CoreV1Api, makeInformer } = await import(pathToFileURL(require.resolve(name)))

const config = new KubeConfig()
config.loadFromClusterAndUser({ name: 'bench', server: options.host, skipTLSVerify: true }, { name: 'bench' })
const api = config.makeApiClient(CoreV1Api)
const informer = makeInformer(config, '/api/v1/pods', () => api.listPodForAllNamespaces())

await measure({
  start: async ({ onAdd, onUpdate }) => {
    informer.on('add', (pod) => onAdd(pod.metadata.resourceVersion))
    informer.on('update', (pod) => onUpdate(pod.metadata.resourceVersion))
    await informer.start()
  },
  size: () => informer.list().length,
  stop: () => informer.stop(),
})
// Its connections may outlive it.
process.exit()
