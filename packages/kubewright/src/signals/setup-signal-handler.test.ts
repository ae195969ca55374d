// In child processes, as the signals of the test's own process are not the test's to handle.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

const source = fileURLToPath(new URL('./setup-signal-handler.ts', import.meta.url))
let dir: string
const children: ChildProcess[] = []

beforeAll(() => {
  dir = mkdtempSync(join(tmpdir(), 'signals-'))
  const compiler = join(dirname(createRequire(import.meta.url).resolve('typescript/package.json')), 'bin/tsc')
  const options = ['--module', 'esnext', '--target', 'es2022', '--noCheck', '--outDir', dir]
  execFileSync(process.execPath, [compiler, ...options, source], { cwd: dir })
})
afterEach(() => {
  for (const child of children.splice(0)) child.kill('SIGKILL')
})
afterAll(() => {
  rmSync(dir, { recursive: true, force: true })
})

/** Runs a program that can use `setupSignalHandler`; `line` gives its next line of output. */
function run(program: string, stderr: 'inherit' | 'pipe' | 'ignore' = 'inherit') {
  const code = `const { setupSignalHandler, SignalReceived } = await import('./setup-signal-handler.js')\n${program}`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    cwd: dir,
    stdio: ['ignore', 'pipe', stderr],
  })
  children.push(child)
  let printed = ''
  child.stderr?.setEncoding('utf8').on('data', (text: string) => {
    printed += text
  })
  const lines = createInterface({ input: child.stdout as NodeJS.ReadableStream })[Symbol.asyncIterator]()
  return {
    kill: (signal: NodeJS.Signals) => child.kill(signal),
    line: async () => (await lines.next()).value as string | undefined,
    printed: () => printed,
    exit: once(child, 'close') as Promise<[code: number | null, signal: string | null]>,
  }
}

/** Says when it is ready and when it was aborted, and stays. */
const stay = (options = '') => `
  const signal = setupSignalHandler(${options})
  signal.addEventListener('abort', () => {
    const { reason } = signal
    console.log(JSON.stringify([reason instanceof SignalReceived, reason.name, reason.message, reason.signal]))
  })
  setInterval(() => {}, 1000)
  console.log('ready')
`

describe('setupSignalHandler', () => {
  it.each(['SIGINT', 'SIGTERM'] as const)('aborts on %s, and exits with 1 on the second signal', async (name) => {
    const program = run(stay())
    expect(await program.line()).toBe('ready')
    program.kill(name)
    expect(JSON.parse((await program.line()) ?? '')).toEqual([true, 'SignalReceived', `received ${name}`, name])
    program.kill(name === 'SIGINT' ? 'SIGTERM' : 'SIGINT')
    expect(await program.exit).toEqual([1, null])
  })

  it('does not keep the process alive', async () => {
    const program = run(`setupSignalHandler(); console.log('end')`)
    expect(await program.line()).toBe('end')
    expect(await program.exit).toEqual([0, null])
  })

  it('lets the process end by itself after the first signal', async () => {
    const program = run(`
      const signal = setupSignalHandler()
      const timer = setInterval(() => {}, 1000)
      signal.addEventListener('abort', () => clearInterval(timer))
      console.log('ready')
    `)
    await program.line()
    program.kill('SIGTERM')
    expect(await program.exit).toEqual([0, null])
  })

  it.each([
    ['SIGINT', 'signal.reason', 130],
    ['SIGTERM', `new Error('list', { cause: signal.reason })`, 143],
  ] as const)('ends quietly when %s goes uncaught, as %s', async (name, thrown, code) => {
    const program = run(
      `
      const signal = setupSignalHandler()
      setTimeout(() => console.log('ready'), 1)
      setInterval(() => {}, 1000)
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(${thrown})))
    `,
      'pipe',
    )
    await program.line()
    program.kill(name)
    expect(await program.exit).toEqual([code, null])
    expect(program.printed()).toBe('')
  })

  it.each([
    [`throw new Error('boom')`, 1],
    [`process.on('uncaughtException', (err) => process.exit(err === signal.reason ? 7 : 8)); throw signal.reason`, 7],
  ])('leaves alone: %s', async (then, code) => {
    const program = run(
      `
      const signal = setupSignalHandler()
      setTimeout(() => console.log('ready'), 1)
      await new Promise((resolve) => {
        signal.addEventListener('abort', resolve)
        setInterval(() => {}, 1000)
      })
      ${then}
    `,
      'ignore',
    )
    await program.line()
    program.kill('SIGTERM')
    expect(await program.exit).toEqual([code, null])
  })

  it('throws when called twice', async () => {
    const program = run(`
      setupSignalHandler()
      try { setupSignalHandler() } catch (err) { console.log(err.message) }
    `)
    expect(await program.line()).toContain('cannot set up the signal handler twice')
  })

  it('handles the signals it is told to, and calls onSecond with the name', async () => {
    const program = run(stay(`{ signals: ['SIGHUP', 'SIGUSR2'], onSecond: (name) => console.log('second', name) }`))
    await program.line()
    program.kill('SIGHUP')
    expect(await program.line()).toContain('received SIGHUP')
    program.kill('SIGUSR2')
    expect(await program.line()).toBe('second SIGUSR2')
    program.kill('SIGTERM')
    expect(await program.exit).toEqual([null, 'SIGTERM'])
  })
})
