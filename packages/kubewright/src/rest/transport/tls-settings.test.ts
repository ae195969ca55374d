import { readFileSync } from 'node:fs'
import { inspect } from 'node:util'
import { expect, it } from 'vitest'
import { FakeClock } from '../../clock/index.js'
import { Config, noLogger, unversionedRestClientFor } from '../index.js'
import { loadTLSSettings } from './tls-settings.js'

const pem = (name: string): string => readFileSync(new URL(`testdata/${name}`, import.meta.url), 'utf8')
const options = { clock: new FakeClock(), logger: noLogger }
const badPEM = '-----BEGIN CERTIFICATE-----\nMIIB\n-----END CERTIFICATE-----\n'

it.each([
  [
    'a CA and insecure',
    { caData: pem('ca.pem'), insecure: true },
    'specifying a root certificates file with the insecure flag is not allowed',
  ],
  [
    'a CA that is no PEM',
    { caData: 'nonsense' },
    'unable to load root certificates: unable to parse bytes as PEM block',
  ],
  ...['xx%s', '  %s', '%sthis is not valid'].map((around): [string, object, string] => [
    `a CA that does not begin and end with its lines, as in ${around}`,
    { caData: around.replace('%s', pem('ca.pem').trim()) },
    'unable to load root certificates: unable to parse bytes as PEM block',
  ]),
  [
    'a CA file that is empty',
    { caFile: '/dev/null' },
    'unable to load root certificates: unable to parse bytes as PEM block',
  ],
  [
    'a CA that is no certificate',
    { caData: badPEM },
    'unable to load root certificates: failed to parse certificate: ',
  ],
  ['a CA file that is not there', { caFile: '/no/such/ca' }, 'cannot read tlsClientConfig.caFile: ENOENT'],
  ['a certificate without its key', { certData: pem('client.pem') }, 'client certificate without its key'],
  ['a key without its certificate', { keyData: pem('client.key') }, 'client key without its certificate'],
  [
    'a key of another certificate',
    { certData: pem('client.pem'), keyData: pem('server.key') },
    'cannot use the client certificate and key',
  ],
  [
    'an empty certificate and key, as files have that are being written',
    { certFile: '/dev/null', keyFile: '/dev/null' },
    'there is no PEM block in the certificate',
  ],
  [
    'a certificate that is none',
    { certData: 'nonsense', keyData: pem('client.key') },
    'cannot use the client certificate and key',
  ],
])('refuses %s, before anything is sent', (_name, tlsClientConfig, message) => {
  expect(() => loadTLSSettings(tlsClientConfig, options)).toThrow(message)
  expect(() => unversionedRestClientFor(new Config({ host: 'https://h', tlsClientConfig }))).toThrow(message)
})

it.each([
  ['a part that cannot be read', badPEM + pem('ca.pem')],
  ['text around it', `# ours\n${pem('ca.pem')}that was it`],
  ['lines of Windows', pem('ca.pem').replaceAll('\n', '\r\n')],
  ['no end of the last line', pem('ca.pem').trim()],
  ['spaces at its end', `${pem('ca.pem').trim()}  \n\n`],
])('takes a CA bundle with %s', (_, caData) => {
  expect(loadTLSSettings({ caData }, options).rejectUnauthorized).toBe(true)
})

it('prefers data to files', () => {
  const pair = { certData: pem('client.pem'), keyData: pem('client.key'), certFile: '/no/such', keyFile: '/no/such' }
  expect(() => loadTLSSettings(pair, options)).not.toThrow()
  expect(loadTLSSettings({ caData: pem('ca.pem'), caFile: '/no/such/ca' }, options).serverName).toBeUndefined()
})

it('a client does not show its key', () => {
  const keyData = pem('client.key')
  const config = new Config({
    host: 'https://h',
    bearerToken: 'SECRET',
    tlsClientConfig: { certData: pem('client.pem'), keyData },
  })
  const shown = inspect(unversionedRestClientFor(config), { depth: 20, showHidden: true })
  expect(shown).not.toContain('SECRET')
  expect(shown).not.toContain(keyData.split('\n')[1])
})
