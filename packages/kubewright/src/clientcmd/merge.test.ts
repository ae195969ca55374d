import { describe, expect, it } from 'vitest'
import { mergeKubeConfigs, mergeStanza } from './merge.js'
import { newKubeConfig } from './types.js'

describe('mergeStanza', () => {
  it.each([
    ['a value wins', { server: 'one' }, { server: 'two' }, { server: 'two' }],
    ['an empty string does not', { server: 'one' }, { server: '' }, { server: 'one' }],
    [
      'false does not',
      { 'insecure-skip-tls-verify': true },
      { 'insecure-skip-tls-verify': false },
      { 'insecure-skip-tls-verify': true },
    ],
    ['absent changes nothing', { server: 'one' }, undefined, { server: 'one' }],
    ['a list replaces', { 'as-groups': ['a', 'b'] }, { 'as-groups': ['c'] }, { 'as-groups': ['c'] }],
    ['an empty list does not', { 'as-groups': ['a'] }, { 'as-groups': [] }, { 'as-groups': ['a'] }],
    [
      'a map inside replaces',
      { exec: { command: 'a', args: ['x'] } },
      { exec: { command: 'b' } },
      { exec: { command: 'b' } },
    ],
    [
      'extra fields merge',
      { 'as-user-extra': { a: ['1'], b: ['1'] } },
      { 'as-user-extra': { b: ['2'] } },
      { 'as-user-extra': { a: ['1'], b: ['2'] } },
    ],
    [
      'extensions merge by name',
      {
        extensions: [
          { name: 'a', extension: 1 },
          { name: 'b', extension: 1 },
        ],
      },
      { extensions: [{ name: 'b', extension: 2 }] },
      {
        extensions: [
          { name: 'a', extension: 1 },
          { name: 'b', extension: 2 },
        ],
      },
    ],
  ] as [string, object, object | undefined, object][])('%s', (_name, low, high, expected) => {
    expect(mergeStanza(low, high)).toEqual(expected)
  })
})

describe('mergeKubeConfigs', () => {
  const first = newKubeConfig({
    users: new Map([['red', { token: 'first' }]]),
    clusters: new Map([['cow', { server: 'https://first' }]]),
    extensions: [{ name: 'e', extension: 1 }],
  })
  const second = newKubeConfig({
    users: new Map([
      ['red', { token: 'second', username: 'red' }],
      ['yellow', { token: 'second' }],
    ]),
    clusters: new Map([['cow', { server: 'https://second', 'insecure-skip-tls-verify': true }]]),
    currentContext: 'of-second',
    preferences: { colors: true },
    extensions: [
      { name: 'e', extension: 2 },
      { name: 'f', extension: 2 },
    ],
  })
  const third = newKubeConfig({ currentContext: 'of-third' })

  it('takes whole entries from the first that has them', () => {
    const merged = mergeKubeConfigs([first, second, third])
    expect(merged.users).toEqual(
      new Map([
        ['red', { token: 'first' }],
        ['yellow', { token: 'second' }],
      ]),
    )
    expect(merged.clusters).toEqual(new Map([['cow', { server: 'https://first' }]]))
    expect(new Map(merged.extensions?.map((item) => [item.name, item.extension]))).toEqual(
      new Map([
        ['e', 1],
        ['f', 2],
      ]),
    )
  })

  it('takes the first current context that is set', () => {
    expect(mergeKubeConfigs([first, second, third]).currentContext).toBe('of-second')
    expect(mergeKubeConfigs([third, second]).currentContext).toBe('of-third')
    expect(mergeKubeConfigs([first, second]).preferences).toEqual({ colors: true })
  })

  it('of nothing is empty', () => {
    expect(mergeKubeConfigs([])).toEqual(newKubeConfig())
  })
})
