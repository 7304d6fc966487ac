import { chmodSync, chownSync, mkdirSync, renameSync, symlinkSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { type WalkBatch, walkInThreads } from '@catalog/scanner';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addPerson } from '../../../test/catalog-rows.ts';
import { addLibrary, items, scan, tree } from '../scan/library.fixture.ts';
import { setAcl } from './acl-tree.fixture.ts';
import { permissionChecks } from './checks.ts';
import { deleteUnusedClasses, markUnusedClasses, purgePermissionChanges } from './store.ts';

let t: TestApp;
beforeAll(async () => {
  t = await createTestApp();
});
afterAll(() => t.close());
const root = process.getuid?.() === 0;

async function library(files: Record<string, string>, fields: Record<string, unknown> = {}) {
  const folder = tree(files);
  chmodSync(folder, 0o755);
  const id = await addLibrary(t.deps.db, folder, fields);
  return { folder, id, at: (name: string) => path.join(folder, name) };
}

const permissions = async (id: string, name: string) => {
  const item = (await items(t.deps.db, id))[name];
  return (await t.request('GET', `/items/${item?.id}/permissions`)).json();
};
const check = async (id: string, name: string, principal: string) => {
  const item = (await items(t.deps.db, id))[name];
  return (await t.request('GET', `/items/${item?.id}/permissions/check?principal=${encodeURIComponent(principal)}`)).json();
};
const violations = async () => (await Promise.all(permissionChecks.map((each) => each.run(t.deps)))).flat();

test('a scan records owner, group, mode and access control list of every file', async () => {
  const { id, at } = await library({ 'a/open.txt': '1', 'a/closed.txt': '2' });
  chmodSync(at('a/open.txt'), 0o644);
  chmodSync(at('a/closed.txt'), 0o640);
  setAcl(at('a/closed.txt'), 'access', [
    ['owner', 6],
    ['user', 6, 65_534],
    ['group_owner', 4],
    ['mask', 4],
    ['other', 0],
  ]);
  symlinkSync('open.txt', at('a/link.txt'));
  await scan(t.deps.db, id);
  const open = await permissions(id, 'a/open.txt');
  expect(open).toMatchObject({
    state: 'collected',
    world_readable: true,
    record: { fidelity: 'posix_mode_only', mode: 'rw-r--r--', owner: { id: `uid:${process.getuid?.()}` } },
    history: [],
  });
  const closed = await permissions(id, 'a/closed.txt');
  expect(closed).toMatchObject({ world_readable: false, record: { fidelity: 'full_native' } });
  // The mask leaves nobody's entry with reading only.
  expect(closed.record.entries[1]).toMatchObject({
    principal: { id: 'uid:65534', name: 'nobody' },
    verbs: ['read'],
    raw_mask: 6,
    scope: 'this',
  });
  expect((await permissions(id, 'a/link.txt')).state).toBe('symlink');
  expect(await violations()).toEqual([]);
});

/** The batches of a walk as threads of equal speed would send them: one of each part in turn, from when the part was handed over. */
function alternating(batches: readonly WalkBatch[]): WalkBatch[] {
  const left = Map.groupBy(batches, ({ part }) => part);
  const open = [0];
  const result: WalkBatch[] = [];
  for (let part = open.shift(); part !== undefined; part = open.shift()) {
    const batch = left.get(part)?.shift();
    if (!batch) continue;
    result.push(batch);
    if (batch.handedOver) open.push(batch.handedOver.part);
    open.push(part);
  }
  return result;
}

test('threads that share a walk find the same closed folders as one', async () => {
  // Many folders, so that the first thread has more than it may send ahead and hands some over.
  const branches = Array.from({ length: 40 }, (_, branch) => `branch-${branch}/inner`);
  const { id, at } = await library(
    Object.fromEntries(branches.flatMap((branch) => Array.from({ length: 40 }, (_, leaf) => [`${branch}/leaf-${leaf}/file.txt`, '']))),
  );
  for (const [n, branch] of branches.entries()) {
    chmodSync(at(path.dirname(branch)), n % 3 === 0 ? 0o700 : 0o755);
    chmodSync(at(branch), n % 4 === 0 ? 0o710 : 0o755);
    chmodSync(at(`${branch}/leaf-7`), 0o750);
  }
  const access = async () =>
    (await sql`select rel_path, access_class from items where library_id = ${id} order by 1`.execute(t.deps.db)).rows;
  await scan(t.deps.db, id);
  const alone = await access();
  await sql`update items set access_class = null where library_id = ${id}`.execute(t.deps.db);
  await sql`update folders set acl_id = null, path_id = null, fingerprint = null where library_id = ${id}`.execute(t.deps.db);
  await scan(t.deps.db, id, {
    deps: {
      async *startWalk(options) {
        const batches: WalkBatch[] = [];
        for await (const batch of walkInThreads(options)) batches.push(batch);
        expect(batches.some(({ part }) => part > 0)).toBe(true);
        yield* alternating(batches);
      },
    },
  });
  expect(await access()).toEqual(alone);
  expect(await violations()).toEqual([]);
});

test('every answer says why: which entry of the file, or which folder on the way, decided', async () => {
  const { id, at } = await library({ 'private/inner/letter.txt': '1', 'shared.txt': '2' });
  chmodSync(at('private/inner/letter.txt'), 0o644);
  chmodSync(at('private'), 0o700);
  setAcl(at('shared.txt'), 'access', [
    ['owner', 6],
    ['user', 6, 65_534],
    ['group_owner', 4],
    ['mask', 4],
    ['other', 0],
  ]);
  await scan(t.deps.db, id);
  expect((await check(id, 'private/inner/letter.txt', 'nobody')).read).toMatchObject({
    allowed: false,
    folder: { path: 'private' },
    sentence: 'nobody cannot read this file, because nobody may not enter the folder private.',
  });
  const shared = await check(id, 'shared.txt', 'nobody');
  expect(shared.read).toMatchObject({ allowed: true, sentence: 'nobody can read this file given to nobody.' });
  expect(shared.write).toMatchObject({ allowed: false, masked: true });
  expect((await check(id, 'shared.txt', 'everyone')).read.allowed).toBe(false);
  expect((await check(id, 'shared.txt', 'uid:4711')).read.sentence).toContain('everyone else');
  expect((await check(id, 'shared.txt', 'no-such-name')).detail).toContain('No user or group is named');
});

test('equal access control lists are stored once', async () => {
  const { id } = await library(Object.fromEntries(Array.from({ length: 300 }, (_, at) => [`many/${at % 10}/${at}.txt`, 'x'])));
  const count = async () => Number((await sql<{ n: number }>`select count(*) n from access_classes`.execute(t.deps.db)).rows[0]?.n);
  const before = await count();
  await scan(t.deps.db, id);
  expect((await count()) - before).toBeLessThanOrEqual(1);
});

test('an unchanged re-collection writes nothing; a change is kept with before and after', async () => {
  const { id, at } = await library({ 'x.txt': '1', 'y.txt': '2' });
  chmodSync(at('x.txt'), 0o644);
  await scan(t.deps.db, id);
  await scan(t.deps.db, id);
  expect((await permissions(id, 'x.txt')).history).toEqual([]);
  chmodSync(at('x.txt'), 0o600);
  await scan(t.deps.db, id);
  const { history, since } = await permissions(id, 'x.txt');
  expect(history).toHaveLength(1);
  expect(history[0]).toMatchObject({ folder: null, summary: '~allow root: read -> nothing; ~allow Everyone: read -> nothing' });
  expect(since).toBe(history[0].changed_at);
  expect((await permissions(id, 'y.txt')).history).toEqual([]);
});

test('a change counts the people who gained or lost access through the folders as they were then', async () => {
  const { id, at } = await library({ 'shut/x.txt': '1', 'open/x.txt': '2' });
  for (const folder of ['shut', 'open']) chmodSync(at(`${folder}/x.txt`), 0o600);
  chmodSync(at('shut'), 0o700);
  await scan(t.deps.db, id);
  for (const folder of ['shut', 'open']) chmodSync(at(`${folder}/x.txt`), 0o644);
  await scan(t.deps.db, id);
  const [opened] = (await permissions(id, 'open/x.txt')).history;
  expect(opened.gained).toBeGreaterThan(0);
  expect((await permissions(id, 'shut/x.txt')).history[0]).toMatchObject({ folder: null, gained: 0, lost: 0 });
  chmodSync(at('shut'), 0o755);
  await scan(t.deps.db, id);
  const [folder, file] = (await permissions(id, 'shut/x.txt')).history;
  expect(folder).toMatchObject({ folder: 'shut', gained: opened.gained, lost: 0 });
  expect(file).toMatchObject({ folder: null, gained: 0, lost: 0 });
});

test('the newest snapshots per path are kept, as SVC_PERMISSION_SNAPSHOTS_RETAIN says', async () => {
  const { id, at } = await library({ 'x.txt': '1' });
  for (const mode of [0o600, 0o640, 0o644, 0o664]) {
    chmodSync(at('x.txt'), mode);
    await scan(t.deps.db, id);
  }
  expect((await permissions(id, 'x.txt')).history).toHaveLength(3);
  await purgePermissionChanges(t.deps.db, 3);
  const { history } = await permissions(id, 'x.txt');
  expect(history.map(({ lines }: { lines: { verbs: string[] }[] }) => lines.at(-1)?.verbs.join(' '))).toEqual(['read write', 'read']);
});

test('a folder that is closed hides everything below it, although nothing there was changed', async () => {
  const { id, at } = await library({ 'top/a/one.txt': '1', 'top/b c/two.txt': '2', 'other.txt': '3' });
  await scan(t.deps.db, id);
  expect((await permissions(id, 'top/a/one.txt')).world_readable).toBe(true);
  chmodSync(at('top'), 0o750);
  const run = await scan(t.deps.db, id, { scope: 'top', recursive: false });
  expect(run.status).toBe('finished');
  for (const name of ['top/a/one.txt', 'top/b c/two.txt']) expect((await permissions(id, name)).world_readable).toBe(false);
  expect((await permissions(id, 'other.txt')).world_readable).toBe(true);
  expect((await permissions(id, 'top/a/one.txt')).history[0]).toMatchObject({ folder: 'top' });
  await scan(t.deps.db, id);
  expect(await violations()).toEqual([]);
  chmodSync(at('top'), 0o755);
  await scan(t.deps.db, id);
  expect((await permissions(id, 'top/a/one.txt')).world_readable).toBe(true);
  expect(await violations()).toEqual([]);
});

test('a new file below folders that did not change is hidden by a closed one among them', async () => {
  const { id, at } = await library({ 'closed/open/deep/old.txt': '1', 'other/deep/old.txt': '2' });
  chmodSync(at('closed'), 0o700);
  await scan(t.deps.db, id);
  for (const name of ['closed/open/deep/new.txt', 'other/deep/new.txt']) writeFileSync(at(name), '3', { mode: 0o644 });
  await scan(t.deps.db, id);
  expect((await permissions(id, 'closed/open/deep/new.txt')).world_readable).toBe(false);
  expect((await permissions(id, 'other/deep/new.txt')).world_readable).toBe(true);
  expect(await violations()).toEqual([]);
});

test('folders above the library count', async () => {
  const { id, folder } = await library({ 'in/file.txt': '1' });
  const inner = await addLibrary(t.deps.db, path.join(folder, 'in'));
  chmodSync(folder, 0o700);
  await scan(t.deps.db, inner);
  expect((await permissions(inner, 'file.txt')).world_readable).toBe(false);
  expect((await check(inner, 'file.txt', 'nobody')).read.folder).toEqual({ path: null });
  expect(id).not.toBe(inner);
});

test.skipIf(!root)('a moved file takes the permissions of its new place (needs root)', async () => {
  const { id, at } = await library({ 'from/file.txt': 'content of the file' });
  mkdirSync(at('closed'));
  chmodSync(at('closed'), 0o700);
  chownSync(at('closed'), 65_534, 65_534);
  await scan(t.deps.db, id);
  renameSync(at('from/file.txt'), at('closed/file.txt'));
  await scan(t.deps.db, id);
  expect((await check(id, 'closed/file.txt', 'nobody')).read.allowed).toBe(true);
  expect((await check(id, 'closed/file.txt', 'everyone')).read.allowed).toBe(false);
});

test('permissions are not collected where the library says so, and are forgotten when it is turned off', async () => {
  const { id, at } = await library({ 'x.txt': '1' }, { permissions_enabled: false });
  await scan(t.deps.db, id);
  expect((await permissions(id, 'x.txt')).state).toBe('off');
  const turn = (on: boolean) => t.request('PATCH', `/libraries/${id}`, { permissions_enabled: on });
  expect((await turn(true)).statusCode).toBe(200);
  expect((await permissions(id, 'x.txt')).state).toBe('not_yet');
  await scan(t.deps.db, id);
  expect((await permissions(id, 'x.txt')).state).toBe('collected');
  await turn(false);
  writeFileSync(at('y.txt'), '2');
  await scan(t.deps.db, id);
  expect((await permissions(id, 'x.txt')).state).toBe('off');
});

test('what a person can read is counted folder by folder, with the reason', async () => {
  const { id, at } = await library({ 'open/a.txt': '1', 'open/deep/b.txt': '2', 'closed/c.txt': '3', 'top.txt': '4' });
  for (const name of ['open/a.txt', 'open/deep/b.txt', 'closed/c.txt', 'top.txt']) chmodSync(at(name), 0o644);
  chmodSync(at('closed'), 0o700);
  await scan(t.deps.db, id);
  const level = async (query: string) => (await t.request('GET', `/permissions/readable-folders?${query}`)).json();
  const libraries = (await level('principal=nobody')).children as { library_id: string }[];
  expect(libraries.find(({ library_id }) => library_id === id)).toMatchObject({ files: 4, allowed: 3, has_children: true });
  const inside = await level(`principal=nobody&library_id=${id}`);
  expect(inside).toMatchObject({ principal: { name: 'nobody' }, files: 4, allowed: 3, truncated: false });
  expect(inside.children).toMatchObject([
    { folder: 'closed', files: 1, allowed: 0, has_children: false, why: 'May not enter' },
    { folder: 'open', files: 2, allowed: 2, has_children: true, why: 'Everyone' },
    { folder: '', own_files: true, files: 1, allowed: 1 },
  ]);
  // The totals are those of all folders, however many are shown.
  expect(await level(`principal=nobody&library_id=${id}&limit=1`)).toMatchObject({ files: 4, allowed: 3, truncated: true });
  const deeper = await level(`principal=nobody&library_id=${id}&parent=open`);
  expect(deeper.children).toMatchObject([
    { folder: 'open/deep', files: 1 },
    { folder: 'open', own_files: true, files: 1 },
  ]);
  expect(await level(`principal=nobody&library_id=${id}&right=write`)).toMatchObject({ files: 4, allowed: 0 });
  expect((await t.request('GET', '/permissions/readable-folders?principal=nobody&parent=x')).statusCode).toBe(422);
  const { key } = await addPerson(t.deps, [[id, '', 'search_metadata']]);
  expect((await t.request('GET', '/permissions/readable-folders?principal=nobody', undefined, { as: key })).json()).toMatchObject({
    files: 0,
    children: [],
  });
});

test('seeing permissions is a right of its own', async () => {
  const { id } = await library({ 'x.txt': '1' });
  await scan(t.deps.db, id);
  const item = (await items(t.deps.db, id))['x.txt'];
  const plain = await addPerson(t.deps, [[id, '', 'search_metadata']]);
  const auditor = await addPerson(t.deps, [
    [id, '', 'search_metadata'],
    [id, '', 'view_permissions'],
  ]);
  const stranger = await addPerson(t.deps, []);
  const statusFor = async (key: string) => (await t.request('GET', `/items/${item?.id}/permissions`, undefined, { as: key })).statusCode;
  expect(await Promise.all([plain.key, auditor.key, stranger.key].map(statusFor))).toEqual([403, 200, 404]);
});

test('an access class that no file has is deleted a day later, and comes back when a scan needs it', async () => {
  const { id, at } = await library({ 'once.txt': '1' });
  const classOf = async () =>
    (await sql<{ access_class: number }>`select access_class from items where library_id = ${id}`.execute(t.deps.db)).rows[0]?.access_class;
  chmodSync(at('once.txt'), 0o651);
  await scan(t.deps.db, id);
  const first = await classOf();
  chmodSync(at('once.txt'), 0o644);
  await scan(t.deps.db, id);
  const known = async () => (await sql`select id from access_classes where id = ${first}`.execute(t.deps.db)).rows.length;
  const day = 86_400_000;
  const [now, later] = [new Date(), new Date(Date.now() + 2 * day)];
  await markUnusedClasses(t.deps.db, now);
  await deleteUnusedClasses(t.deps.db, new Date(now.getTime() - day));
  expect(await known()).toBe(1);
  // Used again before the day is over: it stays.
  chmodSync(at('once.txt'), 0o651);
  await scan(t.deps.db, id);
  await deleteUnusedClasses(t.deps.db, later);
  expect([await known(), await classOf()]).toEqual([1, first]);
  chmodSync(at('once.txt'), 0o644);
  await scan(t.deps.db, id);
  await markUnusedClasses(t.deps.db, now);
  await deleteUnusedClasses(t.deps.db, later);
  expect(await known()).toBe(0);
  chmodSync(at('once.txt'), 0o651);
  await scan(t.deps.db, id);
  expect(await violations()).toEqual([]);
});
