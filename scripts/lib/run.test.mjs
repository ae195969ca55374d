import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished, vi } from 'vitest'
import { mustRun, run } from './run.mjs'

const node = (code) => [process.execPath, ['--input-type=module', '--eval', code]]

it('gives back the exit code and what was printed', async () => {
  expect(await run(...node("console.log('a'); console.error('b'); process.exitCode = 3"))).toEqual({
    code: 3,
    stdout: 'a\n',
    output: expect.stringMatching(/^(a\nb|b\na)\n$/),
  })
})

it('fails for what cannot be started or was killed', async () => {
  expect(await run('no-such-command-here', [])).toMatchObject({
    code: 127,
    output: expect.stringContaining('cannot run'),
  })
  expect(await run(...node("process.kill(process.pid, 'SIGKILL')"))).toMatchObject({ code: 1 })
  await expect(mustRun(...node("console.error('why'); process.exit(2)"))).rejects.toThrow(/exit code 2:\nwhy/)
})

it('ends the command and what it started when it is ended itself', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'kubewright-run-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const pidFile = join(folder, 'pid')
  const program = `import { run } from '${new URL('./run.mjs', import.meta.url).href}'
    await run('sh', ['-c', 'echo $$ > ${pidFile}; sleep 600 & sleep 600'])`
  const parent = spawn(...node(program), { stdio: 'ignore' })
  // The shell leads the group.
  const group = await vi.waitFor(() => Number(readFileSync(pidFile, 'utf8').match(/^\d+(?=\n)/)[0]), { timeout: 5000 })
  process.kill(-group, 0)
  parent.kill('SIGTERM')
  await once(parent, 'exit')
  await vi.waitFor(() => expect(() => process.kill(-group, 0)).toThrow('ESRCH'), { timeout: 5000 })
})
