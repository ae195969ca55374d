import { expect, it } from 'vitest'
import { Evaluation } from './evaluation.js'
import { parseTemplate } from './parser.js'

const tooMany = 'the template finds more than 1000 values: use fewer "..", ranges and unions'
const nested = Array.from({ length: 10 }, () => Array.from({ length: 10 }, () => [0, 1]))

it.each([
  '{..[*]..[*]..[*]..}',
  `{${'[:,:,:]'.repeat(3)}}`,
  '{range [*]}{range [*]}{range [*]}{@}{@}{@}{end}{end}{end}',
  '{range [*]}'.repeat(3) + 'text'.repeat(10),
  '{[0]}'.repeat(400),
  `{[*]${'[*,*,*]'.repeat(2)}}`,
])('a template may find only so much: %s', (template) => {
  const options = { allowMissingKeys: true, maxValues: 1000 }
  expect(() => new Evaluation(parseTemplate(template), options).run(nested)).toThrow(tooMany)
})
