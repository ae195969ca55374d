import { defineConfig } from 'vitest/config'
import { sourceAliases } from './scripts/source-aliases.mjs'

const alias = sourceAliases('packages/kubewright')

export default defineConfig({
  test: {
    // An error nobody handled fails the run, whichever test was running.
    dangerouslyIgnoreUnhandledErrors: false,
    projects: [
      {
        resolve: { alias },
        test: {
          name: 'unit',
          include: ['packages/*/src/**/*.test.ts', 'tools/**/*.test.ts'],
          pool: 'threads',
          isolate: false,
        },
      },
      {
        resolve: { alias },
        test: {
          name: 'conformance',
          include: ['conformance/**/*.test.ts', 'examples/**/*.test.ts'],
          globalSetup: ['conformance/control-plane/global-setup.ts'],
          pool: 'forks',
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
