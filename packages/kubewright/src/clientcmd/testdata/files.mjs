// Temporary directories and kubeconfigs for this room's tests; not part of the library.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { onTestFinished } from 'vitest'

/** A directory with these files (content by name), gone after the test. Returns its path. */
export function directoryWith(files = {}) {
  const directory = mkdtempSync(join(tmpdir(), 'kubewright-clientcmd-'))
  onTestFinished(() => rmSync(directory, { recursive: true, force: true }))
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(directory, name)), { recursive: true })
    writeFileSync(join(directory, name), content)
  }
  return directory
}

/** The YAML of a kubeconfig with one cluster, user and context, all of this name. */
export function kubeconfig(name, { server = `https://${name}:6443`, namespace = '' } = {}) {
  return `apiVersion: v1
kind: Config
clusters:
- name: ${name}
  cluster: {server: "${server}"}
users:
- name: ${name}
  user: {token: token-of-${name}}
contexts:
- name: ${name}
  context: {cluster: ${name}, user: ${name}${namespace && `, namespace: ${namespace}`}}
current-context: ${name}
`
}

/** What a promise rejects with. */
export async function failure(promise) {
  return promise.then(
    (value) => {
      throw new Error(`expected a failure, got ${value}`)
    },
    (err) => err,
  )
}
