import { expect, it } from 'vitest'
import { urlTemplate } from './url-template.js'

const ns = 'namespaces'
const times = (count: number): string => Array.from({ length: count }, () => ns).join('/')

it.each([
  ['/some/base/', '/api/v1/namespaces/ns/r1/nm?p0=v0', '/api/v1/namespaces/{namespace}/r1/{name}?p0={value}'],
  ['/some/base/', '/api/v1/namespaces/ns/r1/name1', '/api/v1/namespaces/{namespace}/r1/{name}'],
  ['/some/base/', '/apis/g1/v1/namespaces/ns/r1/name1', '/apis/g1/v1/namespaces/{namespace}/r1/{name}'],
  ['/some/base/', '/api/v1/namespaces/ns/r1', '/api/v1/namespaces/{namespace}/r1'],
  ['/some/base/', '/apis/g1/v1/namespaces/ns/r1', '/apis/g1/v1/namespaces/{namespace}/r1'],
  ['/some/base/', '/api/v1/r1/name1', '/api/v1/r1/{name}'],
  ['/some/base/', '/apis/g1/v1/r1/name1', '/apis/g1/v1/r1/{name}'],
  ['/some/base/', `/apis/${times(6)}/finalize`, `/apis/${times(3)}/{namespace}/namespaces/{name}/finalize`],
  ['/some/base/', `/apis/${times(6)}`, `/apis/${times(3)}/{namespace}/namespaces/{name}`],
  ['/some/base/', `/apis/${times(5)}/finalize`, `/apis/${times(3)}/{namespace}/namespaces/finalize`],
  ['/some/base/', `/apis/${times(5)}/status`, `/apis/${times(3)}/{namespace}/namespaces/status`],
  ['/some/base/', `/apis/${times(5)}`, `/apis/${times(3)}/{namespace}/namespaces`],
  ['/some/base/', `/apis/${times(4)}/finalize`, `/apis/${times(3)}/{name}/finalize`],
  ['/some/base/', `/apis/${times(4)}`, `/apis/${times(3)}/{name}`],
  ['/some/base/', `/apis/${times(3)}`, `/apis/${times(3)}`],
  ['/', '/api/v1/namespaces/ns/r2/name1', '/api/v1/namespaces/{namespace}/r2/{name}'],
  ['/', '/api/v1/pods?limit=5&labelSelector=a&labelSelector=b', '/api/v1/pods?limit={value}&labelSelector={value}'],
  ['/', '/api/v1/namespaces/ns/pods/p/log', '/api/v1/namespaces/{namespace}/pods/{name}/log'],
  ['/', '/', '/'],
  ['/', '/version', '/version'],
  ['/', '/apis', '/apis'],
  ['/', '/apis/apps/v1', '/apis/apps/v1'],
])('below %s, %s becomes %s', (base, path, expected) => {
  const prefix = base.slice(0, -1)
  expect(urlTemplate(new URL(`https://u:p@h:6443${prefix}${path}`), base)).toBe(`https://h:6443${prefix}${expected}`)
})

it.each(['/pre1/v1/namespaces/ns/r1/nm?p0=v0', '/healthz/etcd', '/logs/a/b'])('of %s nothing is left', (path) => {
  expect(urlTemplate(new URL(`https://h/some/base${path}`), '/some/base/')).toBe('https://h/{prefix}')
})
