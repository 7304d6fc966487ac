/** Extracts and renders files in an endless loop, like a worker during a long scan. Reports its progress on each message. */
import { readFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { createSandboxPool, defaultLimits, thumbTaskModule } from '@catalog/readers';
import type { CorpusFile } from './corpus.ts';

const [, , list, poolSize] = process.argv as [string, string, string, string];
const files = JSON.parse(readFileSync(list, 'utf8')) as CorpusFile[];
const pool = createSandboxPool({ size: Number(poolSize), tasks: { thumbs: thumbTaskModule } });
let done = 0;
process.on('message', () => process.send?.({ done, rss: process.memoryUsage().rss, pids: pool.stats().pids }));
// Ends the sandbox processes even if the parent process crashes.
process.on('disconnect', () => {
  pool.close();
  process.exit(0);
});

async function work(start: number): Promise<void> {
  for (let i = start; ; i++) {
    const file = files[i % files.length];
    if (file === undefined) return;
    const { path, filename, extension, size } = file;
    const job = { path, root: dirname(dirname(path)), filename, extension, size, limits: defaultLimits };
    await pool.extract(job);
    await pool.run('thumbs', job, { gridPx: 320, previewPx: 800, acceleration: 'off' });
    if (done === 0) process.send?.('busy');
    done += 1;
  }
}
await Promise.all(Array.from({ length: Number(poolSize) * 2 }, (_, n) => work(n * 37)));
