// A Clientset may be printed: it shows no secret of its Config.

import { inspect } from 'node:util'
import { expect, it } from 'vitest'
import { Clientset } from './index.js'

const secrets = {
  host: 'https://user:SECRET@h',
  bearerToken: 'SECRET',
  proxyUrl: 'http://user:SECRET@proxy',
  transport: { roundTrip: () => Promise.reject(new Error('not to be called')), close: async () => {} },
}

it.each([
  {},
  { showHidden: true, depth: Number.POSITIVE_INFINITY, getters: true },
  { showHidden: true, depth: Number.POSITIVE_INFINITY, customInspect: false },
])('shows no secret when inspected with %o', (options) => {
  const clientset = new Clientset(secrets)
  const pods = clientset.coreV1().pods('default')
  for (const value of [clientset, clientset.coreV1(), pods, { list: [{ clientset, pods }] }]) {
    expect(inspect(value, options)).not.toContain('SECRET')
    expect(JSON.stringify(value)).not.toContain('SECRET')
  }
})
