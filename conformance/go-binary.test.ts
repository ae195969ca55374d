// A program's binary is built once for its sources and its Go, and a machine that cannot build it is told what to do.
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { controlPlaneProgram as program } from './control-plane/program.js'
import { buildBinary, findBinary, GoUnavailable } from './go-binary.js'

describe('the binary of a Go program', () => {
  const path = process.env['PATH']
  let root: string
  beforeEach(async () => {
    root = await mkdtemp(join(tmpdir(), 'go-binary-'))
    await mkdir(join(root, 'conformance/control-plane'), { recursive: true })
    await writeFile(join(root, 'conformance/control-plane/go.mod'), 'go 1.26.0\n\nrequire k8s.io/kubernetes v1.36.3\n')
    process.env['PATH'] = join(root, 'bin')
    await mkdir(process.env['PATH'])
  })
  afterEach(async () => {
    process.env['PATH'] = path
    await rm(root, { recursive: true })
  })

  // A `go` of some version, whose `build` does what the script says with the output file in $out.
  async function installGo(version: string, build: string): Promise<void> {
    const script = `#!/bin/sh
[ "$1" = env ] && { echo ${version}; exit; }
while [ $# -gt 0 ]; do [ "$1" = -o ] && out=$2; [ "$1" = -ldflags ] && ldflags=$2; shift; done
${build}
`
    await writeFile(join(root, 'bin/go'), script, { mode: 0o755 })
  }

  it.each([
    ['no Go', undefined, 'there is no working `go` command'],
    ['an older Go', 'go1.25.9', '`go` is go1.25.9'],
  ])('with %s: an error that says what to do', async (_, version, why) => {
    if (version) await installGo(version, 'exit 1')
    const err = await buildBinary(program, { root }).catch((err: unknown) => err)
    expect(err).toBeInstanceOf(GoUnavailable)
    expect(String(err)).toContain(`needs Go 1.26 or newer: ${why}. Install Go 1.26 or newer`)
  })

  it('is built once, for all who ask at the same time, and then found with and without Go', async () => {
    await installGo('go1.26.8', 'printf "%s" "$ldflags" > "$out"')
    expect(await findBinary(program, { root })).toBeUndefined()
    const lines: string[] = []
    const onProgress = (line: string): void => void lines.push(line)
    const [one, two] = await Promise.all([buildBinary(program, { root, onProgress }), buildBinary(program, { root })])
    expect(one).toBe(two)
    expect(await readFile(one, 'utf8')).toContain('-X k8s.io/component-base/version.gitVersion=v1.36.3')
    expect(await readdir(dirname(one))).toEqual(['control-plane'])
    expect(lines[0]).toMatch(/^building the control plane with go1\.26\.8: about \d+ minutes on 2 idle cores/)

    await installGo('go1.26.8', 'exit 1')
    expect(await buildBinary(program, { root })).toBe(one)
    await rm(join(root, 'bin/go'))
    expect(await buildBinary(program, { root })).toBe(one)
  })

  it('is built anew for other sources and for another Go', async () => {
    await installGo('go1.26.8', 'echo > "$out"')
    const first = await buildBinary(program, { root })
    await writeFile(join(root, 'conformance/control-plane/main.go'), 'package main\n')
    const second = await buildBinary(program, { root })
    await installGo('go1.27.0', 'echo > "$out"')
    expect(new Set([first, second, await buildBinary(program, { root })]).size).toBe(3)
  })

  it('a build that fails shows what Go said, and leaves nothing', async () => {
    await installGo('go1.26.8', 'echo main.go:1: syntax error >&2; echo > "$out"; exit 1')
    await expect(buildBinary(program, { root })).rejects.toThrow(/\(go build: exit code 1\):\nmain\.go:1: syntax error/)
    expect(await findBinary(program, { root })).toBeUndefined()
  })

  it('a build can be aborted', async () => {
    await installGo('go1.26.8', 'trap "exit 1" INT; echo > "$out"; while :; do :; done')
    const abort = new AbortController()
    const onProgress = (): void => void setImmediate(() => abort.abort(new Error('enough')))
    await expect(buildBinary(program, { root, signal: abort.signal, onProgress })).rejects.toThrow('enough')
  })
})
