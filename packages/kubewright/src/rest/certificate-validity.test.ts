import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { FakeClock } from '../clock/fake-clock.js'
import { certificateTimeProblem } from './certificate-validity.js'
import { Config, type TLSClientConfig } from './config.js'

const certFile = fileURLToPath(new URL('transport/testdata/client.pem', import.meta.url))
const certData = readFileSync(certFile, 'utf8')
const at = (time: string, tlsClientConfig: TLSClientConfig): string | undefined =>
  certificateTimeProblem(new Config({ clock: new FakeClock(Date.parse(time)), tlsClientConfig }))

describe('a client certificate', () => {
  it('whose time is now has no problem', () => {
    expect(at(new Date().toISOString(), { certData })).toBeUndefined()
  })

  it('of the past and of the future is named, by its file where it has one', () => {
    expect(at('9999-01-01T00:00:00Z', { certData })).toMatch(
      /^the client certificate of tlsClientConfig has expired \(\d.*Z\): renew it, or check this machine's clock$/,
    )
    expect(at('1990-01-01T00:00:00Z', { certFile })).toMatch(/client\.pem is not valid yet \(before .*Z\): check this/)
  })

  it.each<TLSClientConfig>([{}, { certData: 'none' }, { certFile: '/no/such/file' }])(
    'that cannot be read says nothing: %j',
    (tls) => {
      expect(at('9999-01-01T00:00:00Z', tls)).toBeUndefined()
    },
  )
})
