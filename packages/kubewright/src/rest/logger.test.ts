import { afterEach, expect, it, vi } from 'vitest'
import { realClock } from '../clock/index.js'
import { Config, copyConfig, noLogger, stderrLogger } from './index.js'

afterEach(() => vi.restoreAllMocks())

it('writes warnings and errors to standard error, a line each, with its time', () => {
  vi.spyOn(realClock, 'now').mockReturnValue(Date.UTC(2026, 6, 24, 12))
  const lines: string[] = []
  vi.spyOn(process.stderr, 'write').mockImplementation((line) => lines.push(String(line)) > 0)
  stderrLogger.error('lost', { url: 'https://h/x', error: new Error('a "b"'), count: 3 })
  stderrLogger.warn('two\nlines', { what: 'a b', nothing: undefined })
  stderrLogger.info('info')
  stderrLogger.debug('debug')
  noLogger.error('silence')
  expect(lines).toEqual([
    '2026-07-24T12:00:00.000Z kubewright: error: lost url=https://h/x error="a \\"b\\"" count=3\n',
    '2026-07-24T12:00:00.000Z kubewright: warning: two\\nlines what="a b" nothing=undefined\n',
  ])
})

it.each([
  [0, []],
  [1, ['info']],
  [3, ['info']],
  [4, ['info', 'debug']],
  [9, ['info', 'debug']],
])('of a Config with verbosity %i adds %j', (verbosity, expected) => {
  const lines: string[] = []
  vi.spyOn(process.stderr, 'write').mockImplementation((line) => lines.push(String(line)) > 0)
  const made = [new Config({ verbosity }), copyConfig(new Config({ verbosity: 10 }), { verbosity })]
  for (const { logger } of made) {
    lines.length = 0
    logger.info('it')
    logger.debug('it')
    expect(lines.map((line) => line.slice(line.indexOf(' ')))).toEqual(
      expected.map((level) => ` kubewright: ${level}: it\n`),
    )
  }
})

it("of the program's own gets everything, whatever the verbosity", () => {
  expect(new Config({ logger: noLogger, verbosity: 9 }).logger).toBe(noLogger)
})
