// A Go program of this directory as a binary: found under .cache/ by a hash of what goes into it, or built there.
import { type SpawnOptions, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

export interface GoBinaryOptions {
  /** Ends a build early. */
  signal?: AbortSignal | undefined
}

/**
 * The path of the binary of `conformance/<name>`, built first when there is none. Two processes may build at once: each
 * finishes its own, and the last one stays.
 *
 * @throws Error when it is not built and Go is missing or too old; with Go's own output when the build fails; the
 * signal's reason when it is aborted.
 */
export async function goBinary(name: string, { signal }: GoBinaryOptions = {}): Promise<string> {
  const root = findRoot(name)
  const directory = join(root, 'conformance', name)
  const sources = (await readdir(directory)).filter((file) => /^go\.(mod|sum)$|(?<!_test)\.go$/.test(file)).sort()
  const texts = await Promise.all(sources.map((file) => readFile(join(directory, file), 'utf8')))
  const inputs = [process.platform, process.arch, sources, texts]
  const key = createHash('sha256').update(JSON.stringify(inputs)).digest('hex').slice(0, 16)
  const cache = join(root, '.cache', name)
  const binary = join(cache, key, name)
  if (existsSync(binary)) return binary

  await requireGo(name, /^go (\d+\.\d+)/m.exec(texts[sources.indexOf('go.mod')] ?? '')?.[1] ?? '1.26')
  await mkdir(dirname(binary), { recursive: true })
  const temporary = `${binary}.${process.pid}.tmp`
  try {
    const args = ['build', '-trimpath', '-buildvcs=false', '-ldflags=-s -w', '-o', temporary, '.']
    await runGo(args, { cwd: directory, signal })
    await rename(temporary, binary)
  } finally {
    await rm(temporary, { force: true })
  }
  // Binaries of older sources are only in the way.
  for (const old of await readdir(cache)) if (old !== key) await rm(join(cache, old), { recursive: true, force: true })
  return binary
}

// This file runs both from the sources and from conformance/dist, and the Go sources lie beside the former.
function findRoot(name: string): string {
  for (let at = import.meta.dirname; ; at = dirname(at)) {
    if (existsSync(join(at, 'conformance', name, 'go.mod'))) return at
    if (at === dirname(at)) throw new Error(`found no conformance/${name}/go.mod above ${import.meta.dirname}`)
  }
}

async function requireGo(name: string, needed: string): Promise<void> {
  // Asked outside any module, so that no other toolchain is fetched.
  const found = await runGo(['env', 'GOVERSION'], { cwd: tmpdir() }).catch(() => '')
  const [major = 0, minor = 0] = (/go(\d+\.\d+)/.exec(found)?.[1] ?? '').split('.').map(Number)
  const [neededMajor = 0, neededMinor = 0] = needed.split('.').map(Number)
  if (major > neededMajor || (major === neededMajor && minor >= neededMinor)) return
  throw new Error(
    `conformance/${name} has not been built here, and building it needs Go ${needed} or newer: ` +
      `${found ? `\`go\` is ${found.trim()}` : 'there is no working `go` command'}. Install it from https://go.dev/dl`,
  )
}

function runGo(args: readonly string[], options: SpawnOptions): Promise<string> {
  return new Promise((resolve, reject) => {
    const env = { ...process.env, CGO_ENABLED: '0', GOTOOLCHAIN: 'local', GOWORK: 'off', GOFLAGS: '' }
    const child = spawn('go', args, { ...options, env, stdio: ['ignore', 'pipe', 'pipe'] })
    let out = ''
    let errors = ''
    child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      out += text
    })
    child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      errors = (errors + text).slice(-8000)
    })
    child.on('error', reject)
    child.on('close', (code) => {
      if (code === 0) resolve(out)
      else reject(new Error(`go ${args.join(' ')} in ${String(options.cwd)} failed (exit code ${code}):\n${errors}`))
    })
  })
}
