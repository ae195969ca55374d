import fc from 'fast-check'
import type { ListOptions } from 'kubewright/meta'
import { prepareWatchListOptionsFromListOptions } from 'kubewright/watch'
import { expect, it } from 'vitest'
import { runs } from './arbitraries.js'
import { type Ask, describeWithOracle } from './describe-with-oracle.js'

const sometimes = <T>(...values: T[]): fc.Arbitrary<T | undefined> =>
  fc.oneof(fc.constant(undefined), fc.constantFrom(...values))

const listOptions = fc.record({
  labelSelector: sometimes('', 'a=b', 'a in (b,c)', 'a in ('),
  fieldSelector: sometimes('', 'metadata.name=x', 'metadata.name'),
  resourceVersion: sometimes('', '0', '5'),
  resourceVersionMatch: sometimes('', 'Exact', 'NotOlderThan', 'Whatever'),
  limit: sometimes(0, 1, 500),
  continue: sometimes('', 'token'),
  timeoutSeconds: sometimes(0, 30),
  allowWatchBookmarks: sometimes(true, false),
  sendInitialEvents: sometimes(true, false),
  watch: sometimes(true, false),
})

/** As both send it: what is empty is not sent. */
const sent = (options: ListOptions): object =>
  Object.fromEntries(
    Object.entries(options).filter(
      ([name, value]) =>
        value !== undefined &&
        value !== '' &&
        (value !== false || name === 'sendInitialEvents') &&
        !(name === 'limit' && value === 0),
    ),
  )

describeWithOracle('lists made into streams', (oracle: Ask) => {
  it('are the same, or none', async () => {
    await fc.assert(
      fc.asyncProperty(listOptions, async (options) => {
        const answer = await oracle.ask<{ ok: boolean; options: ListOptions }>('watchlist.prepare', options)
        let ours: ListOptions | undefined
        try {
          ours = prepareWatchListOptionsFromListOptions(options)
        } catch {
          expect(answer).toHaveProperty('error')
          return
        }
        if (!('result' in answer)) throw new Error(answer.error)
        expect(ours && sent(ours)).toEqual(answer.result.ok ? sent(answer.result.options) : undefined)
      }),
      runs(500),
    )
  })
})
