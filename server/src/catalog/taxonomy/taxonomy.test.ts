import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addItem, addLibrary } from '../../../test/catalog-rows.ts';
import { performTask } from '../../../test/perform.ts';
import { statusOf } from '../../platform/http/index.ts';
import { checkTaxonomyKeys, loadTaxonomy, taxonomyVersion } from './live.ts';
import { seedTaxonomy } from './seed.ts';
import { reclassifyTask } from './tasks.ts';
import { taxonomyMaintenance } from './upkeep.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(() => t.close());
beforeEach(async () => {
  await seedTaxonomy(t.deps.db, { everything: true });
});

interface Tree {
  version: number;
  reclassified_version: number;
  tree: { key: string; extractor: string | null; groups: { key: string; extensions: string[] }[] }[];
}
const tree = async (): Promise<Tree> => (await t.request('GET', '/taxonomy')).json();
const groupOf = async (ext: string): Promise<string | undefined> =>
  (await tree()).tree.flatMap(({ groups }) => groups).find(({ extensions }) => extensions.includes(ext))?.key;

test('the shipped registry has 1358 extensions in 37 groups of 9 categories and is listed at /system/file-groups', async () => {
  const groups = (await t.request('GET', '/system/file-groups', undefined, { as: 'read' })).json() as {
    file_category: string;
    extensions: string[];
  }[];
  expect(groups).toHaveLength(37);
  expect(new Set(groups.flatMap(({ extensions }) => extensions)).size).toBe(1358);
  expect(new Set(groups.map(({ file_category }) => file_category)).size).toBe(9);
});

test('the taxonomy starts as the built-in one', async () => {
  const { tree: live } = await tree();
  expect(live.map(({ key, extractor }) => [key, extractor])).toEqual([
    ['image', 'image'],
    ['audio', 'audio'],
    ['video', 'video'],
    ['document', 'document'],
    ['three-d-cad', 'model3d'],
    ['development', null],
    ['archive', null],
    ['system', null],
    ['other', null],
  ]);
  expect(live.flatMap(({ groups }) => groups).flatMap(({ extensions }) => extensions)).toHaveLength(1358);
});

test('categories and groups are created, changed and deleted; each change increases the version', async () => {
  const before = await taxonomyVersion(t.deps.db);
  const made = await t.request('POST', '/taxonomy/categories', { key: 'maps', label: 'Maps', extractor: 'image' });
  expect([made.statusCode, made.json()]).toEqual([
    201,
    { key: 'maps', label: 'Maps', description: '', extractor: 'image', sort_order: 0, is_builtin: false, version: before + 1 },
  ]);
  expect((await t.request('POST', '/taxonomy/categories', { key: 'maps', label: 'Again' })).json().code).toBe('name_taken');
  expect((await t.request('PATCH', '/taxonomy/categories/maps', { label: 'Charts', extractor: null })).json()).toMatchObject({
    label: 'Charts',
    extractor: null,
  });
  expect((await t.request('POST', '/taxonomy/groups', { key: 'sea-charts', label: 'Sea charts', category: 'maps' })).statusCode).toBe(201);
  expect((await t.request('POST', '/taxonomy/groups', { key: 'x', label: 'X', category: 'nowhere' })).json().code).toBe('taxonomy_unknown');
  expect((await t.request('DELETE', '/taxonomy/categories/maps')).json()).toMatchObject({ status: 409, code: 'taxonomy_in_use' });
  expect((await t.request('POST', '/taxonomy/groups/sea-charts/extensions', { ext: 'kap' })).statusCode).toBe(200);
  expect((await t.request('DELETE', '/taxonomy/groups/sea-charts')).json()).toMatchObject({ status: 409, code: 'taxonomy_in_use' });
  expect((await t.request('DELETE', '/taxonomy/groups/sea-charts/extensions/KAP')).json()).toMatchObject({ removed: 'kap' });
  expect((await t.request('DELETE', '/taxonomy/groups/sea-charts')).json()).toMatchObject({ deleted: 'sea-charts' });
  expect((await t.request('DELETE', '/taxonomy/categories/maps')).json()).toMatchObject({ deleted: 'maps' });
  expect((await t.request('PATCH', '/taxonomy/categories/maps', { label: 'x' })).statusCode).toBe(404);
  expect(await taxonomyVersion(t.deps.db)).toBe(before + 7);
});

test('the category and group other hold unknown files and cannot be deleted', async () => {
  expect((await t.request('DELETE', '/taxonomy/categories/other')).statusCode).toBe(409);
  expect((await t.request('DELETE', '/taxonomy/groups/other')).statusCode).toBe(409);
  expect((await t.request('PATCH', '/taxonomy/groups/other', { category: 'image' })).statusCode).toBe(409);
});

test('an extension is added in any case and moved from the group that has it', async () => {
  const added = await t.request('POST', '/taxonomy/groups/video/extensions', { ext: '.STL' });
  expect(added.json()).toMatchObject({ ext: 'stl', group: 'video', previous_group: '3d-model' });
  expect(await groupOf('stl')).toBe('video');
  expect((await t.request('DELETE', '/taxonomy/groups/3d-model/extensions/stl')).statusCode).toBe(404);
  await t.request('POST', '/taxonomy/groups/3d-model/extensions', { ext: 'stl' });
  for (const ext of ['', 'a b', 'a.b', 'ä', 'x'.repeat(33)])
    expect((await t.request('POST', '/taxonomy/groups/video/extensions', { ext })).statusCode, ext).toBe(422);
  expect((await t.request('POST', '/taxonomy/groups/nowhere/extensions', { ext: 'abc' })).statusCode).toBe(404);
});

test('what an administrator deleted stays deleted through every bootstrap, until the built-in rows are restored', async () => {
  await t.request('DELETE', '/taxonomy/groups/log/extensions/evtx');
  const version = await taxonomyVersion(t.deps.db);
  expect(await seedTaxonomy(t.deps.db)).toEqual({ categories: [], groups: [], extensions: [] });
  expect(await taxonomyVersion(t.deps.db)).toBe(version);
  expect(await groupOf('evtx')).toBeUndefined();
  expect((await t.request('POST', '/taxonomy/sync-seed?dry_run=true')).json()).toMatchObject({
    dry_run: true,
    extensions: ['evtx'],
    version,
  });
  expect(await groupOf('evtx')).toBeUndefined();
  expect((await t.request('POST', '/taxonomy/sync-seed')).json()).toMatchObject({ extensions: ['evtx'] });
  expect(await groupOf('evtx')).toBe('log');
});

test('the upkeep adopts shipped extensions, adds only, and applies a change whose job is gone', async () => {
  const { db } = t.deps;
  const run = async (): Promise<unknown> => {
    let outcome: unknown;
    const progress = (value: Record<string, unknown>) => {
      outcome = value['outcome'];
    };
    await performTask(t.deps, taxonomyMaintenance[0]!.task, {}, { progress });
    return outcome;
  };
  await performTask(t.deps, reclassifyTask, {});
  expect(await run()).toBe('Every file has the current types.');
  // As after an update that ships a new extension: it was never seeded before.
  await sql`delete from extensions where ext = 'evtx'`.execute(db);
  await sql`update service_state set value = value - 'ext:evtx' where key = 'taxonomy_seeded'`.execute(db);
  expect(await run()).toMatch(/^New file types: 1\. (Started to apply version|Version \d+ of the file types is already)/);
  expect(await groupOf('evtx')).toBe('log');
  await sql`delete from jobs where task = 'reclassify_extensions'`.execute(db);
  expect(await run()).toMatch(/^Started to apply version/);
  expect((await sql`select from jobs where task = 'reclassify_extensions' and state = 'todo'`.execute(db)).rows).toHaveLength(1);
  await t.request('DELETE', '/taxonomy/groups/log/extensions/evtx');
  await run();
  expect(await groupOf('evtx'), 'removed by an administrator').toBeUndefined();
});

test('a loaded taxonomy follows every change', async () => {
  const { db } = t.deps;
  const first = await loadTaxonomy(db);
  expect(await loadTaxonomy(db)).toBe(first);
  expect(first.map.get('kap')).toBeUndefined();
  await t.request('POST', '/taxonomy/groups/cad/extensions', { ext: 'kap' });
  expect((await loadTaxonomy(db)).map.get('kap')).toEqual({ category: 'three-d-cad', group: 'cad' });
});

test('an unknown category or group in a filter is a 422 that names the known ones, never silently dropped', async () => {
  const { db } = t.deps;
  await checkTaxonomyKeys(db, { categories: ['image'], groups: ['pdf', '3d-model'] });
  await expect(checkTaxonomyKeys(db, { categories: ['image', 'imgae'] })).rejects.toMatchObject({
    code: 'taxonomy_unknown',
    extras: { errors: [{ loc: ['query', 'category'] }] },
  });
  await expect(checkTaxonomyKeys(db, { groups: ['pfd'] })).rejects.toThrow(/"pfd".*pdf/);
  expect(statusOf.taxonomy_unknown).toBe(422);
});

test('every route that filters by category or group refuses an unknown name', async () => {
  for (const route of [
    '/items?category=imgae',
    '/items?group=pfd',
    '/items?category=image&category=imgae',
    '/search?file_category=imgae',
    '/search?file_group=pfd',
    '/search/tags?file_category=imgae',
    '/custom-fields?applies_to=imgae',
  ]) {
    const answer = await t.request('GET', route);
    expect(answer.json(), route).toMatchObject({ status: 422, code: 'taxonomy_unknown' });
  }
});

test('a change reclassifies existing items and queues them for the search index', async () => {
  const { db } = t.deps;
  const names = ['a.stl', 'b.tar.kap', 'c.tar.gz', 'd.unknown', 'e'];
  const { rows } = await sql<{ id: string }>`insert into libraries (name, root_path) values ('r', '/r') returning id`.execute(db);
  const library = rows[0]!.id;
  const folder = await sql<{
    id: number;
  }>`insert into folders (library_id, rel_path, path) values (${library}, '', 'r') returning id`.execute(db);
  for (const name of names)
    await sql`insert into items (library_id, folder_id, filename, extension, size, mtime_ns, file_category, file_group)
      values (${library}, ${folder.rows[0]!.id}, ${name}, ${name.includes('.') ? name.slice(2) : null}, 1, 1, 'system', 'log')`.execute(db);
  await t.request('POST', '/taxonomy/groups/video/extensions', { ext: 'stl' });
  await sql`delete from index_outbox`.execute(db);
  await performTask(t.deps, reclassifyTask, { version: await taxonomyVersion(db) });
  const items = await sql<{
    filename: string;
    kind: string;
  }>`select filename, file_category || ' ' || file_group kind from items order by filename`.execute(db);
  expect(items.rows.map(({ kind }) => kind)).toEqual(['video video', 'archive archive', 'archive archive', 'other other', 'system log']);
  const noted = await sql<{ count: number }>`select count(*) from index_outbox`.execute(db);
  expect(noted.rows[0]!.count).toBe(4);
  const { version, reclassified_version } = await tree();
  expect(reclassified_version).toBe(version);

  await sql`delete from index_outbox`.execute(db);
  await performTask(t.deps, reclassifyTask, {});
  expect((await sql<{ count: number }>`select count(*) from index_outbox`.execute(db)).rows[0]!.count).toBe(0);
});

test('a file that gets another extension while types are applied keeps the type of the new one', async () => {
  const { db } = t.deps;
  const library = await addLibrary(t.deps, { name: 'Renamed meanwhile' });
  const id = await addItem(t.deps, library, 'a.jpg', { extension: 'jpg', file_category: 'other', file_group: 'other' });
  let applying: Promise<unknown> | undefined;
  await db.transaction().execute(async (tx) => {
    await sql`update items set filename = 'a.pdf', extension = 'pdf', file_category = 'document', file_group = 'pdf' where id = ${id}`.execute(
      tx,
    );
    applying = performTask(t.deps, reclassifyTask, {});
    await expect
      .poll(
        async () =>
          (
            await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'
              and query like '%reclassified%'`.execute(db)
          ).rows.length,
        { timeout: 20_000 },
      )
      .toBe(1);
  });
  await applying;
  const { rows } = await sql`select extension, file_category from items where id = ${id}`.execute(db);
  expect(rows).toEqual([{ extension: 'pdf', file_category: 'document' }]);
});
