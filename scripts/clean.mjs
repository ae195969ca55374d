// npm run clean: removes what builds left, dist/ and build/ folders outside node_modules, so that the next one starts anew.
import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './lib/repository.mjs'

function clean(directory) {
  for (const entry of readdirSync(directory, { withFileTypes: true })) {
    if (!entry.isDirectory() || entry.name === 'node_modules' || entry.name === '.git') continue
    const path = join(directory, entry.name)
    if (entry.name === 'dist' || entry.name === 'build') rmSync(path, { recursive: true })
    else clean(path)
  }
}

clean(root)
