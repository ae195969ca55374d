import { describe, expect, it } from 'vitest'
import { parseLossless } from '../meta/index.js'
import { restClientFor } from './client.js'
import { fakeTransport } from './fake-transport.test-support.js'
import { ListDecoder } from './list-decoder.js'
import { noLogger } from './logger.js'

describe('ListDecoder', () => {
  it('decodes items with the parser it is given, cut anywhere', () => {
    const text = '{"metadata":{"n":9007199254740993},"items":[{"n":9007199254740993},{"n":1},{"n":-9007199254740993}]}'
    const bytes = new TextEncoder().encode(text)
    for (const batchSize of [1, 64 * 1024]) {
      for (let at = 0; at <= bytes.length; at++) {
        const decoder = new ListDecoder({ batchSize, parse: parseLossless })
        for (const part of [bytes.subarray(0, at), bytes.subarray(at)]) for (const _ of decoder.push(part));
        expect(decoder.end()).toEqual(parseLossless(text))
      }
    }
  })
})

describe('losslessIntegers of a Config', () => {
  const clientOf = (content: string, losslessIntegers?: boolean) => {
    const transport = fakeTransport(() => ({ body: content }))
    const config = { host: 'http://localhost', qps: -1, logger: noLogger, transport, losslessIntegers }
    return restClientFor(config, { group: 'example.com', version: 'v1' })
  }

  it('is how answers, long ones too, and events are read', async () => {
    const padding = ' '.repeat(2 ** 20)
    for (const object of ['{"n":9007199254740993}', `${padding}{"items":[{"n":9007199254740993}]}`]) {
      const answer = await clientOf(object, true).get().resource('counters').do()
      expect(answer.object).toEqual(parseLossless(object))
    }
    const event = '{"type":"ADDED","object":{"n":9007199254740993}}'
    for (const content of [`${event}\n`, `${event}${event}`]) {
      for await (const { object } of await clientOf(content, true).get().resource('counters').watch()) {
        expect(object).toEqual({ n: 9007199254740993n })
      }
    }
  })

  it('is off unless it is set', async () => {
    const answer = await clientOf('{"n":9007199254740993}').get().resource('counters').do()
    expect(answer.object).toEqual({ n: 2 ** 53 })
  })
})
