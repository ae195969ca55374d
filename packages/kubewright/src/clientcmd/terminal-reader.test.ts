import { getEventListeners } from 'node:events'
import { PassThrough } from 'node:stream'
import { describe, expect, it } from 'vitest'
import { askOn, terminalReader } from './terminal-reader.js'

/** A terminal on which `typed` can be typed; `shown` says what is seen, `modes` whether it echoes and edits by itself. */
function terminal() {
  const log = { shown: '', modes: [] as boolean[], interrupted: 0 }
  const input = Object.assign(new PassThrough(), {
    isTTY: true,
    setRawMode: (raw: boolean) => log.modes.push(!raw),
  })
  const output = { write: (text: string) => (log.shown += text) }
  return { log, input, output, interrupt: () => log.interrupted++ }
}

describe('an answer', () => {
  it('that may be seen is left to the terminal: what it echoes and how it is edited', async () => {
    const user = terminal()
    const answer = askOn(user, 'Username', { hidden: false })
    user.input.write('jane\n')
    expect(await answer).toBe('jane')
    expect(user.log).toEqual({ shown: 'Please enter Username: ', modes: [], interrupted: 0 })
    expect(user.input.isPaused()).toBe(true)
  })

  it('that may not be seen is typed where nothing echoes, can be edited, and ends the line', async () => {
    const user = terminal()
    const answer = askOn(user, 'Password', { hidden: true })
    user.input.write('ps\x7f s\u00fc\r')
    expect(await answer).toBe('p s\u00fc')
    expect(user.log).toEqual({ shown: 'Please enter Password: \n', modes: [false, true], interrupted: 0 })
    expect(user.input.isPaused()).toBe(true)
  })

  it('is the next line where two are typed at once', async () => {
    const user = terminal()
    // A terminal hands out a line at a time.
    user.input.pause()
    user.input.write('jane\n')
    user.input.write('pass\r')
    expect(await askOn(user, 'Username', { hidden: false })).toBe('jane')
    expect(await askOn(user, 'Password', { hidden: true })).toBe('pass')
  })
})

describe('no answer', () => {
  it.each([false, true])('at the end of input (hidden: %s)', async (hidden) => {
    const user = terminal()
    const answer = askOn(user, 'Password', { hidden })
    if (hidden) user.input.write('\x04')
    else user.input.end()
    await expect(answer).rejects.toThrow('error reading input for Password: there was none')
    expect(user.log).toMatchObject({ modes: hidden ? [false, true] : [], interrupted: 0 })
  })

  it('at Ctrl-C, which interrupts the program once the terminal echoes again', async () => {
    const user = terminal()
    const modes: boolean[][] = []
    const interrupt = () => modes.push([...user.log.modes])
    const answer = askOn({ ...user, interrupt }, 'Password', { hidden: true })
    user.input.write('p\x03')
    await expect(answer).rejects.toThrow('error reading input for Password: it was interrupted')
    expect(modes).toEqual([[false, true]])
  })

  it('when the caller leaves, which gives the terminal back', async () => {
    const user = terminal()
    const controller = new AbortController()
    const answer = askOn(user, 'Password', { hidden: true, signal: controller.signal })
    controller.abort(new Error('enough'))
    await expect(answer).rejects.toThrow('enough')
    expect(user.log.modes).toEqual([false, true])
    expect(getEventListeners(controller.signal, 'abort')).toEqual([])
    expect(user.input.listenerCount('keypress')).toBe(0)
    await expect(askOn(user, 'Password', { hidden: true, signal: controller.signal })).rejects.toThrow('enough')
    expect(user.log.shown).toBe('Please enter Password: \n')
  })

  it('where there is no terminal', async () => {
    await expect(askOn({ ...terminal(), input: new PassThrough() }, 'Password', { hidden: true })).rejects.toThrow(
      'error reading input for Password: standard input is not a terminal',
    )
  })

  it.skipIf(process.stdin.isTTY)('where standard input is none', async () => {
    await expect(terminalReader().read('Username', { hidden: false })).rejects.toThrow('is not a terminal')
  })
})
