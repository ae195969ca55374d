// The Deployments of every context of a kubeconfig, side by side: several clusters in one process.
//
//   node examples/all-contexts/dist/main.js [--kubeconfig FILE]

import { parseArgs } from 'node:util'
import { Clientset, getConfig, setupSignalHandler } from 'kubewright'
import { getNamespace, newDefaultClientConfigLoadingRules } from 'kubewright/clientcmd'

const { values: flags } = parseArgs({ options: { kubeconfig: { type: 'string' } } })
const signal = setupSignalHandler()

const rules = newDefaultClientConfigLoadingRules({ explicitPath: flags.kubeconfig })
const { contexts } = await rules.load({ signal })

/** A row for each Deployment of a context's namespace, or one that says why there are none to show. */
async function rowsOf(context: string): Promise<string[][]> {
  try {
    // A Config and a Clientset each: nothing is shared between contexts.
    await using clientset = new Clientset(await getConfig({ kubeconfig: flags.kubeconfig, context }))
    const namespace = await getNamespace({ kubeconfig: flags.kubeconfig, context })
    const { items } = await clientset.appsV1().deployments(namespace).list({ signal, timeout: 10_000 })
    return items.map((d) => [
      context,
      namespace,
      d.metadata.name,
      `${d.status.readyReplicas ?? 0}/${d.spec.replicas ?? 1}`,
    ])
  } catch (err) {
    if (signal.aborted) throw err
    return [[context, '', `(${err instanceof Error ? err.message : String(err)})`, '']]
  }
}

const rows = [
  ['CONTEXT', 'NAMESPACE', 'NAME', 'READY'],
  ...(await Promise.all([...contexts.keys()].map(rowsOf))).flat(),
]
const widths = [0, 1, 2].map((column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)))
for (const row of rows)
  console.log(
    row
      .map((cell, column) => cell.padEnd(widths[column] ?? 0))
      .join('  ')
      .trimEnd(),
  )
