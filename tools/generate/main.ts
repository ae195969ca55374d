// Writes packages/kubewright/src/gen from spec/. With --check, writes nothing and fails where they differ.

import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { root } from '../root.js'
import { differences, generate, write } from './files.js'

const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } })
const dir = join(root, 'packages/kubewright/src/gen')
const files = generate(join(root, 'spec'))
if (values.check) {
  const lines = differences(files, dir)
  for (const line of lines) console.error(`packages/kubewright/src/gen/${line}`)
  if (lines.length > 0) {
    console.error('generated code is not what spec/ gives: run `npm run generate`')
    process.exitCode = 1
  }
} else {
  write(files, dir)
  console.log(`generate: ${files.size} files`)
}
