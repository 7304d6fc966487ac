import { buildStale } from './lib/stale-build.mjs';

// Vitest calls this before the tests of a part that starts threads.
export default () => buildStale(process.execPath, ['threads']);
