import { expect, it } from 'vitest'
import { parseGoInt } from '../environment.js'
import { noLogger } from '../logger.js'
import { connectionSettings } from './connection-settings.js'

const defaults = { http2: true, readIdleMs: 30_000, pingTimeoutMs: 15_000, idleMs: 90_000 }

it.each<[Record<string, string>, object, number]>([
  [{}, {}, 0],
  [{ DISABLE_HTTP2: '' }, {}, 0],
  [{ DISABLE_HTTP2: '1' }, { http2: false }, 0],
  [{ DISABLE_HTTP2: 'false' }, { http2: false }, 0],
  [
    { HTTP2_READ_IDLE_TIMEOUT_SECONDS: '5', HTTP2_PING_TIMEOUT_SECONDS: '+7' },
    { readIdleMs: 5000, pingTimeoutMs: 7000 },
    0,
  ],
  [{ HTTP2_READ_IDLE_TIMEOUT_SECONDS: '0' }, { readIdleMs: 0 }, 0],
  [{ HTTP2_PING_TIMEOUT_SECONDS: '0' }, {}, 0],
  [{ HTTP2_READ_IDLE_TIMEOUT_SECONDS: '1.5', HTTP2_PING_TIMEOUT_SECONDS: '15s' }, {}, 2],
])('%j', (env, expected, warnings) => {
  const told: string[] = []
  const logger = { ...noLogger, warn: (message: string) => void told.push(message) }
  expect(connectionSettings(env, logger)).toEqual({ ...defaults, ...expected })
  expect(told.length).toBe(warnings)
})

it.each([
  ['0', 0],
  ['-12', -12],
  ['+012', 12],
  ['9223372036854775807', 2 ** 63],
  ['9223372036854775808', undefined],
  ['', undefined],
  [' 1', undefined],
  ['1_000', undefined],
  ['0x10', undefined],
])('reads %j as Go does', (text, value) => {
  expect(parseGoInt(text)).toBe(value)
})
