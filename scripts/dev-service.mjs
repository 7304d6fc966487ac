import { buildStale } from './lib/stale-build.mjs';

// Restarted by scripts/dev.mjs after every change: builds the threads, then runs the service.
await buildStale(process.execPath, ['threads']);
await import('../server/src/main.ts');
