// `npm run control-plane`: a real Kubernetes control plane until Ctrl-C.
import { parseArgs } from 'node:util'
import { startControlPlane } from './control-plane.js'

const usage = `Usage: npm run control-plane -- [options]

Runs a real Kubernetes control plane (etcd, kube-apiserver, kube-controller-manager) on this machine until Ctrl-C.
The first run builds it, which takes minutes and needs Go.

  --port N           port of kube-apiserver (default: a free one)
  --no-controllers   without kube-controller-manager
  --help             show this
`

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: { port: { type: 'string' }, 'no-controllers': { type: 'boolean' }, help: { type: 'boolean' } },
  })
  if (values.help) return void process.stdout.write(usage)
  const port = values.port === undefined ? undefined : Number(values.port)
  if (port !== undefined && !(Number.isInteger(port) && port > 0 && port < 65_536)) {
    throw new Error(`--port ${values.port}: give a number from 1 to 65535`)
  }

  const interrupt = new AbortController()
  const interrupted = new Promise<void>((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        interrupt.abort()
        resolve()
      })
    }
  })
  const { signal } = interrupt
  const onProgress = (line: string): void => void process.stderr.write(`${line}\n`)
  try {
    await using server = await startControlPlane({ port, controllers: !values['no-controllers'], onProgress, signal })
    process.stdout.write(`Kubernetes ${server.info.version} is ready at ${server.url}

  kubeconfig   ${server.kubeconfigPath}
  kubectl      ${server.kubectlPath}

  export KUBECONFIG=${server.kubeconfigPath}
  export KUBEWRIGHT_CONTROL_PLANE=${server.directory}   # for test runs to use this one

Ctrl-C stops it and removes its files.
`)
    await Promise.race([interrupted, server.closed])
    onProgress('stopping')
  } catch (err) {
    if (!signal.aborted) throw err
  }
}

main().catch((err: Error) => {
  process.stderr.write(`${err.message}\n`)
  process.exitCode = 1
})
