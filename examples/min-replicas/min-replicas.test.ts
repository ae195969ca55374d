// The example as its readers run it: the built program beside kubectl, on a real server.

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer, type Socket } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it, onTestFinished } from 'vitest'
import { controlPlane, describeWithControlPlane, kubectl } from '../../conformance/control-plane/fixture.js'
import { eventually } from '../../conformance/suite/eventually.js'

const program = fileURLToPath(new URL('dist/main.js', import.meta.url))
const manifest = fileURLToPath(new URL('nginx-demo.yaml', import.meta.url))

/** A child whose lines are collected; it is killed when the test ends. */
function start(command: string, args: readonly string[]): { child: ChildProcess; lines: string[]; errors: string[] } {
  const child = spawn(command, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  const started = { child, lines: [] as string[], errors: [] as string[] }
  const collect = (stream: ChildProcess['stdout'], into: string[]): void => {
    let rest = ''
    stream?.setEncoding('utf8').on('data', (text: string) => {
      const parts = (rest + text).split('\n')
      rest = parts.pop() ?? ''
      into.push(...parts)
    })
  }
  collect(child.stdout, started.lines)
  collect(child.stderr, started.errors)
  onTestFinished(() => {
    child.kill('SIGKILL')
  })
  return started
}

/** Ends a program as Ctrl-C does and gives its exit code. */
async function interrupt(child: ChildProcess): Promise<number | null> {
  const closed = once(child, 'close')
  child.kill('SIGINT')
  const [code] = (await closed) as [number | null]
  return code
}

describeWithControlPlane('the min-replicas controller beside kubectl', () => {
  it('applied with 1 replica it gets 2, scaled down to 1 it gets 2 again, and Ctrl-C ends it', async () => {
    const run = async (...args: string[]): Promise<string> => {
      const { code, stdout, stderr } = await kubectl(args)
      expect(code, stderr).toBe(0)
      return stdout
    }
    const controller = start(process.execPath, [program, '--kubeconfig', controlPlane().kubeconfigPath])
    await eventually(() => controller.lines.includes('controller started'))
    onTestFinished(async () => {
      await kubectl(['delete', 'deploy', 'nginx-demo', '--ignore-not-found', '--wait=false'])
    })
    await run('apply', '-f', manifest)
    const table = start(controlPlane().kubectlPath, [
      '--kubeconfig',
      controlPlane().kubeconfigPath,
      'get',
      'deploy',
      'nginx-demo',
      '-w',
    ])
    await eventually(() => table.lines.some((line) => /^nginx-demo\s+0\/2\s/.test(line)))
    await run('scale', 'deploy', 'nginx-demo', '--replicas=1')
    const scaled = 'deployment default/nginx-demo scaled from 1 to 2'
    await eventually(() => controller.lines.filter((line) => line === scaled).length === 2)
    expect(await run('get', 'deploy', 'nginx-demo', '-o', 'jsonpath={.spec.replicas} {.metadata.generation}')).toBe(
      '2 4',
    )
    await run('delete', 'deploy', 'nginx-demo')
    await eventually(() => controller.lines.includes('deployment default/nginx-demo no longer exists'))
    expect(controller.errors).toEqual([])
    expect(await interrupt(controller.child)).toBe(0)
  })

  it('Ctrl-C ends it also while the server does not answer', async () => {
    // A server that accepts and says nothing: the first list hangs.
    const sockets = new Set<Socket>()
    const silent = createServer((socket) => {
      sockets.add(socket)
      socket.on('error', () => {})
    })
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as { port: number }
    const directory = await mkdtemp(join(tmpdir(), 'kubewright-'))
    onTestFinished(async () => {
      for (const socket of sockets) socket.destroy()
      silent.close()
      await rm(directory, { recursive: true })
    })
    const kubeconfig = join(directory, 'config')
    await writeFile(
      kubeconfig,
      JSON.stringify({
        clusters: [{ name: 'c', cluster: { server: `http://127.0.0.1:${port}` } }],
        contexts: [{ name: 'c', context: { cluster: 'c', user: 'u' } }],
        users: [{ name: 'u', user: {} }],
        'current-context': 'c',
      }),
    )
    const controller = start(process.execPath, [program, '--kubeconfig', kubeconfig])
    await eventually(() => sockets.size > 0)
    expect(await interrupt(controller.child)).toBe(0)
    expect(controller.errors).toEqual([])
  })
})
