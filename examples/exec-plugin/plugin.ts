// A credential plugin: gives out tokens of a ServiceAccount that last ten minutes. Who may create them runs programs
// with no more rights than that account has.
//
//   node examples/exec-plugin/dist/plugin.js NAMESPACE SERVICEACCOUNT
//
// It asks the server for them as the current context's user.

import { Clientset, getConfig } from 'kubewright'
import { loadExecCredentialFromEnv } from 'kubewright/rest'

const [namespace = 'default', name = 'default'] = process.argv.slice(2)
const { credential } = loadExecCredentialFromEnv() // the version that the answer has to be of
const { apiVersion, kind } = credential

await using clientset = new Clientset(await getConfig())
const { status } = await clientset
  .coreV1()
  .serviceAccounts(namespace)
  .createToken(name, { spec: { expirationSeconds: 600 } })
const { token, expirationTimestamp } = status
console.log(JSON.stringify({ apiVersion, kind, status: { token, expirationTimestamp } })) // standard output is for this alone
