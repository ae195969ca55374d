// Whom the server sees when a credential plugin logs in: kubeconfig.yaml names the plugin, plugin.ts is it.
//
//   KUBECONFIG=$HOME/.kube/config:examples/exec-plugin/kubeconfig.yaml node examples/exec-plugin/dist/main.js

import { Clientset, getConfig, setupSignalHandler } from 'kubewright'

const signal = setupSignalHandler()

// The current context's cluster, with another user. The plugin runs when the first request needs credentials.
const config = await getConfig({ overrides: { context: { user: 'service-account' } }, signal })
await using clientset = new Clientset(config)
const { status } = await clientset.authenticationV1().selfSubjectReviews().create({}, { signal })
console.log(`user=${status.userInfo?.username}`)
for (const group of status.userInfo?.groups ?? []) console.log(`group=${group}`)
