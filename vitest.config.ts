import path from 'node:path';
import { defineConfig } from 'vitest/config';
import { TestOrder } from './scripts/test-order.ts';

/** Vitest strips types itself. With this flag a thread started from TypeScript fails, which is forbidden (see scripts/build-threads.mjs). */
const execArgv = ['--no-strip-types'];
const threads = 'scripts/threads-for-tests.mjs';

// Caches compiled modules for test workers and the programs that they start, many of which take longer to load than to run.
process.env['NODE_COMPILE_CACHE'] ??= path.join(import.meta.dirname, 'node_modules/.cache/catalog');

// One worker more than the cores of a small machine, because tests mostly wait for processes and polls. Each test file clones its own database.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'packages',
          include: ['engine/**/*.test.ts', 'scanner/**/*.test.ts', 'readers/**/*.test.ts', 'protocol/**/*.test.ts', 'agent/**/*.test.ts'],
          globalSetup: [threads],
          execArgv,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          pool: 'forks',
        },
      },
      {
        test: {
          name: 'server',
          include: ['server/**/*.test.ts', 'scripts/**/*.test.ts', 'manual/**/*.test.ts'],
          globalSetup: [threads, 'server/test/global-setup.ts'],
          execArgv,
          testTimeout: 60_000,
          hookTimeout: 120_000,
          pool: 'forks',
          // Loading the program for every file took longer than many tests. Counters of the process, such as outbound requests, therefore include earlier files.
          isolate: false,
        },
      },
      './console/vitest.config.ts',
      {
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          globalSetup: [threads, 'e2e/global-setup.ts'],
          testTimeout: 120_000,
          hookTimeout: 300_000,
          pool: 'forks',
          expect: { poll: { timeout: 15_000 } },
        },
      },
    ],
    maxWorkers: 3,
    sequence: { sequencer: TestOrder },
  },
});
