import { afterEach, expect, it, vi } from 'vitest'
import { noLogger, stderrLogger } from './index.js'

afterEach(() => vi.restoreAllMocks())

it('writes warnings and errors to standard error, a line each', () => {
  const lines: string[] = []
  vi.spyOn(process.stderr, 'write').mockImplementation((line) => lines.push(String(line)) > 0)
  stderrLogger.error('lost', { url: 'https://h/x', error: new Error('a "b"'), count: 3 })
  stderrLogger.warn('two\nlines', { what: 'a b', nothing: undefined })
  stderrLogger.info('info')
  stderrLogger.debug('debug')
  noLogger.error('silence')
  expect(lines).toEqual([
    'kubewright: error: lost url=https://h/x error="a \\"b\\"" count=3\n',
    'kubewright: warning: two\\nlines what="a b" nothing=undefined\n',
  ])
})
