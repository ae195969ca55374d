import { describe, expect, it } from 'vitest'
import { homeDir, recommendedHomeFile, splitPathList } from './home-dir.js'

const profile = 'C:\\Users\\me'
const driveHome = 'D:\\me'
const home = 'E:\\home'
const all = { HOME: home, USERPROFILE: profile, HOMEDRIVE: 'D:', HOMEPATH: '\\me' }

describe('homeDir', () => {
  it.each(['linux', 'darwin', 'freebsd'])('is HOME on %s', (platform) => {
    expect(homeDir({ env: { ...all, HOME: '/home/me' }, platform })).toBe('/home/me')
    expect(homeDir({ env: {}, platform })).toBe('')
  })

  const writable = { writableDirectory: true }
  const readOnly = { writableDirectory: false }
  it.each([
    [
      'HOME with a kubeconfig',
      all,
      { [`${home}\\.kube\\config`]: readOnly, [`${driveHome}\\.kube\\config`]: readOnly },
      home,
    ],
    [
      'the drive before the profile, for a kubeconfig',
      all,
      { [`${driveHome}\\.kube\\config`]: readOnly, [`${profile}\\.kube\\config`]: readOnly },
      driveHome,
    ],
    [
      'the profile with the only kubeconfig',
      all,
      { [home]: writable, [`${profile}\\.kube\\config`]: readOnly },
      profile,
    ],
    ['HOME when it is writable', all, { [home]: writable, [profile]: writable }, home],
    ['the profile before the drive, to write to', all, { [profile]: writable, [driveHome]: writable }, profile],
    [
      'the drive when it alone is writable',
      all,
      { [home]: readOnly, [profile]: readOnly, [driveHome]: writable },
      driveHome,
    ],
    ['the first that exists when none is writable', all, { [profile]: readOnly, [driveHome]: readOnly }, profile],
    ['the first that is set when none exists', all, {}, home],
    ['the profile when HOME is not set', { ...all, HOME: undefined }, {}, profile],
    ['no drive without a path', { HOMEDRIVE: 'D:' }, {}, ''],
    ['nothing when nothing is set', {}, {}, ''],
  ] as const)('is on Windows %s', (_name, env, present: Record<string, { writableDirectory: boolean }>, expected) => {
    expect(homeDir({ env, platform: 'win32', probe: (path) => present[path] })).toBe(expected)
  })

  it('leads to the kubeconfig', () => {
    expect(recommendedHomeFile({ env: { HOME: '/home/me' }, platform: 'linux' })).toBe('/home/me/.kube/config')
    const probe = () => undefined
    expect(recommendedHomeFile({ env: { HOME: home }, platform: 'win32', probe })).toBe('E:\\home\\.kube\\config')
  })
})

describe('splitPathList', () => {
  it.each([
    ['', 'linux', []],
    ['/a', 'linux', ['/a']],
    ['/a:/b', 'linux', ['/a', '/b']],
    ['/a::/b', 'linux', ['/a', '', '/b']],
    ['/a:/b:/c:/b:/e:/a', 'linux', ['/a', '/b', '/c', '/e']],
    ['C:\\a;D:\\b', 'win32', ['C:\\a', 'D:\\b']],
    ['C:\\a;"D:\\x;y";C:\\a', 'win32', ['C:\\a', 'D:\\x;y']],
    ['C:\\a;;b', 'win32', ['C:\\a', '', 'b']],
    ['a;', 'win32', ['a', '']],
  ] as const)('of %j on %s', (list, platform, expected) => {
    expect(splitPathList(list, platform)).toEqual(expected)
  })
})
