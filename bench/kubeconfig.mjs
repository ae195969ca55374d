// Kubeconfigs with a thousand contexts in all: loading and merging them, over what the YAML library takes for their text.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { load } from 'js-yaml'
import { newDefaultClientConfigLoadingRules } from 'kubewright/clientcmd'
import { interleaved, median, report } from './lib/stats.mjs'

const folder = mkdtempSync(join(tmpdir(), 'kubewright-bench-'))
try {
  const files = Array.from({ length: 10 }, (_, file) => {
    const names = Array.from({ length: 100 }, (_, i) => `context-${file}-${i}`)
    const list = (kind, body) =>
      `${kind}s:\n${names.map((name, i) => `- name: ${name}\n  ${kind}:\n${body(name, i)}`).join('')}`
    const authority = Buffer.alloc(1200, 'certificate ').toString('base64')
    const path = join(folder, `config-${file}`)
    writeFileSync(
      path,
      `apiVersion: v1\nkind: Config\ncurrent-context: context-${file}-0\n` +
        list(
          'cluster',
          (_, i) => `    server: https://10.0.${file}.${i}:6443\n    certificate-authority-data: ${authority}\n`,
        ) +
        list('user', (name) => `    token: token-of-${name}\n`) +
        list('context', (name) => `    cluster: ${name}\n    user: ${name}\n    namespace: team\n`),
    )
    return path
  })
  const ours = async () => {
    const from = performance.now()
    const config = await newDefaultClientConfigLoadingRules({ env: { KUBECONFIG: files.join(':') } }).load()
    const ms = performance.now() - from
    assert.equal(config.contexts.size, 1000)
    assert.equal(config.users.get('context-9-99').token, 'token-of-context-9-99')
    assert.equal(config.currentContext, 'context-0-0')
    return ms
  }
  const library = () => {
    const from = performance.now()
    const loaded = files.map((file) => load(readFileSync(file, 'utf8')))
    const ms = performance.now() - from
    assert.equal(loaded.flatMap(({ contexts }) => contexts).length, 1000)
    return ms
  }
  const [mine, bare] = await interleaved(15, ours, library)
  report(
    '1,000 contexts in ten files, over the YAML library alone',
    '×',
    median(mine.map((ms, i) => ms / bare[i])),
    1.5,
  )
} finally {
  rmSync(folder, { recursive: true })
}
