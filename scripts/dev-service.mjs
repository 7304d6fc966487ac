import { buildStale } from './lib/stale-build.mjs';

// What the developer's loop starts again after every change: the threads are built anew, then the service runs as it always does.
await buildStale(process.execPath, ['threads']);
await import('../server/src/main.ts');
