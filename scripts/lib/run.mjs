// Runs a command to its end and gives back what it printed. The command and what it starts form a group of their own,
// which is ended with this process, however that one ends.
import { spawn } from 'node:child_process'

/** Runs `command` with `args`; resolves to its exit code and its output (both streams in `output`). */
export function run(command, args, { cwd, env } = {}) {
  return new Promise((resolve) => {
    const stdio = ['ignore', 'pipe', 'pipe']
    const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio, detached: true })
    const endGroup = () => {
      try {
        process.kill(-child.pid, 'SIGKILL')
      } catch {
        // It has ended by itself meanwhile.
      }
    }
    const stop = () => process.exit(1)
    process.on('exit', endGroup).on('SIGINT', stop).on('SIGTERM', stop)
    const finish = (result) => {
      process.off('exit', endGroup).off('SIGINT', stop).off('SIGTERM', stop)
      resolve(result)
    }

    let stdout = ''
    let output = ''
    child.stdout.setEncoding('utf8').on('data', (chunk) => {
      stdout += chunk
      output += chunk
    })
    child.stderr.setEncoding('utf8').on('data', (chunk) => {
      output += chunk
    })
    child.on('error', (err) => finish({ code: 127, stdout, output: `cannot run ${command}: ${err.message}\n` }))
    child.on('close', (code, signal) => {
      finish({ code: code ?? 1, stdout, output: signal ? `${output}${command} was ended by ${signal}\n` : output })
    })
  })
}

/** Like {@link run}, but a failure throws an error that holds the command and its output. Resolves to its stdout. */
export async function mustRun(command, args, options) {
  const { code, stdout, output } = await run(command, args, options)
  if (code !== 0) throw new Error(`${command} ${args.join(' ')} failed with exit code ${code}:\n${output}`)
  return stdout
}
