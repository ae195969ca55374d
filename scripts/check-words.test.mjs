import { expect, it } from 'vitest'
import { forbiddenWords } from './check-words.mjs'

// Put together at run time, so that this file passes the check it tests.
const path = (...parts) => `/${parts.join('/')}`

it.each([
  [`see ${path('root', 'notes.md')}`, /^1: .*path of one machine/],
  [`ok\n  "a": "${path('work', 'main')}"`, /^2: .*path of one machine/],
  [`https://${['registry', 'npmjs', 'org'].join('.')}/a`, /registry host/],
  [JSON.stringify({ resolved: 'https://example.com/a.tgz' }, null, 1), /registry host/],
  ['http://packages.example.com/a', /this machine's registry host/],
])('refuses %j', (text, message) => {
  expect(forbiddenWords(text, ['packages.example.com'])).toEqual([expect.stringMatching(message)])
})

it.each(['packages/kubewright/src', '../work/a', '/var/run/secrets/a', '/home/me/.kube/config', '${root}/x', '/work/'])(
  'accepts %j',
  (text) => {
    expect(forbiddenWords(text, ['packages.example.com'])).toEqual([])
  },
)
