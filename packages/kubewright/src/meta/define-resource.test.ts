import { expect, it } from 'vitest'
import { defineResource } from './define-resource.js'

const widget = { group: 'example.com', version: 'v1', kind: 'Widget', plural: 'widgets', scope: 'Namespaced' } as const

it('derives what the definition leaves out', () => {
  expect(defineResource(widget)).toEqual({
    ...{ group: 'example.com', version: 'v1', apiVersion: 'example.com/v1' },
    ...{ kind: 'Widget', plural: 'widgets', singular: 'widget', listKind: 'WidgetList', namespaced: true },
    ...{ shortNames: [], categories: [], subresources: {} },
    verbs: ['create', 'delete', 'deletecollection', 'get', 'list', 'patch', 'update', 'watch'],
  })
})

it('keeps what the definition says', () => {
  const shortNames = ['wd']
  const kind = defineResource({
    ...widget,
    scope: 'Cluster',
    singular: 'wid',
    shortNames,
    categories: ['all'],
    listKind: 'Widgets',
    subresources: { status: {}, scale: { specReplicasPath: '.spec.size', statusReplicasPath: '.status.size' } },
  })
  shortNames.push('changed')
  expect(kind).toMatchObject({ namespaced: false, singular: 'wid', shortNames: ['wd'], listKind: 'Widgets' })
  expect(kind.subresources['scale']?.kind).toEqual({ group: 'autoscaling', version: 'v1', kind: 'Scale' })
  expect(Object.keys(kind.subresources)).toEqual(['status', 'scale'])
  for (const part of [kind, kind.shortNames, kind.subresources, kind.subresources['status']]) {
    expect(Object.isFrozen(part)).toBe(true)
  }
})

it.each([
  [{ group: 'Example.com' }, 'invalid group "Example.com": [a lowercase RFC 1123 subdomain'],
  [{ version: '' }, 'invalid version "": [a DNS-1035 label'],
  [{ kind: 'a b' }, 'invalid kind "a b": [a DNS-1035 label'],
  [{ plural: 'Widgets' }, 'invalid plural "Widgets": [a DNS-1035 label'],
  [{ scope: 'namespaced' as 'Namespaced' }, `the scope is 'Namespaced' or 'Cluster', not "namespaced"`],
])('refuses %j', (part, message) => {
  expect(() => defineResource({ ...widget, ...part })).toThrow(`defineResource: ${message}`)
})
