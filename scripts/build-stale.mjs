import { buildStale } from './lib/stale-build.mjs';

// Builds what is older than its sources, all of it or the parts named: threads, console, manual.
await buildStale(process.execPath, process.argv.length > 2 ? process.argv.slice(2) : undefined);
