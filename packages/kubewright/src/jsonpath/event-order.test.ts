import { expect, it } from 'vitest'
import type { Event } from '../gen/api/core/v1.js'
import { sortableEvents } from './index.js'

const event = (name: string, lastTimestamp?: string | null): Event => ({ metadata: { name }, lastTimestamp }) as Event

it('events are sorted by when they were last seen, those that were not first, and keep their order otherwise', () => {
  const events = [
    event('c', '2026-01-02T00:00:00Z'),
    event('none'),
    event('b', '2026-01-01T00:00:00Z'),
    event('d', '2026-01-02T00:00:00Z'),
    event('a', '2026-01-01T00:00:00+01:00'),
    event('null', null),
  ]
  expect(events.toSorted(sortableEvents).map(({ metadata }) => metadata.name)).toEqual([
    'none',
    'null',
    'a',
    'b',
    'c',
    'd',
  ])
})
