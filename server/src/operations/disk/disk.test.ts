import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addItem, addLibrary } from '../../../test/catalog-rows.ts';
import { performTask } from '../../../test/perform.ts';
import { queueExtraction } from '../../content/pipeline/index.ts';
import { openExtraction } from '../../content/pipeline/tasks.ts';
import { createThumbStore } from '../../content/thumbs/index.ts';
import type { Dependencies } from '../../platform/dependencies.ts';
import { settingsForTests } from '../../settings/index.ts';
import { diskMaintenance } from './tasks.ts';

let t: TestApp;
let root: string;
beforeAll(async () => {
  t = await createTestApp();
  root = mkdtempSync(path.join(os.tmpdir(), 'catalog-disk-'));
});
afterAll(async () => {
  await t.close();
  rmSync(root, { recursive: true, force: true });
});

/** Runs the task with other settings and returns its warnings. */
function partsWith(env: Record<string, string>): { parts: Dependencies; warnings: string[] } {
  const warnings: string[] = [];
  const log = { ...t.deps.log, warning: (message: string) => void warnings.push(message) } as Dependencies['log'];
  return { parts: { ...t.deps, log, settings: settingsForTests({ SVC_CONFIG_DIR: t.configDir, ...env }) }, warnings };
}
const taskOf = (parts: Dependencies, key: string) => diskMaintenance(parts).find((each) => each.key === key)!.task;
const full = { SVC_DISK_MIN_FREE_GB: '100000000', SVC_DISK_WARN_FREE_GB: '100000001' };
const key = 'ab'.repeat(16);

test('thumbnails above their budget are logged once an hour, and none is removed', async () => {
  const thumbs = createThumbStore({ folder: path.join(t.configDir, 'thumbs') });
  await thumbs.write(key, { grid: Buffer.alloc(2000), preview: Buffer.alloc(2000) });
  const { parts, warnings } = partsWith({ SVC_THUMBNAIL_BUDGET_GB: '0.000001', SVC_DISK_MONITOR_ENABLED: 'false' });
  const monitor = taskOf(parts, 'monitor_disk');
  for (let turn = 0; turn < 3; turn++) await performTask(parts, monitor, {});
  expect(warnings).toEqual([expect.stringMatching(/^Thumbnails use .* above the budget/)]);
  expect(await thumbs.has(key)).toBe(true);
});

test('thumbnails that are due are drawn also when the disk is not monitored, but not while thumbnails are switched off', async () => {
  const { db } = t.deps;
  const item = await addItem(t.deps, await addLibrary(t.deps), 'a.png');
  await sql`insert into thumbs_due (item_id) values (${item})`.execute(db);
  const waits = async () => (await sql`select from extract_pending where item_id = ${item}`.execute(db)).rows.length === 1;
  for (const [switchedOff, queued] of [
    ['SVC_THUMBS_ENABLED', false],
    ['SVC_DISK_MONITOR_ENABLED', true],
  ] as const) {
    const { parts } = partsWith({ [switchedOff]: 'false' });
    await performTask(parts, taskOf(parts, 'monitor_disk'), {});
    expect(await waits()).toBe(queued);
  }
  await sql`delete from items where id = ${item}`.execute(db);
});

test('the alert about a low disk ends with it, for each folder on it, and when the folder is not watched any more', async () => {
  const report = async (env: Record<string, string>) => {
    const { parts } = partsWith(env);
    await performTask(parts, taskOf(parts, 'monitor_disk'), {});
    const { rows } = await sql<{ subject: string; status: string }>`with taken as (delete from system_events returning *)
      select subject, status from taken order by id`.execute(t.deps.db);
    return rows.map(({ subject, status }) => `${subject} ${status}`);
  };
  const both = { SVC_DISK_PG_PATH: t.configDir };
  // Both, if another program has written to the disk in between.
  expect(await report({ ...both, ...full })).toContain('config firing');
  expect(
    await report({
      ...both,
      SVC_DISK_WARN_FREE_GB: '0',
      SVC_DISK_WARN_PCT_FREE: '0',
      SVC_DISK_MIN_FREE_GB: '0',
      SVC_DISK_CRIT_PCT_FREE: '0',
    }),
  ).toEqual(['config recovered', 'database recovered']);
  expect(await report({ ...both, ...full, SVC_DISK_MONITOR_ENABLED: 'false' })).toEqual(['config recovered', 'database recovered']);
  expect(await report(full)).toEqual(['database recovered', 'config firing']);
});

test('on a critically full disk cached views are removed, then thumbnails are evicted until the target is free', async () => {
  const thumbs = createThumbStore({ folder: path.join(t.configDir, 'thumbs') });
  await thumbs.write(key, { grid: Buffer.alloc(2000), preview: Buffer.alloc(2000) });
  const drawn = path.join(t.configDir, 'views', 'ab');
  mkdirSync(drawn, { recursive: true });
  writeFileSync(path.join(drawn, `${key}.webp`), 'x');
  const untouched = partsWith(full);
  await performTask(untouched.parts, taskOf(untouched.parts, 'monitor_disk'), {});
  expect(await thumbs.has(key)).toBe(true);
  const { parts, warnings } = partsWith({ ...full, SVC_DISK_GC_TARGET_FREE_GB: '100000000' });
  await performTask(parts, taskOf(parts, 'monitor_disk'), {});
  expect(await thumbs.totals()).toEqual({ files: 0, bytes: 0 });
  expect(await createThumbStore({ folder: path.join(t.configDir, 'views') }).totals()).toEqual({ files: 0, bytes: 0 });
  expect(warnings).toEqual([expect.stringContaining('Disk space is almost used up'), expect.stringMatching(/^Evicted 2 thumbnails/)]);
});

test('extraction pauses on a critically full disk only if the database’s disk is monitored, and that is not a failure', async () => {
  const library = await addLibrary(t.deps, { root_path: root });
  writeFileSync(path.join(root, 'note.txt'), 'A word.');
  const item = await addItem(t.deps, library, 'note.txt', { size: 7, content_hash: 'e'.repeat(64) });
  await queueExtraction(t.deps.db, library, [item]);
  const extracted = async () =>
    (await t.deps.db.selectFrom('items').select('extracted_key').where('id', '=', item).executeTakeFirst())!.extracted_key;
  const perform = async (env: Record<string, string>) => {
    const { parts } = partsWith(env);
    const content = openExtraction(parts);
    try {
      await performTask(parts, content.tasks[0]!, { library_id: library });
    } finally {
      content.stop();
    }
  };
  await expect(perform({ ...full, SVC_DISK_PG_PATH: root })).rejects.toThrow('Rescheduled in');
  expect(await extracted()).toBeNull();
  await perform(full);
  expect(await extracted()).toContain('text@');
});
