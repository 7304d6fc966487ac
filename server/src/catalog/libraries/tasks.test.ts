import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addItem, addLibrary } from '../../../test/catalog-rows.ts';
import { performTask } from '../../../test/perform.ts';
import { until } from '../../../test/service.ts';
import { removeLibraryTask } from './tasks.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(() => t.close());

test('a file that a scan moves to another library while its old one is removed keeps its item', async () => {
  const { db } = t.deps;
  const [removed, kept] = [await addLibrary(t.deps), await addLibrary(t.deps)];
  const moved = await addItem(t.deps, removed, 'moved.txt', { tags: ['mine'] });
  await addItem(t.deps, removed, 'stays.txt');
  await addItem(t.deps, kept, 'other.txt');
  await sql`update all_libraries set removed_at = now(), enabled = false where id = ${removed}`.execute(db);
  const removal = await db.transaction().execute(async (tx) => {
    await sql`update items i set library_id = o.library_id, folder_id = o.folder_id from items o
      where i.id = ${moved} and o.library_id = ${kept}`.execute(tx);
    const done = performTask(t.deps, removeLibraryTask, { library_id: removed });
    await until(async () => {
      const { rows } = await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db);
      return rows.length > 0;
    }, 'the removal to wait for the move');
    return { done };
  });
  await removal.done;
  const { rows } = await sql`select rel_path, tags, library_id from items order by rel_path`.execute(db);
  expect(rows).toEqual([
    { rel_path: 'moved.txt', tags: ['mine'], library_id: kept },
    { rel_path: 'other.txt', tags: [], library_id: kept },
  ]);
});
