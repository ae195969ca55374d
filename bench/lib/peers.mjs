// What this library is compared with: programs in Go and Rust, and another client, each built or installed outside of the
// repository's files. A peer that cannot be had on a machine is left out, and named.
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { buildBinary } from '../../conformance/dist/go-binary.js'
import { root } from '../../scripts/lib/repository.mjs'
import { mustRun, run } from '../../scripts/lib/run.mjs'

export const versions = { clientGo: '0.36.3', clientNode: '2.0.1', kubeRs: '5.0.0' }

const lib = fileURLToPath(new URL('.', import.meta.url))

/** The path of bench/go's program. */
export const goProgram = () =>
  buildBinary({
    name: 'bench',
    title: 'the benchmarks of client-go',
    buildTime: 'half a minute',
    directory: 'bench/go',
  })

/** The path of bench/rust's program; undefined where there is no cargo or it cannot be built. */
export async function rustProgram() {
  const directory = `${root}/.cache/bench-rust`
  mkdirSync(directory, { recursive: true })
  const binary = `${directory}/target/release/bench`
  const sources = ['Cargo.toml', 'src/main.rs'].map((file) => `${root}/bench/rust/${file}`)
  const modified = (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (sources.every((file) => modified(file) < modified(binary))) return binary
  cpSync(`${root}/bench/rust`, directory, { recursive: true })
  process.stderr.write('building kube-rs’ informer: some minutes, once\n')
  const { code, output } = await run('cargo', ['build', '--release', '--quiet'], { cwd: directory })
  if (code === 0) return binary
  process.stderr.write(`kube-rs is left out: ${output.slice(-500)}\n`)
  return undefined
}

/** A folder that has client-node, with the node that it needs: `command` runs a script there. Undefined without one. */
export async function clientNode() {
  const folder = mkdtempSync(`${tmpdir()}/client-node-`)
  process.on('exit', () => rmSync(folder, { recursive: true, force: true }))
  writeFileSync(`${folder}/package.json`, '{"private":true}')
  const packages = [`@kubernetes/client-node@${versions.clientNode}`, 'node@24']
  const { code, output } = await run('npm', ['install', '--no-audit', '--no-fund', ...packages], { cwd: folder })
  if (code === 0) return { node: `${folder}/node_modules/.bin/node`, folder }
  process.stderr.write(`client-node is left out: ${output.slice(-500)}\n`)
  return undefined
}

/** Starts the server of pods; `url` gives a new run's host. Ends with this process. */
export async function podServer(program) {
  const child = spawn(program, ['serve'], { stdio: ['pipe', 'pipe', 'inherit'] })
  const line = await new Promise((resolve, reject) => {
    child.stdout.once('data', (chunk) => resolve(String(chunk)))
    child.once('error', reject)
    child.once('exit', (code) => reject(new Error(`the server of pods has ended with code ${code}`)))
  })
  child.removeAllListeners('exit')
  const { url, podBytes } = JSON.parse(line)
  let runs = 0
  return {
    podBytes,
    host: (pods, events) => `${url}/run-${++runs}/${pods}/${events}`,
    close: () => child.stdin.end(),
  }
}

/** Runs a program to its end; the last line of its output is its result. */
export async function resultOf(command, args, env) {
  const output = await mustRun(command, args, { env })
  return JSON.parse(output.trimEnd().split('\n').at(-1))
}

/** Runs one of lib/informers, or another script there, in a node of its own. */
export const inNode = (script, args, { node = process.execPath, env } = {}) =>
  resultOf(node, ['--expose-gc', `${lib}${script}`, ...args], env)
