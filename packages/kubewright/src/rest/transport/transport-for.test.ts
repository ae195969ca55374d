import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import { expect, it } from 'vitest'
import { Config } from '../config.js'
import { type TransportCreateEvent, transportFor } from './transport-for.js'

it('makes one transport for a Config, and tells a diagnostics channel which client got it first', () => {
  const events: TransportCreateEvent[] = []
  const listen = (event: unknown): void => void events.push(event as TransportCreateEvent)
  subscribe('kubewright:rest:transport-create', listen)
  const [one, other] = [new Config(), new Config()]
  const first = transportFor(one)
  expect(transportFor(one)).toBe(first)
  expect(transportFor(other)).not.toBe(first)
  unsubscribe('kubewright:rest:transport-create', listen)
  expect(events).toEqual([
    { config: one, result: 'miss' },
    { config: one, result: 'hit' },
    { config: other, result: 'miss' },
  ])
})
