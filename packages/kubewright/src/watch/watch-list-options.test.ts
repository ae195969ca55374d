import { expect, it } from 'vitest'
import type { ListOptions } from '../meta/index.js'
import { prepareWatchListOptionsFromListOptions } from './watch-list-options.js'

const stream = {
  watch: true,
  allowWatchBookmarks: true,
  sendInitialEvents: true,
  resourceVersionMatch: 'NotOlderThan',
}

it.each<[ListOptions, ListOptions | undefined]>([
  [{}, stream],
  [
    { labelSelector: 'a=b', fieldSelector: 'c=d', timeoutSeconds: 3 },
    { labelSelector: 'a=b', fieldSelector: 'c=d', timeoutSeconds: 3, ...stream },
  ],
  [{ resourceVersion: '5' }, { resourceVersion: '5', ...stream }],
  [
    { resourceVersion: '5', resourceVersionMatch: 'NotOlderThan' },
    { resourceVersion: '5', ...stream },
  ],
  [
    { resourceVersion: '0', limit: 500 },
    { resourceVersion: '0', ...stream },
  ],
  [{ resourceVersion: '0' }, { resourceVersion: '0', ...stream }],
  [
    { resourceVersion: '0', resourceVersionMatch: 'NotOlderThan' },
    { resourceVersion: '0', ...stream },
  ],
  [
    { resourceVersion: '0', resourceVersionMatch: 'NotOlderThan', limit: 4 },
    { resourceVersion: '0', ...stream },
  ],
  [{ resourceVersion: '0', continue: 'FakeToken' }, undefined],
  [{ resourceVersion: '0', resourceVersionMatch: 'NotOlderThan', continue: 'FakeToken' }, undefined],
  [{ resourceVersionMatch: 'Exact' }, undefined],
  [{ resourceVersion: '0', resourceVersionMatch: 'Exact' }, undefined],
  [{ resourceVersion: '0', resourceVersionMatch: 'Exact', limit: 4 }, undefined],
  [{ resourceVersion: '0', resourceVersionMatch: 'Exact', continue: 'FakeToken' }, undefined],
  [{ limit: 500 }, undefined],
  [{ resourceVersion: '5', limit: 500 }, undefined],
  [{ resourceVersion: '5', resourceVersionMatch: 'Exact' }, undefined],
  [{ resourceVersionMatch: 'NotOlderThan' }, undefined],
  [{ continue: 'x' }, undefined],
  [{ sendInitialEvents: true }, undefined],
  [{ resourceVersion: '5', resourceVersionMatch: 'Whatever' }, undefined],
])('%j becomes %j', (options, want) => {
  expect(prepareWatchListOptionsFromListOptions(options)).toEqual(want)
})

it('refuses selectors that are none', () => {
  expect(() => prepareWatchListOptionsFromListOptions({ labelSelector: 'a in (' })).toThrow()
})
