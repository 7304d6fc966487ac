import { buildStale } from './lib/stale-build.mjs';

// Global setup for Vitest projects whose tests start threads.
export default () => buildStale(process.execPath, ['threads']);
