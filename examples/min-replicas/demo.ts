// `npm run demo`: the min-replicas controller at work, with what kubectl shows beside it.
//
// Without arguments it starts a control plane of its own; with --kubeconfig or --context it uses your cluster.

import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { type ControlPlane, GoUnavailable, startControlPlane } from '@kubewright/conformance/control-plane'
import { Children } from './children.js'

const usage = `usage: npm run demo [-- [--kubeconfig FILE] [--context NAME]]

Without options the demo starts a Kubernetes control plane of its own and removes it at the end.
With --kubeconfig or --context it uses that cluster, and the kubectl on your PATH.`

const manifest = fileURLToPath(new URL('../nginx-demo.yaml', import.meta.url))
const controller = fileURLToPath(new URL('./main.js', import.meta.url))

/** Where the demo runs: how to call kubectl there, and what the controller is told. */
interface Target {
  kubectl: string
  args: string[]
  /** A cluster of somebody's: the demo removes what it made. Its own control plane goes as a whole. */
  keep: boolean
}

const say = (text: string): void => console.log(`${'demo'.padEnd(10)} | ${text}`)

async function demo(target: Target, children: Children, signal: AbortSignal): Promise<void> {
  const kubectl = async (...args: string[]): Promise<string> => {
    signal.throwIfAborted()
    const { code, stdout, stderr } = await children.run(target.kubectl, [...target.args, ...args])
    signal.throwIfAborted()
    if (code !== 0) throw new Error(`kubectl ${args.join(' ')}: ${stderr.trim() || `exit code ${code}`}`)
    return stdout.trim()
  }
  const replicasReach = (replicas: number): Promise<string> =>
    kubectl('wait', 'deploy/nginx-demo', `--for=jsonpath={.spec.replicas}=${replicas}`, '--timeout=60s')

  if (await kubectl('get', 'deploy', 'nginx-demo', '--ignore-not-found', '-o', 'name')) {
    throw new Error('there is a Deployment default/nginx-demo already; it is not the demo’s to change. Delete it first')
  }
  try {
    say('kubectl apply -f nginx-demo.yaml (replicas: 1, label demo/min-replicas=true)')
    await kubectl('apply', '-f', manifest)
    children.follow('kubectl -w', target.kubectl, [...target.args, 'get', 'deploy', 'nginx-demo', '-w'])
    const running = children.follow('controller', process.execPath, [controller, ...target.args])
    const died = once(running, 'close').then(() => {
      signal.throwIfAborted()
      throw new Error('the controller ended before the demo did')
    })
    died.catch(() => {}) // it is raced below; an end after the race is wanted
    await Promise.race([replicasReach(2), died])
    say('the controller made it 2; now: kubectl scale deploy nginx-demo --replicas=1')
    await kubectl('scale', 'deploy', 'nginx-demo', '--replicas=1')
    await Promise.race([replicasReach(2), died])
    // Created, corrected, scaled down, corrected again: each is one generation.
    const generation = await kubectl('get', 'deploy', 'nginx-demo', '-o', 'jsonpath={.metadata.generation}')
    if (Number(generation) < 4) throw new Error(`expected four generations of the Deployment, found ${generation}`)
    say('the controller made it 2 again')
  } finally {
    if (target.keep || !signal.aborted) {
      say('cleaning up')
      const remove = ['delete', 'deploy', 'nginx-demo', '--wait=false', '--ignore-not-found']
      await children.run(target.kubectl, [...target.args, ...remove], signal.aborted ? { timeout: 700 } : {})
    }
  }
}

async function main(): Promise<number> {
  let flags: { kubeconfig?: string; context?: string; help?: boolean }
  try {
    const options = { kubeconfig: { type: 'string' }, context: { type: 'string' }, help: { type: 'boolean' } } as const
    flags = parseArgs({ options }).values
  } catch (err) {
    console.error(`${err instanceof Error ? err.message : String(err)}\n\n${usage}`)
    return 2
  }
  if (flags.help) {
    console.log(usage)
    return 0
  }
  const interrupt = new AbortController()
  const { signal } = interrupt
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, () => interrupt.abort(new Error('interrupted')))
  const children = new Children()
  let own: ControlPlane | undefined
  try {
    let target: Target
    if (flags.kubeconfig !== undefined || flags.context !== undefined) {
      target = { kubectl: 'kubectl', args: [], keep: true }
      if (flags.kubeconfig !== undefined) target.args.push('--kubeconfig', flags.kubeconfig)
      if (flags.context !== undefined) target.args.push('--context', flags.context)
      say(`in ${flags.context ? `the cluster of context ${flags.context}` : flags.kubeconfig}, the demo will`)
      say('  create the Deployment default/nginx-demo (nginx:1.27), scale it, and delete it at the end;')
      say('  scale every other Deployment labelled demo/min-replicas=true, in any namespace, to at least 2.')
    } else {
      say('starting a Kubernetes control plane (etcd, kube-apiserver, kube-controller-manager) …')
      own = await startControlPlane({ signal, onProgress: say })
      target = { kubectl: own.kubectlPath, args: ['--kubeconfig', own.kubeconfigPath], keep: false }
      say(`it serves at ${own.url}; without a kubelet, so Pods stay Pending and READY stays at 0`)
    }
    await demo(target, children, signal)
    await children.stop(2000)
    say('done')
    return 0
  } catch (err) {
    if (signal.aborted) {
      say('interrupted')
      return 130
    }
    if (err instanceof GoUnavailable) {
      say(err.message)
      say('or run it on a cluster of yours: npm run demo -- --context NAME')
    } else {
      say(`failed: ${err instanceof Error ? err.message : String(err)}`)
    }
    return 1
  } finally {
    await children.stop(signal.aborted ? 300 : 2000)
    await own?.stop()
  }
}

process.exitCode = await main()
