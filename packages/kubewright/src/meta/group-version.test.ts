import { describe, expect, it } from 'vitest'
import { formatGroupVersion, parseGroupVersion, parseKindArg, parseResourceArg } from './group-version.js'

describe('parseGroupVersion', () => {
  it.each([
    ['v1', '', 'v1'],
    ['apps/v1', 'apps', 'v1'],
    ['events.k8s.io/v1', 'events.k8s.io', 'v1'],
    ['', '', ''],
  ])('%j', (text, group, version) => {
    expect(parseGroupVersion(text)).toEqual({ group, version })
    expect(formatGroupVersion({ group, version })).toBe(text)
  })

  it('refuses a second slash', () => {
    expect(() => parseGroupVersion('a/b/c')).toThrow(new Error('unexpected GroupVersion string: a/b/c'))
  })
})

describe('what users write', () => {
  it('is read both ways', () => {
    expect(parseKindArg('Deployment.v1.apps')).toEqual({
      groupVersionKind: { group: 'apps', version: 'v1', kind: 'Deployment' },
      groupKind: { group: 'v1.apps', kind: 'Deployment' },
    })
    expect(parseResourceArg('deployments.apps')).toEqual({
      groupVersionResource: undefined,
      groupResource: { group: 'apps', resource: 'deployments' },
    })
    expect(parseResourceArg('pods')).toEqual({
      groupVersionResource: undefined,
      groupResource: { group: '', resource: 'pods' },
    })
  })
})
