// The control plane's binary: found under .cache/ by a hash of what goes into it, or built there by Go.
import { spawn } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

/** The machine cannot have a control plane: neither a built binary nor a Go that could build one. */
export class ControlPlaneUnavailable extends Error {
  override name = 'ControlPlaneUnavailable'
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
function findRoot(): string {
  for (let at = import.meta.dirname; ; at = dirname(at)) {
    if (existsSync(join(at, 'conformance/control-plane/go.mod'))) return at
    if (at === dirname(at)) throw new Error(`found no conformance/control-plane/go.mod above ${import.meta.dirname}`)
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

async function readSources(root: string = findRoot()): Promise<Sources> {
  const directory = join(root, 'conformance/control-plane')
  const names = (await readdir(directory)).filter((name) => /^go\.(mod|sum)$|(?<!_test)\.go$/.test(name)).sort()
  const texts = await Promise.all(names.map((name) => readFile(join(directory, name), 'utf8')))
  const mod = texts[names.indexOf('go.mod')] ?? ''
  const kubernetes = /k8s\.io\/kubernetes v(\d+)\.(\d+)\.\S+/.exec(mod)
  const go = /^go (\d+)\.(\d+)/m.exec(mod)
  if (!kubernetes || !go) throw new Error(`${directory}/go.mod names no version of Go or of k8s.io/kubernetes`)
  const version = kubernetes[0].split(' ')[1]
  // Upstream's build scripts set these; kubectl and version negotiation cannot do without.
  const variables = [
    `k8s.io/component-base/version.gitVersion=${version}`,
    `k8s.io/component-base/version.gitMajor=${kubernetes[1]}`,
    `k8s.io/component-base/version.gitMinor=${kubernetes[2]}`,
    'k8s.io/component-base/version.gitTreeState=clean',
    `k8s.io/client-go/pkg/version.gitVersion=${version}`,
  ]
  const flags = ['-trimpath', '-buildvcs=false', '-ldflags', ['-s -w', ...variables.map((v) => `-X ${v}`)].join(' ')]
  const inputs = [process.platform, process.arch, flags, names, texts]
  return {
    directory,
    cache: join(root, '.cache/control-plane'),
    hash: createHash('sha256').update(JSON.stringify(inputs)).digest('hex').slice(0, 16),
    go: [Number(go[1]), Number(go[2])],
    flags,
  }
}

// Undefined where there is no Go. Asked outside any module and without fetching another toolchain.
function installedGo(): Promise<string | undefined> {
  return new Promise((resolve) => {
    const child = spawn('go', ['env', 'GOVERSION'], {
      cwd: tmpdir(),
      env: { ...process.env, GOTOOLCHAIN: 'local' },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    let out = ''
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      out += text
    })
    child.on('error', () => resolve(undefined))
    child.on('close', (code) => resolve(code === 0 ? out.trim() : undefined))
  })
}

const binaryIn = (directory: string): string => join(directory, 'control-plane')
const keyOf = (sources: Sources, go: string): string => `${sources.hash}-${go.replace(/[^\w.]+/g, '_')}`

async function find(sources: Sources, go: string | undefined): Promise<string | undefined> {
  const built = (await readdir(sources.cache).catch(() => [] as string[])).filter(
    // Without Go there is nothing to compare versions with: any build of these sources will do.
    (key) => (go ? key === keyOf(sources, go) : key.startsWith(`${sources.hash}-`)),
  )
  for (const key of built) {
    const binary = binaryIn(join(sources.cache, key))
    if (!existsSync(binary)) continue
    const now = new Date()
    await utimes(join(sources.cache, key), now, now).catch(() => {})
    return binary
  }
  return undefined
}

/** The path of the binary built from the sources as they are now; undefined when it has not been built yet. */
export async function findBinary({ root }: Pick<BuildOptions, 'root'> = {}): Promise<string | undefined> {
  return find(await readSources(root), await installedGo())
}

/**
 * The path of the binary, built first when there is none: minutes where Go's build cache is empty, under a minute
 * where it is warm. Two processes may build at once: each finishes its own, and the last one stays.
 *
 * @throws {ControlPlaneUnavailable} when it is not built and Go is missing or too old.
 * @throws Error with Go's own output when the build fails; the signal's reason when it is aborted.
 */
export async function buildBinary(options: BuildOptions = {}): Promise<string> {
  const { signal, onProgress = () => {} } = options
  signal?.throwIfAborted()
  const sources = await readSources(options.root)
  const go = await installedGo()
  const found = await find(sources, go)
  if (found) return found
  const needed = `Go ${sources.go.join('.')} or newer`
  const [, major = 0, minor = 0] = /go(\d+)\.(\d+)/.exec(go ?? '')?.map(Number) ?? []
  if (!go || major < sources.go[0] || (major === sources.go[0] && minor < sources.go[1])) {
    throw new ControlPlaneUnavailable(
      `The real Kubernetes control plane has not been built here, and building it needs ${needed}: ` +
        `${go ? `\`go\` is ${go}` : 'there is no working `go` command'}. ` +
        `Install ${needed} (https://go.dev/dl), then run: npm run control-plane`,
    )
  }

  const directory = join(sources.cache, keyOf(sources, go))
  await mkdir(directory, { recursive: true })
  const temporary = join(directory, `control-plane.${randomUUID()}.tmp`)
  onProgress(
    `building the control plane with ${go}: about 6 minutes on 2 idle cores the first time, well under one after that`,
  )
  const start = Date.now()
  const timer = setInterval(() => onProgress(`still building the control plane: ${elapsed(start)}`), progressEveryMs)
  try {
    await runGo(['build', ...sources.flags, '-o', temporary, '.'], sources.directory, signal)
    await rename(temporary, binaryIn(directory))
  } finally {
    clearInterval(timer)
    await rm(temporary, { force: true })
  }
  onProgress(`built the control plane in ${elapsed(start)}`)
  await removeUnused(sources.cache, directory)
  return binaryIn(directory)
}

function elapsed(start: number): string {
  const seconds = Math.round((Date.now() - start) / 1000)
  return seconds < 60 ? `${seconds} s` : `${Math.floor(seconds / 60)} min ${seconds % 60} s`
}

function runGo(args: readonly string[], cwd: string, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const child = spawn('go', args, {
      cwd,
      env: { ...process.env, CGO_ENABLED: '0', GOTOOLCHAIN: 'local', GOWORK: 'off' },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    // On SIGINT Go ends its compilers and removes its temporary files.
    const abort = (): void => void child.kill('SIGINT')
    signal?.addEventListener('abort', abort, { once: true })
    let errors = ''
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(-8000)
    })
    child.on('error', reject)
    child.on('close', (code) => {
      signal?.removeEventListener('abort', abort)
      if (signal?.aborted) reject(signal.reason)
      else if (code === 0) resolve()
      else reject(new Error(`building the control plane in ${cwd} failed (go build: exit code ${code}):\n${errors}`))
    })
  })
}

// Each is 130 MB; those of older sources that nobody has asked for in a day are only in the way.
async function removeUnused(cache: string, keep: string): Promise<void> {
  for (const name of await readdir(cache)) {
    const directory = join(cache, name)
    const { mtimeMs } = await stat(directory)
    if (directory !== keep && Date.now() - mtimeMs > unusedForMs) await rm(directory, { recursive: true, force: true })
  }
}
