import { buildStale } from './lib/stale-build.mjs';

// Builds everything whose sources have changed, or only the named targets: threads, console, manual.
await buildStale(process.execPath, process.argv.length > 2 ? process.argv.slice(2) : undefined);
