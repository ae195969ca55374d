import { expect, it } from 'vitest'
import { errorFromResponse } from './status-error.js'
import { responseHeaders } from './transport/headers.js'

const answer = (method: string, code: number, message = 'said') =>
  errorFromResponse(
    { method, url: 'https://server/apis/example.com/v1/widgets/a' },
    { status: code, headers: responseHeaders({ 'content-type': 'application/json' }) },
    new TextEncoder().encode(
      JSON.stringify({ kind: 'Status', apiVersion: 'v1', status: 'Failure', code, message, reason: 'x' }),
    ),
  )

it('a patch of a media type that the kind has not is told what to use', () => {
  const err = answer('PATCH', 415)
  expect(err.message).toMatch(
    /said; strategic merge patches are for built-in kinds only: use mergePatch, jsonPatch or apply/,
  )
  expect(err.status.message).toBe('said')
})

it('a JSON patch of which an operation does not apply is told how to find out which', () => {
  const said = 'the server rejected our request due to an error in our request'
  const err = answer('PATCH', 422, said)
  expect(err.message).toMatch(
    /in our request; an operation of the JSON patch does not apply .* applyJsonPatch of kubewright\/patch/,
  )
  expect(err.status.message).toBe(said)
  expect(answer('POST', 422, said).message).toMatch(/in our request$/)
})

it.each([
  ['POST', 415],
  ['PATCH', 422],
])('%s with %d is not', (method, code) => {
  expect(answer(method, code).message).toMatch(/said$/)
})
