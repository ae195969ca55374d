// The control plane itself: it starts, lets everybody in whom it should, and leaves nothing behind.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join, relative } from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { type Credentials, openControlPlane } from './access.js'
import { ComponentFailed } from './component.js'
import { type ControlPlane, startControlPlane } from './control-plane.js'
import {
  controlPlane,
  describeWithControlPlane,
  kubectl,
  mintClientCertificate,
  mintServiceAccountToken,
  mintToken,
  suiteNamespace,
  testNamespace,
} from './fixture.js'

const alive = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

async function gone(pids: readonly number[]): Promise<void> {
  while (pids.some(alive)) await sleep(20)
}

it('`npm run control-plane` builds no more than it needs, so that it starts while other sources are being changed', async () => {
  const tsc = join(import.meta.dirname, '../../node_modules/.bin/tsc')
  const child = spawn(tsc, ['-p', import.meta.dirname, '--listFilesOnly'], { stdio: ['ignore', 'pipe', 'inherit'] })
  const files: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    const path = relative(join(import.meta.dirname, '..'), line)
    if (!line.includes('/node_modules/')) files.push(path)
  }
  expect(files).toContain(join('control-plane', 'main.ts'))
  expect(files.filter((path) => !/^(control-plane[\\/])?[\w-]+\.ts$/.test(path))).toEqual([])
})

describeWithControlPlane('credentials', () => {
  const namespace = suiteNamespace()

  const whoami = async (kubeconfig: string) => {
    const { stdout, stderr, code } = await kubectl(['auth', 'whoami', '-o', 'json'], { kubeconfig })
    expect(stderr).toBe('')
    expect(code).toBe(0)
    return JSON.parse(stdout).status.userInfo as { username: string; groups: string[] }
  }

  it.each([
    ['admin', 'system:masters'],
    ['limited', 'system:authenticated'],
    ['developer', 'developers'],
  ] as const)('a token is %s, a member of %s', async (user, group) => {
    const info = await whoami(await mintToken(user))
    expect(info.username).toBe(user)
    expect(info.groups).toContain(group)
  })

  it('a client certificate is any user, a member of any groups', async () => {
    const { username, groups } = await whoami(await mintClientCertificate({ user: 'jane', groups: ['a', 'b'] }))
    expect({ username, groups }).toEqual({ username: 'jane', groups: ['a', 'b', 'system:authenticated'] })
  })

  it('a ServiceAccount token is that ServiceAccount', async () => {
    const info = await whoami(await mintServiceAccountToken({ namespace: namespace(), name: 'default' }))
    expect(info.username).toBe(`system:serviceaccount:${namespace()}:default`)
    await expect(mintServiceAccountToken({ namespace: namespace(), name: 'nobody' })).rejects.toThrow(
      `making a token for the ServiceAccount ${namespace()}/nobody: `,
    )
  })

  it('the limited user is told Forbidden', async () => {
    const { code, stderr } = await kubectl(['get', 'pods'], { kubeconfig: await mintToken('limited') })
    expect(code).toBe(1)
    expect(stderr).toContain('Error from server (Forbidden): pods is forbidden: User "limited" cannot list')
  })

  it('raw requests carry each kind of credential', async () => {
    const user = async (credentials: Credentials) => {
      const path = '/apis/authentication.k8s.io/v1/selfsubjectreviews'
      const body = { apiVersion: 'authentication.k8s.io/v1', kind: 'SelfSubjectReview' }
      return (await controlPlane().request('POST', path, { body, credentials })).json.status.userInfo.username
    }
    expect(await user(await controlPlane().mintToken('limited'))).toBe('limited')
    expect(await user(await controlPlane().mintClientCertificate({ user: 'jane' }))).toBe('jane')
    const bad = await controlPlane().request('GET', '/api', {
      credentials: { user: '', kubeconfigPath: '', token: 'x' },
    })
    expect(bad.status).toBe(401)
  })
})

describeWithControlPlane('namespaces of tests', () => {
  let name: string

  it('are ready for Pods', async () => {
    name = await testNamespace({ labels: { purpose: 'test' } })
    const args = ['-n', name, 'run', 'pod', '--image=none', '-o', 'name']
    expect(await kubectl(args)).toMatchObject({ stdout: 'pod/pod\n', code: 0 })
    const { json } = await controlPlane().request('GET', `/api/v1/namespaces/${name}`)
    expect(json).toMatchObject({ metadata: { labels: { purpose: 'test' } }, status: { phase: 'Active' } })
  })

  it('are deleted after the test', async () => {
    const { status, json } = await controlPlane().request('GET', `/api/v1/namespaces/${name}`)
    expect(status === 404 || json.status.phase === 'Terminating').toBe(true)
  })

  it('are told apart', async () => {
    expect(await testNamespace()).not.toBe(await testNamespace())
  })
})

describeWithControlPlane('starting and stopping', () => {
  // A temporary directory of this suite's own: what is left in it was left by these tests.
  const outer = process.env['TMPDIR']
  beforeAll(async () => {
    process.env['TMPDIR'] = await mkdtemp(join(tmpdir(), 'control-plane-test-'))
  })
  afterAll(async () => {
    const own = tmpdir()
    if (outer === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = outer
    await rm(own, { recursive: true })
  })

  it('two at once are apart, and stopping one leaves no process and no file of it', async () => {
    await using other = await startControlPlane()
    const server = await startControlPlane()
    const pids = Object.values(server.pids)
    expect(Object.keys(server.pids)).toEqual(['etcd', 'kube-apiserver', 'kube-controller-manager'])
    expect(pids.every(alive)).toBe(true)
    await server.kubectl(['create', 'namespace', 'mine'])
    expect((await other.request('GET', '/api/v1/namespaces/mine')).status).toBe(404)

    // A watch must not hold up the end.
    const watch = server.request('GET', '/api/v1/namespaces?watch=1').catch((err: Error) => err)
    await server.request('GET', '/readyz')
    await server.stop()
    await server.stop()
    await server.closed
    await watch
    expect(pids.some(alive)).toBe(false)
    expect(existsSync(server.directory)).toBe(false)
    expect((await other.request('GET', '/readyz')).status).toBe(200)
  })

  it('can be found again by its directory', async () => {
    const found = await openControlPlane(controlPlane().directory)
    expect(found.info).toEqual(controlPlane().info)
    await expect(openControlPlane(tmpdir())).rejects.toThrow('is not the directory of a running control plane')
  })

  describe('without controllers, in a directory that was given', () => {
    let server: ControlPlane
    beforeAll(async () => {
      server = await startControlPlane({ controllers: false, directory: join(tmpdir(), 'given') })
    })
    afterAll(async () => {
      await server.stop()
      await rm(server.directory, { recursive: true })
    })

    it('there is no controller manager, and Pods need no ServiceAccount', async () => {
      expect(Object.keys(server.pids)).toEqual(['etcd', 'kube-apiserver'])
      expect(await server.kubectl(['run', 'pod', '--image=none', '-o', 'name'])).toMatchObject({ stdout: 'pod/pod\n' })
    })

    it('a component that ends later rejects `closed`', async () => {
      process.kill(server.pids['etcd'] ?? 0, 'SIGKILL')
      await expect(server.closed).rejects.toThrow('etcd ended early (SIGKILL)')
    })

    it('the directory is left, with the logs in it, and not used twice', async () => {
      const { directory } = server
      await server.stop()
      expect(await readdir(directory)).toContain('kube-apiserver.log')
      await expect(startControlPlane({ directory })).rejects.toThrow(`${directory}: the directory is not empty`)
    })
  })

  it.each([
    [{ apiServerFlags: ['--no-such-flag'] }, 'kube-apiserver', 'unknown flag: --no-such-flag'],
    [
      { controllerManagerFlags: ['--controllers=nonsense'] },
      'kube-controller-manager',
      'is not in the list of known controllers',
    ],
  ])('a component that ends early is named with its last words: %j', async (options, component, words) => {
    const err = await startControlPlane(options).catch((err: unknown) => err)
    expect(err).toBeInstanceOf(ComponentFailed)
    expect(err).toMatchObject({ component, logTail: expect.stringContaining(words) })
    expect(String(err)).toContain(`${component} ended early (exit code 1). The end of its log:\n`)
    expect(await readdir(tmpdir())).toEqual([])
  })

  it('a port that is taken is an error when it was asked for', async () => {
    const server = createServer().listen(0, '127.0.0.1')
    await once(server, 'listening')
    try {
      const { port } = server.address() as { port: number }
      await expect(startControlPlane({ port })).rejects.toThrow('address already in use')
    } finally {
      server.close()
    }
  })

  it('an abort ends a start', async () => {
    const abort = new AbortController()
    const starting = startControlPlane({ signal: abort.signal })
    abort.abort(new Error('enough'))
    await expect(starting).rejects.toThrow('enough')
    expect(await readdir(tmpdir())).toEqual([])
  })
})

describeWithControlPlane('the end of the process that started it', () => {
  const main = join(import.meta.dirname, '../dist/control-plane/main.js')

  // The program as users run it, up to the point where it is ready.
  async function startMain(...args: string[]) {
    const child = spawn(process.execPath, [main, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
    const exited = once(child, 'exit')
    let out = ''
    for await (const line of createInterface({ input: child.stdout })) {
      out += `${line}\n`
      if (line.startsWith('Ctrl-C')) break
    }
    const directory = /KUBEWRIGHT_CONTROL_PLANE=(\S+)/.exec(out)?.[1] ?? ''
    const { stdout } = await new Promise<{ stdout: string }>((resolve) => {
      const pgrep = spawn('ps', ['-A', '-o', 'pid=,ppid='])
      let stdout = ''
      pgrep.stdout.on('data', (chunk) => {
        stdout += chunk
      })
      pgrep.on('close', () => resolve({ stdout }))
    })
    const rows = stdout
      .trim()
      .split('\n')
      .map((row) => row.trim().split(/\s+/).map(Number))
    const pids = rows.flatMap(([pid = 0, parent]) => (parent === child.pid ? [pid] : []))
    return { child, exited, out, directory, pids }
  }

  it('kill -9: the components end, and the directory is removed', async () => {
    const { child, directory, pids } = await startMain()
    expect(pids).toHaveLength(3)
    child.kill('SIGKILL')
    await gone(pids)
    while (existsSync(directory)) await sleep(20)
  })

  it('SIGINT: everything is stopped in order, and the exit code is 0', async () => {
    const { child, exited, out, directory, pids } = await startMain('--no-controllers')
    expect(out).toContain(`export KUBECONFIG=${directory}/admin.kubeconfig`)
    expect(pids).toHaveLength(2)
    child.kill('SIGINT')
    expect(await exited).toEqual([0, null])
    expect(pids.some(alive)).toBe(false)
    expect(existsSync(directory)).toBe(false)
  })
})
