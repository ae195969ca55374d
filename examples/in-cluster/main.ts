// How many Pods the cluster has, said by a program in one of them. It acts as its Pod's ServiceAccount, which may be
// allowed to by
//
//   kubectl create clusterrolebinding default-view --clusterrole=view --serviceaccount=default:default
//
//   node examples/in-cluster/dist/main.js

import { Clientset, inClusterConfig, setupSignalHandler } from 'kubewright'

const signal = setupSignalHandler()

// Server, authority and token are read from the Pod; the token is read again as it is renewed.
await using clientset = new Clientset(inClusterConfig())
const pods = await clientset.coreV1().pods().list({ signal })
console.log(`there are ${pods.items.length} pods in the cluster`)
