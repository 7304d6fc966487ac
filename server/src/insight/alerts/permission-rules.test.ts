import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { addItem, addLibrary, addPerson } from '../../../test/catalog-rows.ts';
import { type AlertsApp, createAlertsApp } from './alerts.fixture.ts';

let t: AlertsApp;
let library: string;
beforeAll(async () => {
  t = await createAlertsApp();
});
afterAll(() => t.close());
beforeEach(async () => {
  await t.reset();
  library = await addLibrary(t.deps, { name: 'Office' });
});

const list = { uid: 0, gid: 0, mode: 0o600, fidelity: 'posix_mode_only', access: null, default: null, nfs: null, nt: null };
async function accessClass(fields: Partial<Record<keyof typeof list, unknown>>): Promise<number> {
  const acl = JSON.stringify({ ...list, ...fields });
  const { rows } = await sql<{ id: number }>`
    with a as (insert into file_acls (digest, acl) values (sha256(${acl}::text::bytea), ${acl}::jsonb) on conflict (digest) do update set digest = excluded.digest returning id),
      p as (insert into access_paths (acl_ids) values ('{}') on conflict (acl_ids) do update set acl_ids = '{}' returning id)
    insert into access_classes (acl_id, path_id) select a.id, p.id from a, p on conflict (acl_id, path_id) do update set unused_since = null returning id`.execute(
    t.deps.db,
  );
  return rows[0]!.id;
}
async function change(paths: string[], before: number, after: number): Promise<void> {
  for (const path of paths) {
    const id = await addItem(t.deps, library, path);
    await sql`update items set access_class = ${before} where id = ${id}`.execute(t.deps.db);
    await sql`update items set access_class = ${after} where id = ${id}`.execute(t.deps.db);
  }
}
const rule = (fields: Record<string, unknown> = {}) => t.rule({ event_types: ['permission_changed'], group_wait_s: 0, ...fields });
const events = async (as?: string) =>
  (await t.request('GET', '/alert-events', undefined, as ? { as } : {})).json() as { message: string; item_id: string }[];

test('a changed list fires permission_changed with what was added and removed; a recursive change is one alert', async () => {
  await rule();
  await change(['hr/a.txt', 'hr/b.txt', 'hr/c.txt'], await accessClass({}), await accessClass({ mode: 0o644 }));
  await t.pump();
  const groups = await t.groups();
  expect(groups).toHaveLength(1);
  expect(groups[0]).toMatchObject({ event_type: 'permission_changed', library_id: library, events: 3 });
  expect((await events()).map(({ message }) => message)).toContain(
    'hr/a.txt: ~allow root: nothing -> read; ~allow Everyone: nothing -> read',
  );
  await t.pump();
  expect((await t.groups())[0]).toMatchObject({ events: 3 });
});

test('a change of fidelity alone is no permission change, and path_glob and library limit a rule', async () => {
  const other = await addLibrary(t.deps);
  await rule({ path_glob: 'hr/**' });
  await rule({ library_id: other });
  const [closed, open] = [await accessClass({}), await accessClass({ mode: 0o644 })];
  await change(['hr/same.txt'], closed, await accessClass({ fidelity: 'unavailable' }));
  await change(['sales/x.txt'], closed, open);
  await t.pump();
  expect(await events()).toEqual([]);
  await change(['hr/new.txt'], closed, open);
  await t.pump();
  expect(await events()).toHaveLength(1);
});

test('an event about permissions is shown only to those who may see permissions', async () => {
  await rule();
  await change(['hr/a.txt'], await accessClass({}), await accessClass({ mode: 0o644 }));
  await t.pump();
  const without = await addPerson(t.deps, [[library, '', 'search_metadata']]);
  const allowed = await addPerson(t.deps, [
    [library, '', 'search_metadata'],
    [library, '', 'view_permissions'],
  ]);
  expect(await events(without.key)).toEqual([]);
  expect(await events(allowed.key)).toHaveLength(1);
});

test('a change of a file that was moved to another library before it was read belongs to that library', async () => {
  await rule();
  const elsewhere = await addLibrary(t.deps, { name: 'Board' });
  const there = await addItem(t.deps, elsewhere, 'secret/other.txt');
  await change(['a.txt'], await accessClass({}), await accessClass({ mode: 0o644 }));
  await sql`update items set library_id = ${elsewhere}, folder_id = (select folder_id from items where id = ${there})
    where rel_path = 'a.txt'`.execute(t.deps.db);
  await t.pump();
  expect(await t.groups()).toMatchObject([{ library_id: elsewhere, events: 1 }]);
  // A rule of the library where it was does not tell the path where it is.
  await rule({ library_id: library });
  await sql`update permission_changes set alerted = false`.execute(t.deps.db);
  const before = (await t.groups()).length;
  await t.pump();
  expect((await t.groups()).filter(({ library_id }) => library_id === library)).toEqual([]);
  expect(await t.groups()).toHaveLength(before);
});
