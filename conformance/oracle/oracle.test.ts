import { expect, it } from 'vitest'
import { describeWithOracle } from './describe-with-oracle.js'

describeWithOracle('the oracle', (oracle) => {
  it('answers with results and with errors', async () => {
    expect(await oracle.ask('intstr.parse', { text: '5' })).toEqual({ result: 5 })
    expect(await oracle.ask('quantity.parse', { text: '1K' })).toEqual({ error: "unable to parse quantity's suffix" })
  })

  it('answers many questions in the order of asking', async () => {
    const inputs = Array.from({ length: 20_000 }, (_, i) => ({ text: String(i) }))
    const answers = await oracle.askMany('intstr.parse', inputs)
    expect(answers).toEqual(inputs.map((_, i) => ({ result: i })))
  })

  it('survives a panic, and says so', async () => {
    const answer = await oracle.ask('url.request', { host: 'x', steps: [{ method: 'param', args: [] }] })
    expect(answer).toEqual({ error: expect.stringContaining('index out of range'), panic: true })
    expect(await oracle.ask('intstr.parse', { text: '5' })).toEqual({ result: 5 })
  })

  it('rejects questions that are wrong', async () => {
    await expect(oracle.ask('no.such.room', {})).rejects.toThrow('wrong question for no.such.room: there is no room')
    await expect(oracle.ask('intstr.parse', { text: 5 })).rejects.toThrow('wrong question for intstr.parse: json')
  })
})
