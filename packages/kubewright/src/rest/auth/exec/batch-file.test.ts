import { describe, expect, it } from 'vitest'
import { startable } from './batch-file.js'

const windows = { platform: 'win32', systemRoot: 'D:\\Win' }

describe('what is started', () => {
  it.each([
    ['/usr/bin/aws', 'linux'],
    ['/usr/bin/aws.cmd', 'linux'],
    ['C:\\bin\\aws.exe', 'win32'],
  ])('for %s on %s is the program itself', (path, platform) => {
    const args = ['"', '%PATH%']
    expect(startable(path, args, { ...windows, platform })).toEqual({ file: path, args, verbatim: false })
  })

  it.each(['C:\\Program Files\\g cloud.cmd', 'C:\\a.BAT'])('for %s on Windows is cmd.exe', (path) => {
    const args = ['config-helper', '--format=json', '', 'a b', 'a & b | c > d ^ ( ) !x!', 'C:\\dir\\']
    expect(startable(path, args, windows)).toEqual({
      file: 'D:\\Win\\System32\\cmd.exe',
      args: [
        ...['/d', '/e:on', '/v:off', '/s', '/c'],
        `""${path}" "config-helper" "--format=json" "" "a b" "a & b | c > d ^ ( ) !x!" "C:\\dir\\\\""`,
      ],
      verbatim: true,
    })
  })

  it.each(['a"b', '%PATH%', 'a\nb', 'a\rb', 'a\0b'])('is nothing with the argument %j, which is not shown', (arg) => {
    const start = (): unknown => startable('C:\\a.cmd', ['ok', arg], windows)
    expect(start).toThrow('argument 2 of a batch file has a character that cmd.exe does not take as it stands')
    expect(start).not.toThrow(arg)
  })

  it('is nothing where the path itself cannot be given', () => {
    expect(() => startable('C:\\100%\\a.cmd', [], windows)).toThrow('cannot be given to cmd.exe; rename it')
  })
})
