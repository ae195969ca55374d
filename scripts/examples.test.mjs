// Every example is compiled, tested, and found in the table, with the command that runs it.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { root } from './lib/repository.mjs'

const examples = readdirSync(join(root, 'examples'), { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && existsSync(join(root, 'examples', entry.name, 'main.ts')))
  .map(({ name }) => name)
const read = (file) => readFileSync(join(root, file), 'utf8')

it('there are some', () => {
  expect(examples).toContain('min-replicas')
})

it.each(examples)('%s', (name) => {
  const program = `node examples/${name}/dist/main.js`
  expect(read('tsconfig.json')).toContain(`{ "path": "examples/${name}" }`)
  expect(existsSync(join(root, 'examples', name, `${name}.test.ts`))).toBe(true)
  expect(read(`examples/${name}/main.ts`)).toMatch(/^\/\/ /)
  expect(read(`examples/${name}/main.ts`)).toContain(program)
  const row = read('examples/README.md')
    .split('\n')
    .find((line) => line.startsWith(`| [${name}](${name}/main.ts) | `))
  expect(row).toContain(program)
})
