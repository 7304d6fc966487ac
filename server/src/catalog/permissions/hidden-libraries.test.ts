import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addItem, addLibrary, addPerson } from '../../../test/catalog-rows.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(() => t.close());

test('changes for a person do not name the hidden library where a file was', async () => {
  const { db } = t.deps;
  const [hidden, seen] = [await addLibrary(t.deps, { name: 'Merger with Falcon' }), await addLibrary(t.deps, { name: 'Seen' })];
  const id = await addItem(t.deps, hidden, 'secret/a.txt');
  const there = await addItem(t.deps, seen, 'pub/other.txt');
  const list = (mode: number): string =>
    JSON.stringify({ uid: 0, gid: 0, mode, fidelity: 'posix_mode_only', access: null, default: null, nfs: null, nt: null });
  await sql`with lists as (insert into file_acls (digest, acl) values ('\\x01', ${list(0o600)}::jsonb), ('\\x02', ${list(0o644)}::jsonb) returning id),
    p as (insert into access_paths (acl_ids) values ('{}') returning id),
    c as (insert into access_classes (acl_id, path_id) select max(lists.id), (select id from p) from lists returning id),
    u as (insert into permission_changes (library_id, item_id, before_acl, after_acl) select ${hidden}, ${id}, min(id), max(id) from lists)
    select 1`.execute(db);
  await sql`update items set access_class = (select max(id) from access_classes), library_id = ${seen}, folder_id = (select folder_id from items where id = ${there}) where id = ${id}`.execute(
    db,
  );
  const { key } = await addPerson(t.deps, [
    [seen, '', 'search_metadata'],
    [seen, '', 'view_permissions'],
  ]);
  const answer = (await t.request('GET', '/permissions/person-changes?principal=everyone', undefined, { as: key })).json();
  expect(JSON.stringify(answer)).not.toContain('Falcon');
  expect(JSON.stringify(answer)).not.toContain(hidden);
});

test('a person without any grant learns nothing about groups of people, nor network addresses of hidden libraries', async () => {
  const { key } = await addPerson(t.deps, []);
  const library = await addLibrary(t.deps, { name: 'Falcon', root_path: '/mnt/board/falcon' });
  const answer = (await t.request('GET', '/permissions/readable-folders?principal=daemon', undefined, { as: key })).json();
  expect.soft(answer.groups).toEqual([]);
  const entries = [{ container_prefix: '/mnt/board/falcon', share_url: 'smb://board.internal/merger-falcon' }];
  const put = await t.request('PUT', '/system/share-map', { entries });
  expect(put.statusCode, put.body).toBe(200);
  expect.soft((await t.request('GET', '/system/share-map', undefined, { as: key })).body).not.toContain('falcon');
  const sees = await addPerson(t.deps, [[library, '', 'search_metadata']]);
  expect((await t.request('GET', '/system/share-map', undefined, { as: sees.key })).body).toContain('falcon');
});
