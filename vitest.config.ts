import { defineConfig } from 'vitest/config';

/** Vitest takes the types out itself; a thread that were started from TypeScript fails (scripts/build-threads.mjs says why none may be). */
const execArgv = ['--no-strip-types'];
const threads = 'scripts/threads-for-tests.mjs';

// Two cores are all a test machine is sure to have: files run in two forks, each with its own database clones.
export default defineConfig({
  test: {
    projects: [
      {
        test: {
          name: 'packages',
          include: ['engine/**/*.test.ts', 'scanner/**/*.test.ts', 'readers/**/*.test.ts'],
          globalSetup: [threads],
          execArgv,
          testTimeout: 120_000,
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
        },
      },
      './console/vitest.config.ts',
      {
        test: {
          name: 'e2e',
          include: ['e2e/**/*.test.ts'],
          globalSetup: [threads],
          testTimeout: 120_000,
          hookTimeout: 180_000,
          pool: 'forks',
          expect: { poll: { timeout: 15_000 } },
        },
      },
    ],
    maxWorkers: 2,
  },
});
