// Runs a program to its end and gives back what it printed.
import { spawn } from 'node:child_process'
import { once } from 'node:events'

export interface RunOptions {
  /** Text for its standard input. */
  input?: string | undefined
  /** Where it runs. @defaultValue this process's working directory */
  cwd?: string | undefined
  /** Its whole environment. @defaultValue this process's */
  env?: Readonly<Record<string, string | undefined>> | undefined
  /** Interrupts it, as Ctrl-C would. */
  signal?: AbortSignal | undefined
}

export interface RunResult {
  stdout: string
  stderr: string
  /** 0 on success. */
  code: number
}

/**
 * Runs a program; its failure is in `code`, not thrown.
 *
 * @throws the system's error when it cannot be started; the signal's reason when it was aborted, once it has ended.
 */
export async function run(
  program: string,
  args: readonly string[],
  { input = '', cwd, env, signal }: RunOptions = {},
): Promise<RunResult> {
  signal?.throwIfAborted()
  const child = spawn(program, args, { cwd, env, stdio: 'pipe' })
  // Programs that are interrupted end what they have started and remove their temporary files.
  const interrupt = (): void => void child.kill('SIGINT')
  signal?.addEventListener('abort', interrupt, { once: true })
  let stdout = ''
  let stderr = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    stdout += text
  })
  child.stderr.setEncoding('utf8').on('data', (text: string) => {
    stderr += text
  })
  // It may end without having read its input.
  child.stdin.on('error', () => {})
  child.stdin.end(input)
  try {
    const [code, killer] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
    signal?.throwIfAborted()
    return { stdout, stderr: `${stderr}${killer ?? ''}`, code: code ?? 1 }
  } finally {
    signal?.removeEventListener('abort', interrupt)
  }
}
