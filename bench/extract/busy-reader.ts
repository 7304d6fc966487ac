/** Reads and draws the files it is told of, over and over, as a worker does during a long scan; says how many when asked. */
import { readFileSync } from 'node:fs';
import { createSandboxPool, defaultLimits, thumbTaskModule } from '@catalog/readers';

import type { CorpusFile } from './corpus.ts';

const [, , list, seats] = process.argv as [string, string, string, string];
const files = JSON.parse(readFileSync(list, 'utf8')) as CorpusFile[];
const pool = createSandboxPool({ size: Number(seats), tasks: { thumbs: thumbTaskModule } });
let read = 0;
process.on('message', () => process.send!({ read, rss: process.memoryUsage().rss, pids: pool.stats().pids }));
// However the measuring process ends, the readers end with it.
process.on('disconnect', () => {
  pool.close();
  process.exit(0);
});

async function work(start: number): Promise<never> {
  for (let i = start; ; i++) {
    const { path, filename, extension, size } = files[i % files.length]!;
    const job = { path, filename, extension, size, limits: defaultLimits };
    await pool.extract(job);
    await pool.run('thumbs', job, { gridPx: 320, previewPx: 800, acceleration: 'off' });
    if (read === 0) process.send!('busy');
    read += 1;
  }
}
await Promise.all(Array.from({ length: Number(seats) * 2 }, (_, n) => work(n * 37)));
