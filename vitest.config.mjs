// Three projects: `unit` needs nothing but Node and runs in threads that share their modules; `oracle` asks a Go program;
// `conformance` needs a control plane (which its global setup starts). The last two give each file a process.
import { defineConfig } from 'vitest/config'
import { sourceAliases } from './scripts/source-aliases.mjs'

const alias = [...sourceAliases('packages/kubewright'), ...sourceAliases('conformance', '')]
// What is built lies beside the sources.
const exclude = ['**/node_modules/**', '**/dist/**', '**/build/**']

export default defineConfig({
  test: {
    // An error nobody handled fails the run, whichever test was running.
    dangerouslyIgnoreUnhandledErrors: false,
    projects: [
      {
        resolve: { alias },
        test: {
          name: 'unit',
          include: [
            'packages/*/src/**/*.test.ts',
            'tools/**/*.test.ts',
            '{scripts,bench}/**/*.test.mjs',
            'conformance/faults/in-memory.test.ts',
          ],
          exclude,
          setupFiles: ['scripts/seed.mjs'],
          pool: 'threads',
          isolate: false,
        },
      },
      {
        resolve: { alias },
        test: {
          name: 'oracle',
          include: ['conformance/oracle/*.test.ts'],
          exclude,
          pool: 'forks',
          testTimeout: 60_000,
          hookTimeout: 300_000,
        },
      },
      {
        resolve: { alias },
        test: {
          name: 'conformance',
          include: ['conformance/**/*.test.ts', 'examples/**/*.test.ts'],
          exclude: [...exclude, 'conformance/oracle/**', 'conformance/faults/in-memory.test.ts'],
          globalSetup: ['conformance/control-plane/global-setup.ts'],
          pool: 'forks',
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
