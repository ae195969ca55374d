// Go programs as binaries: each is found under .cache/ by a hash of what goes into it, or built there.
import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { run } from './run.js'

/** A Go program: a folder that is a Go module of its own. */
export interface GoProgram {
  /** Of the binary. */
  name: string
  /** From the root of the repository. @defaultValue the folder of that name beside this file */
  directory?: string | undefined
  /** For messages: `the oracle`. */
  title: string
  /** For messages: how long a build takes. */
  buildTime: string
  /** Variables for the linker to set, `path.name=value` each, by the text of its go.mod. @defaultValue none */
  variables?: ((goMod: string) => readonly string[]) | undefined
}

/** The machine cannot have a program: there is neither a built binary nor a Go that could build one. */
export class GoUnavailable extends Error {
  override name = 'GoUnavailable'
}

/** Receives one line of text at a time: what is being done, and how long it has taken. */
export type OnProgress = (line: string) => void

export interface BuildOptions {
  /** Of the repository that has the Go sources; default: the one this file is in. */
  root?: string | undefined
  /** Default: silent. */
  onProgress?: OnProgress | undefined
  /** Ends a build early. */
  signal?: AbortSignal | undefined
}

const unusedForMs = 24 * 3600_000
const progressEveryMs = 15_000

// This file runs both from the sources (vitest) and from conformance/dist, and the Go sources lie beside the former.
function findRoot(sources: string): string {
  for (let at = import.meta.dirname; ; at = dirname(at)) {
    if (existsSync(join(at, sources, 'go.mod'))) return at
    if (at === dirname(at)) throw new Error(`found no ${sources}/go.mod above ${import.meta.dirname}`)
  }
}

interface Sources {
  directory: string
  cache: string
  /** Of everything but the Go version. */
  hash: string
  /** The oldest Go that go.mod accepts: major and minor. */
  go: readonly [number, number]
  flags: readonly string[]
}

async function readSources(program: GoProgram, wantedRoot: string | undefined): Promise<Sources> {
  const { name, variables, directory: path = join('conformance', name) } = program
  const root = wantedRoot ?? findRoot(path)
  const directory = join(root, path)
  const files = (await readdir(directory)).filter((file) => /^go\.(mod|sum)$|(?<!_test)\.go$/.test(file)).sort()
  const texts = await Promise.all(files.map((file) => readFile(join(directory, file), 'utf8')))
  const goMod = texts[files.indexOf('go.mod')] ?? ''
  const go = /^go (\d+)\.(\d+)/m.exec(goMod)
  if (!go) throw new Error(`${directory}/go.mod names no version of Go`)
  const linker = ['-s -w', ...(variables?.(goMod) ?? []).map((variable) => `-X ${variable}`)].join(' ')
  const flags = ['-trimpath', '-buildvcs=false', '-ldflags', linker]
  const inputs = [process.platform, process.arch, flags, files, texts]
  return {
    directory,
    cache: join(root, '.cache', name),
    hash: createHash('sha256').update(JSON.stringify(inputs)).digest('hex').slice(0, 16),
    go: [Number(go[1]), Number(go[2])],
    flags,
  }
}

// Undefined where there is no Go. Asked outside any module and without fetching another toolchain.
async function installedGo(): Promise<string | undefined> {
  const env = { ...process.env, GOTOOLCHAIN: 'local' }
  const asked = await run('go', ['env', 'GOVERSION'], { cwd: tmpdir(), env }).catch(() => undefined)
  return asked?.code === 0 ? asked.stdout.trim() : undefined
}

const keyOf = (sources: Sources, go: string): string => `${sources.hash}-${go.replace(/[^\w.]+/g, '_')}`

async function find(name: string, sources: Sources, go: string | undefined): Promise<string | undefined> {
  const built = (await readdir(sources.cache).catch(() => [] as string[])).filter(
    // Without Go there is nothing to compare versions with: any build of these sources will do.
    (key) => (go ? key === keyOf(sources, go) : key.startsWith(`${sources.hash}-`)),
  )
  for (const key of built) {
    const binary = join(sources.cache, key, name)
    if (!existsSync(binary)) continue
    const now = new Date()
    await utimes(join(sources.cache, key), now, now).catch(() => {})
    return binary
  }
  return undefined
}

/** The path of a program's binary, built from the sources as they are now; undefined when it has not been built yet. */
export async function findBinary(
  program: GoProgram,
  { root }: Pick<BuildOptions, 'root'> = {},
): Promise<string | undefined> {
  return find(program.name, await readSources(program, root), await installedGo())
}

/**
 * The path of a program's binary, built first when there is none. Two processes may build at once: each finishes its
 * own, and the last one stays.
 *
 * @throws {GoUnavailable} when it is not built and Go is missing or too old.
 * @throws Error with Go's own output when the build fails; the signal's reason when it is aborted.
 */
export async function buildBinary(program: GoProgram, options: BuildOptions = {}): Promise<string> {
  const { signal, onProgress = () => {} } = options
  const { name, title, buildTime } = program
  signal?.throwIfAborted()
  const sources = await readSources(program, options.root)
  const go = await installedGo()
  const found = await find(name, sources, go)
  if (found) return found
  const needed = `Go ${sources.go.join('.')} or newer`
  const [, major = 0, minor = 0] = /go(\d+)\.(\d+)/.exec(go ?? '')?.map(Number) ?? []
  if (!go || major < sources.go[0] || (major === sources.go[0] && minor < sources.go[1])) {
    throw new GoUnavailable(
      `cannot build ${title}, which needs ${needed}: ` +
        `${go ? `\`go\` is ${go}` : 'there is no working `go` command'}. ` +
        `Install ${needed} (https://go.dev/dl), then try again`,
    )
  }

  const directory = join(sources.cache, keyOf(sources, go))
  const binary = join(directory, name)
  await mkdir(directory, { recursive: true })
  const temporary = `${binary}.${randomUUID()}.tmp`
  onProgress(`building ${title} with ${go}: ${buildTime}`)
  const start = Date.now()
  const timer = setInterval(() => onProgress(`still building ${title}: ${elapsed(start)}`), progressEveryMs)
  try {
    const env = { ...process.env, CGO_ENABLED: '0', GOTOOLCHAIN: 'local', GOWORK: 'off', GOFLAGS: '' }
    const args = ['build', ...sources.flags, '-o', temporary, '.']
    const { code, stderr } = await run('go', args, { cwd: sources.directory, env, signal })
    if (code !== 0) {
      const errors = stderr.slice(-8000)
      throw new Error(`building ${title} in ${sources.directory} failed (go build: exit code ${code}):\n${errors}`)
    }
    await rename(temporary, binary)
  } finally {
    clearInterval(timer)
    await rm(temporary, { force: true })
  }
  onProgress(`built ${title} in ${elapsed(start)}`)
  await removeUnused(sources.cache, directory)
  return binary
}

function elapsed(start: number): string {
  const seconds = Math.round((Date.now() - start) / 1000)
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

// A binary may have 130 MB; those of older sources that nobody has asked for in a day are only in the way.
async function removeUnused(cache: string, keep: string): Promise<void> {
  for (const name of await readdir(cache)) {
    const directory = join(cache, name)
    const { mtimeMs } = await stat(directory)
    if (directory !== keep && Date.now() - mtimeMs > unusedForMs) await rm(directory, { recursive: true, force: true })
  }
}
