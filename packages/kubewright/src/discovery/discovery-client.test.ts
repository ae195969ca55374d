import { expect, it } from 'vitest'
import { Config, responseHeaders, type TransportRequest } from '../rest/index.js'
import { DiscoveryClient } from './index.js'

it('asks for the version below the path prefix of the host', async () => {
  const sent: TransportRequest[] = []
  const version = { major: '1', minor: '36', gitVersion: 'v1.36.3' }
  const transport = {
    async roundTrip(request: TransportRequest) {
      sent.push(request)
      const body = (async function* () {
        yield Buffer.from(JSON.stringify(version))
      })()
      return { status: 200, headers: responseHeaders({ 'content-type': 'application/json' }), body, close: () => {} }
    },
    close: async () => {},
  }
  const client = new DiscoveryClient(new Config({ host: 'https://h/prefix', transport }))
  expect(await client.serverVersion({ timeout: 5000 })).toEqual(version)
  expect(sent.map(({ method, url }) => `${method} ${url}`)).toEqual(['GET https://h/prefix/version?timeout=5s'])
})
