import { type ChildProcess, spawn } from 'node:child_process';
import { mkdirSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { expect, test } from 'vitest';
import { databaseForTest } from '../../../test/database.ts';
import { addLibrary, items, scan, tree } from './library.fixture.ts';
import { reconcileRuns } from './service.ts';

const kills = process.env['CATALOG_LONG_TESTS'] ? 100 : 8;
const fixture = fileURLToPath(new URL('./scanning-process.fixture.ts', import.meta.url));

/** Starts a scanning process and kills it after this many milliseconds, unless it has ended. */
async function scanAndKill(address: object, libraryId: string, afterMs: number): Promise<'killed' | 'ended'> {
  const child: ChildProcess = spawn(process.execPath, [fixture, JSON.stringify({ address, libraryId, batchSize: 20 })], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const ended = new Promise<NodeJS.Signals | null>((resolve) => child.once('exit', (_code, signal) => resolve(signal)));
  await new Promise<void>((resolve) => child.stdout!.once('data', () => resolve()));
  const timer = setTimeout(() => child.kill('SIGKILL'), afterMs);
  const signal = await ended;
  clearTimeout(timer);
  return signal === 'SIGKILL' ? 'killed' : 'ended';
}

test(`kill -9 at ${kills} random moments: the next run ends as an undisturbed one would, the overlay is untouched, the run is failed`, async () => {
  const { db, address } = await databaseForTest();
  const root = tree();
  const name = (round: number, folder: number, file: number): string => `r${round}-f${folder}/${file}.txt`;
  const fill = (round: number): void => {
    for (let folder = 0; folder < 8; folder += 1) {
      mkdirSync(path.join(root, `r${round}-f${folder}`));
      for (let file = 0; file < 25; file += 1) writeFileSync(path.join(root, name(round, folder, file)), `${round} ${folder} ${file}`);
    }
  };
  fill(0);
  const library = await addLibrary(db, root);
  await scan(db, library);
  await sql`update items set tags = array['of ' || rel_path] where library_id = ${library}`.execute(db);
  const expected = new Map(Object.values(await items(db, library)).map(({ id, tags }) => [id, tags.join()]));
  let cut = 0;
  for (let round = 1; cut < kills; round += 1) {
    // Some folders move, some files are changed, deleted or added; then the scan is killed at a random moment.
    renameSync(path.join(root, `r${round - 1}-f0`), path.join(root, `moved-${round}`));
    for (let file = 0; file < 25; file += 2) writeFileSync(path.join(root, name(round - 1, 1, file)), `changed ${round} ${file}`);
    rmSync(path.join(root, `r${round - 1}-f2`), { recursive: true });
    fill(round);
    const end = await scanAndKill(address, library, Math.floor(Math.random() * 700));
    await sql`update scan_runs set started_at = now() - interval '1 day', heartbeat_at = now() - interval '1 day' where status = 'running'`.execute(
      db,
    );
    await reconcileRuns(db, 600);
    const open = await sql<{ status: string }>`select status from scan_runs where library_id = ${library} order by id desc limit 1`.execute(
      db,
    );
    // A process killed after the end of its run interrupted nothing.
    if (end === 'ended') expect(open.rows[0]!.status).toBe('finished');
    else if (open.rows[0]!.status === 'failed') cut += 1;
    else expect(open.rows[0]!.status).toBe('finished');

    expect(await scan(db, library)).toMatchObject({ status: 'finished', error: null });
    const now = await items(db, library);
    const present = Object.values(now).filter(({ status }) => status === 'active');
    expect(present).toHaveLength(200 + round * 175);
    expect(present.every(({ content_hash, hash_error }) => content_hash !== null && hash_error === null)).toBe(true);
    // Items keep their notes, moved or missing; no other item has any.
    const words = new Map(Object.values(now).map(({ id, tags }) => [id, tags.join()]));
    for (const [id, text] of expected) expect(words.get(id)).toBe(text);
    for (let file = 0; file < 25; file += 1) {
      const moved = now[`moved-${round}/${file}.txt`]!;
      expect(moved.tags.join()).toBe(`of ${name(round - 1, 0, file)}`);
    }
    for (const item of Object.values(now).filter(({ tags }) => tags.length === 0)) {
      await sql`update items set tags = ${[`of ${item.rel_path}`]} where id = ${item.id}`.execute(db);
      expected.set(item.id, `of ${item.rel_path}`);
    }
  }
  const runs = await sql<{ n: number }>`select count(*) as n from scan_runs where status = 'failed' and error_code = 'worker_gone'`.execute(
    db,
  );
  expect(runs.rows[0]!.n).toBe(cut);
}, 1_800_000);
