// Fetched credentials on the way to a server: what a Config with a plugin sends, and what a certificate of it proves.

import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { createServer as createTLSServer } from 'node:https'
import type { AddressInfo } from 'node:net'
import type { TLSSocket } from 'node:tls'
import { afterEach, describe, expect, it, onTestFinished } from 'vitest'
import { ExecAuthenticators } from '../auth/exec/authenticators.js'
import { printed, removeDirectories, TestPlugin, v1 } from '../auth/exec/plugins.test-support.js'
import { restClientFor } from '../client.js'
import { Config, type ConfigOptions } from '../config.js'
import { noLogger } from '../logger.js'

afterEach(removeDirectories)

const pem = (name: string): string => readFileSync(new URL(`testdata/${name}`, import.meta.url), 'utf8')

async function listen(server: ReturnType<typeof createServer>): Promise<number> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

function clientFor(plugin: TestPlugin, options: ConfigOptions) {
  const config = new Config({
    logger: noLogger,
    qps: -1,
    execProvider: { command: plugin.path, apiVersion: v1, interactiveMode: 'Never' },
    execPlugins: { authenticators: new ExecAuthenticators() },
    ...options,
  })
  const client = restClientFor(config, { group: '', version: 'v1' })
  return async () => (await client.get().resource('pods').do<{ seen: string }>()).object.seen
}

const answer = (seen: string): string => JSON.stringify({ kind: 'Seen', apiVersion: 'v1', seen })

describe('a Config with a credential plugin', () => {
  it('sends its token; a 401 fails, and the next request has a new one', async () => {
    const refused = new Set(['Bearer first'])
    const server = createServer((request: IncomingMessage, response) => {
      const { authorization = 'none' } = request.headers
      response.writeHead(refused.has(authorization) ? 401 : 200, { 'content-type': 'application/json' })
      response.end(answer(authorization))
    })
    const plugin = new TestPlugin()
    plugin.prints(printed({ token: 'first' }))
    const get = clientFor(plugin, { host: `http://127.0.0.1:${await listen(server)}` })
    await expect(get()).rejects.toMatchObject({ code: 401 })
    plugin.prints(printed({ token: 'second' }))
    expect(await Promise.all([get(), get(), get()])).toEqual(Array(3).fill('Bearer second'))
    expect(plugin.runs).toBe(2)
  })

  it('shows its certificate to the server', async () => {
    const server = createTLSServer(
      {
        key: pem('server.key'),
        cert: pem('server.pem'),
        ca: pem('ca.pem'),
        requestCert: true,
        rejectUnauthorized: false,
      },
      (request: IncomingMessage, response) => {
        const { subject } = (request.socket as TLSSocket).getPeerCertificate()
        response.writeHead(200, { 'content-type': 'application/json' })
        response.end(answer(subject?.CN ? String(subject.CN) : 'nobody'))
      },
    )
    const plugin = new TestPlugin()
    plugin.prints(printed({ clientCertificateData: pem('client.pem'), clientKeyData: pem('client.key') }))
    const get = clientFor(plugin, {
      host: `https://127.0.0.1:${await listen(server)}`,
      tlsClientConfig: { caData: pem('ca.pem') },
    })
    const seen = await get()
    expect(seen).not.toBe('nobody')
    expect(await get()).toBe(seen)
    expect(plugin.runs).toBe(1)
  })
})
