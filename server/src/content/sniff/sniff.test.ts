import { renameSync, writeFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { addLibrary, tree } from '../../catalog/scan/library.fixture.ts';
import { createExtractionTest } from '../pipeline/extraction.fixture.ts';
import { reachablePath } from '../pipeline/index.ts';
import { queueStale } from '../pipeline/queue.ts';
import { sniffContent } from './index.ts';

let x: Awaited<ReturnType<typeof createExtractionTest>>;
beforeAll(async () => {
  x = await createExtractionTest();
});
afterAll(() => x.close());

test('files that cannot be read now are examined by a later run, and names that are no text are no obstacle', async () => {
  const { db } = x.t.deps;
  const root = tree({ letter: 'Plain words, nothing else.' });
  writeFileSync(Buffer.concat([Buffer.from(`${root}/note`), Buffer.from([0xff])]), 'Other words.');
  const library = await addLibrary(db, root);
  await x.rescan(library);
  const sniff = () => sniffContent(db, x.pool, { batch: 10, readBytes: 65_536, reach: reachablePath });
  renameSync(root, `${root}-away`);
  expect(await sniff()).toEqual({ sniffed: 0, recognised: 0, remaining: 2 });
  renameSync(`${root}-away`, root);
  expect(await sniff()).toEqual({ sniffed: 2, recognised: 2, remaining: 0 });
  const { rows } = await sql<{
    found: string;
  }>`select metadata #>> '{sniffed,extension}' as found from items where library_id = ${library}`.execute(db);
  expect(rows.map(({ found }) => found)).toEqual(['txt', 'txt']);
});

test('what a run has recognised before it ends early is read', async () => {
  const { db } = x.t.deps;
  const root = tree({ first: 'Words of the first file.', second: 'Words of the second file.', third: 'Words of the third file.' });
  const library = await addLibrary(db, root);
  await x.rescan(library);
  await x.read(library);
  const sniff = (recognised: (library: string, ids: readonly string[]) => Promise<unknown>) => {
    const stopping = new AbortController();
    const reach = (root: string, relPath: string) => {
      const { path, release } = reachablePath(root, relPath);
      const stop = () => {
        release();
        stopping.abort(new Error('The worker is stopping.'));
      };
      return { path, release: stop };
    };
    return sniffContent(db, x.pool, { batch: 10, readBytes: 65_536, reach, recognised, signal: stopping.signal });
  };
  const told: string[] = [];
  await expect(sniff(async (_library, ids) => told.push(...ids))).rejects.toThrow('The worker is stopping.');
  expect(told).toHaveLength(1);
  // Stands for a process that was killed: nobody hears of the second file.
  await expect(sniff(() => Promise.reject(new Error('killed')))).rejects.toThrow('killed');
  expect(await queueStale(db, true)).toBe(2);
  expect(await x.read(library)).toEqual(['extracted', 'extracted']);
  expect(await queueStale(db, true)).toBe(0);
});
