import { expect, it } from 'vitest'
import { relaxedJSONPathExpression } from './index.js'

it.each([
  ['metadata.name', '{.metadata.name}'],
  ['.metadata.name', '{.metadata.name}'],
  ['{metadata.name}', '{.metadata.name}'],
  ['{.metadata.name}', '{.metadata.name}'],
  ['status.conditions[?(@.type=="Ready")].status', '{.status.conditions[?(@.type=="Ready")].status}'],
  ['..name', '{..name}'],
  ['{.}', '{..}'],
  ['', ''],
])('%s is %s', (path, template) => {
  expect(relaxedJSONPathExpression(path)).toBe(template)
})

it.each(['{', '}', '{}', '{.a', '.a}', '{.a}{.b}', '{{.a}}', '{.a} '])('%s is no path', (path) => {
  expect(() => relaxedJSONPathExpression(path)).toThrow(
    "unexpected path string, expected a 'name1.name2' or '.name1.name2' or '{name1.name2}' or '{.name1.name2}'",
  )
})
