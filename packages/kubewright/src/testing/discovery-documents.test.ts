import { expect, it } from 'vitest'
import { compareVersions } from './discovery-documents.js'

it('versions are ordered as kube-apiserver does, what is none last', () => {
  const ordered = ['v10', 'v2', 'v1', 'v11beta2', 'v10beta3', 'v3beta1', 'v12alpha1', 'v11alpha2', 'foo1', 'foo10']
  expect([...ordered].reverse().sort(compareVersions)).toEqual(ordered)
  expect([...ordered].sort(compareVersions)).toEqual(ordered)
})
