import { expect, it } from 'vitest'
import { listNames, suggest } from './suggest.js'

it.each([
  ['prodction', ['staging', 'production'], 'production'],
  ['PRODUCTION', ['staging', 'production'], 'production'],
  ['prod', ['staging', 'gke_project_prod-1'], 'gke_project_prod-1'],
  ['kind', ['minikube', 'kind-kind'], 'kind-kind'],
  ['zzz', ['staging', 'production'], undefined],
  ['', ['a', 'b'], 'a'],
  ['x', [], undefined],
])('%s of %j may be %s', (wanted, names, expected) => {
  expect(suggest(wanted, names)).toBe(expected)
})

it('does not compare huge names, which would take minutes', () => {
  expect(suggest('x'.repeat(100_000), ['y'.repeat(100_000), 'x'])).toBeUndefined()
})

it('lists the first of many', () => {
  expect(listNames([])).toBe('none')
  expect(listNames(['a', 'b'])).toBe('"a", "b"')
  expect(listNames(Array.from({ length: 25 }, (_, i) => `c${i}`))).toMatch(/^"c0", .*"c19" and 5 more$/)
})
