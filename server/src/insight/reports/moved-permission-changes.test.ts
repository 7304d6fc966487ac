import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addItem, addLibrary, addPerson } from '../../../test/catalog-rows.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(() => t.close());

test('a file that was moved to a hidden library takes the history of its permissions along', async () => {
  const { db } = t.deps;
  const [seen, hidden] = [await addLibrary(t.deps, { name: 'Seen' }), await addLibrary(t.deps, { name: 'Hidden' })];
  const id = await addItem(t.deps, seen, 'a.txt');
  const there = await addItem(t.deps, hidden, 'secret project/other.txt');
  const list = (mode: number): string =>
    JSON.stringify({ uid: 0, gid: 0, mode, fidelity: 'posix_mode_only', access: null, default: null, nfs: null, nt: null });
  await sql`with lists as (insert into file_acls (digest, acl) values ('\\x01', ${list(0o600)}::jsonb), ('\\x02', ${list(0o644)}::jsonb) returning id)
    insert into permission_changes (library_id, item_id, before_acl, after_acl) select ${seen}, ${id}, min(id), max(id) from lists`.execute(
    db,
  );
  const { key } = await addPerson(t.deps, [
    [seen, '', 'search_metadata'],
    [seen, '', 'view_permissions'],
  ]);
  const rows = async (as?: string) => (await t.request('GET', '/reports/permission_changes', undefined, as ? { as } : {})).json().rows;
  expect(await rows(key)).toMatchObject([{ library: 'Seen', rel_path: 'a.txt' }]);
  await sql`update items set library_id = ${hidden}, folder_id = (select folder_id from items where id = ${there}), filename = 'merger.txt'
    where id = ${id}`.execute(db);
  expect(await rows(key)).toEqual([]);
  expect(await rows()).toMatchObject([{ library: 'Hidden', rel_path: 'secret project/merger.txt' }]);
});
