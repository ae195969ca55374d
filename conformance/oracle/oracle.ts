// The oracle: one process of the Go program beside this file, which is asked what client-go answers.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process'
import { buildBinary, type GoProgram } from '../go-binary.js'

const program: GoProgram = {
  name: 'oracle',
  title: 'the oracle',
  buildTime: 'half a minute where Go has its modules, two where it has not',
}

/** What Go answered: a result, or the text of its error; `panic` where it had no answer but died of the question. */
export type Answer<T = unknown> = { result: T } | { error: string; panic?: true }

interface Reply {
  id: number
  result?: unknown
  error?: string
  panic?: true
  wrongQuestion?: true
}

interface Pending {
  room: string
  resolve: (answer: Answer<never>) => void
  reject: (err: Error) => void
}

/** Questions may be asked many at once; they are answered in order. */
export class Oracle {
  readonly #child: ChildProcessWithoutNullStreams
  readonly #pending = new Map<number, Pending>()
  #lastId = 0
  #partial = ''
  #errors = ''
  #ended: Error | undefined

  /** Builds the program where that has not been done, and starts it. Throws as {@link buildBinary}. */
  static async start(): Promise<Oracle> {
    return new Oracle(await buildBinary(program))
  }

  private constructor(binary: string) {
    // What the machine says about clusters is no part of a question.
    const { KUBECONFIG: _, KUBERNETES_MASTER: __, KUBERNETES_SERVICE_HOST: ___, ...env } = process.env
    this.#child = spawn(binary, { env, stdio: 'pipe' })
    this.#child.stdout.setEncoding('utf8').on('data', (text: string) => this.#read(text))
    this.#child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#errors = (this.#errors + text).slice(-4000)
    })
    this.#child.stdin.on('error', () => {})
    this.#child.on('error', (err) => this.#end(err))
    this.#child.on('close', (code) => this.#end(new Error(`the oracle has ended (exit code ${code}): ${this.#errors}`)))
  }

  /** Asks a room. Rejects when the question itself is wrong or the program is gone, not for an error of client-go. */
  ask<T = unknown>(room: string, input: unknown): Promise<Answer<T>> {
    return new Promise((resolve, reject) => {
      if (this.#ended) return reject(this.#ended)
      const id = ++this.#lastId
      this.#pending.set(id, { room, resolve, reject })
      this.#child.stdin.write(`${JSON.stringify({ id, room, input })}\n`)
    })
  }

  /** Asks a room many questions at once. */
  askMany<T = unknown>(room: string, inputs: readonly unknown[]): Promise<Answer<T>[]> {
    return Promise.all(inputs.map((input) => this.ask<T>(room, input)))
  }

  /** Ends the program after the questions asked so far. */
  async close(): Promise<void> {
    if (this.#child.exitCode !== null || this.#child.signalCode !== null) return
    const closed = new Promise((resolve) => this.#child.once('close', resolve))
    this.#child.stdin.end()
    await closed
  }

  #read(text: string): void {
    const lines = (this.#partial + text).split('\n')
    this.#partial = lines.pop() ?? ''
    for (const line of lines) this.#answer(JSON.parse(line) as Reply)
  }

  #answer({ id, result, error, panic, wrongQuestion }: Reply): void {
    const pending = this.#pending.get(id)
    if (!pending) return this.#end(new Error(`the oracle answered a question that was not asked: ${id}`))
    this.#pending.delete(id)
    if (wrongQuestion) pending.reject(new Error(`wrong question for ${pending.room}: ${error}`))
    else if (error !== undefined) pending.resolve(panic ? { error, panic } : { error })
    else pending.resolve({ result: result as never })
  }

  #end(reason: Error): void {
    this.#ended ??= reason
    for (const { reject } of this.#pending.values()) reject(this.#ended)
    this.#pending.clear()
  }
}
