import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { SandboxPool, Source } from '@catalog/readers';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { hashPhoto } from '../../../../readers/src/render/photo-hash.ts';
import { drawPhoto, photoVariants } from '../../../../readers/src/render/photo-set.fixture.ts';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addItem, addLibrary, addPerson } from '../../../test/catalog-rows.ts';
import { performTask } from '../../../test/perform.ts';
import { until } from '../../../test/service.ts';
import { duplicateChecks } from '../copies/checks.ts';
import { planChecks } from './checks.ts';
import { plannedCopies } from './query.ts';
import type { KeepRule } from './rules.ts';
import { quoteForShell } from './script.ts';
import { findSimilar } from './similar/find.ts';
import { proveTask, similarMaintenance } from './tasks.ts';
import { planTotals } from './totals.ts';
import { createTotalsCache } from './totals-cache.ts';

let t: TestApp;
let folder: string;
let photos: string;
let backup: string;
let away: string;
const sha = (text: string): string => createHash('sha256').update(text).digest('hex');

/** Writes a file and its item, as a scan would. */
async function addFile(
  library: string,
  relPath: string,
  text: string,
  { day = 1, proven = true, ...fields }: { day?: number; proven?: boolean; tags?: string[]; metadata?: Record<string, unknown> } = {},
): Promise<string> {
  const file = path.join(folder, library === photos ? 'photos' : 'backup', relPath);
  mkdirSync(path.dirname(file), { recursive: true });
  writeFileSync(file, text);
  const mtime = new Date(Date.UTC(2024, 0, day));
  utimesSync(file, mtime, mtime);
  const { ino, dev } = statSync(file);
  const id = await addItem(t.deps, library, relPath, {
    size: text.length,
    mtime,
    content_hash: proven ? sha(text) : null,
    quick_hash: sha(`quick ${text.slice(0, 6)}`).slice(0, 16),
    ...fields,
  });
  await sql`update items set inode = ${ino}, dev = ${dev}, nlink = 1 where id = ${id}`.execute(t.deps.db);
  return id;
}

beforeAll(async () => {
  t = await createTestApp();
  folder = mkdtempSync(path.join(os.tmpdir(), 'catalog-duplicates-'));
  photos = await addLibrary(t.deps, { name: 'Photos', root_path: path.join(folder, 'photos'), native_prefix: '/mnt/host' });
  backup = await addLibrary(t.deps, { name: 'Backup', root_path: path.join(folder, 'backup') });
  away = await addLibrary(t.deps, { name: 'Cold disk', root_path: path.join(folder, 'not there') });
});
afterAll(async () => {
  await t.close();
  rmSync(folder, { recursive: true, force: true });
});

const plan = async (as: string = 'write') => (await t.request('GET', '/duplicates/plan', undefined, { as })).json();
const groups = async (query = '', as: string = 'write') => (await t.request('GET', `/duplicates/groups${query}`, undefined, { as })).json();
const copies = async (key: string, as: string = 'write') =>
  (await t.request('GET', `/duplicates/groups/${key}`, undefined, { as })).json().copies as {
    rel_path: string;
    action: string;
    decided_by: number;
  }[];
const setRules = async (rules: unknown[]) => {
  const response = await t.request('PUT', '/duplicates/plan', { rules }, { as: 'write' });
  expect(response.statusCode, response.body).toBe(200);
  return response.json();
};
const kept = async (key: string): Promise<string> => (await copies(key)).find(({ action }) => action === 'keep')!.rel_path;
const script = () => t.request('GET', '/duplicates/script', undefined, { as: 'write' });

test('keep rules are applied in order, and the first rule that distinguishes the copies decides a group', async () => {
  const text = 'a wedding, all originals';
  await addFile(photos, '2019/wedding.zip', text, { day: 5 });
  await addFile(backup, 'w.zip', text, { day: 9 });
  await addFile(backup, 'laptop/wedding.zip', text, { day: 2, tags: ['keep'] });
  const key = sha(text);
  expect(await kept(key)).toBe('laptop/wedding.zip');
  const ruled = await setRules([{ kind: 'library', library_ids: [photos, backup] }, { kind: 'annotated' }]);
  expect(await kept(key)).toBe('2019/wedding.zip');
  expect(ruled.decided).toEqual([1, 0]);
  await setRules([{ kind: 'library', library_ids: [backup] }, { kind: 'newest' }]);
  expect(await copies(key)).toMatchObject([
    { rel_path: 'w.zip', action: 'keep', decided_by: 2 },
    { rel_path: 'laptop/wedding.zip', action: 'remove' },
    { rel_path: '2019/wedding.zip', action: 'remove' },
  ]);
  await setRules([{ kind: 'oldest' }]);
  expect(await kept(key)).toBe('laptop/wedding.zip');
  await setRules([{ kind: 'shortest_path' }]);
  expect(await kept(key)).toBe('w.zip');
  await setRules([{ kind: 'path', pattern: 'Photos/2019/*' }]);
  expect(await kept(key)).toBe('2019/wedding.zip');
  await setRules([{ kind: 'path', pattern: 'Backup/*', avoid: true }]);
  expect(await kept(key)).toBe('2019/wedding.zip');
  await setRules([]);
  expect(await copies(key)).toMatchObject([{ rel_path: 'laptop/wedding.zip', action: 'keep', decided_by: null }, {}, {}]);
});

test('a copy kept by hand wins over the rules until the choice is taken back', async () => {
  const key = sha('a wedding, all originals');
  await setRules([{ kind: 'oldest' }]);
  const [, , last] = (await t.request('GET', `/duplicates/groups/${key}`, undefined, { as: 'write' })).json().copies;
  expect((await t.request('PUT', `/duplicates/groups/${key}/keep`, { item_id: last.item_id }, { as: 'write' })).statusCode).toBe(204);
  expect(await copies(key)).toMatchObject([{ rel_path: last.rel_path, action: 'keep', decided_by: 0 }, {}, {}]);
  expect(await plan()).toMatchObject({ chosen: 1 });
  // The plan is personal.
  expect((await copies(key, t.keys.admin))[0]!.rel_path).toBe('laptop/wedding.zip');
  await t.request('PUT', `/duplicates/groups/${key}/keep`, { item_id: null }, { as: 'write' });
  expect(await kept(key)).toBe('laptop/wedding.zip');
  const foreign = await addItem(t.deps, photos, 'other.txt');
  expect((await t.request('PUT', `/duplicates/groups/${key}/keep`, { item_id: foreign }, { as: 'write' })).statusCode).toBe(404);
});

test('the plan says what would be freed and whose tags and notes would be orphaned; hard links free nothing', async () => {
  await setRules([{ kind: 'library', library_ids: [photos] }]);
  const text = 'linked three times';
  await addFile(photos, 'links/one', text);
  const two = await addFile(photos, 'links/two', text);
  await addFile(backup, 'links/three', text, { tags: ['mine'] });
  await sql`update items set inode = (select inode from items where rel_path = 'links/one'), nlink = 2 where id = ${two} or rel_path = 'links/one'`.execute(
    t.deps.db,
  );
  expect(await copies(sha(text))).toMatchObject([
    { action: 'keep' },
    { rel_path: 'links/two', action: 'shares_storage' },
    { action: 'remove' },
  ]);
  expect(await plan()).toMatchObject({ frees: 18 + 2 * 24, removed: 3, kept: 2, annotated: 2 });
});

test('files on a disk that is not there are neither kept nor removed', async () => {
  const text = 'on a cold disk, and here';
  await addFile(backup, 'cold.bin', text);
  await addItem(t.deps, away, 'cold.bin', { size: text.length, content_hash: sha(text), quick_hash: 'cold' });
  await setRules([{ kind: 'library', library_ids: [away] }]);
  expect(await copies(sha(text))).toMatchObject([{ action: 'keep' }, { action: 'offline' }]);
  const { groups: found } = await groups();
  expect(found.find(({ key }: { key: string }) => key === sha(text))).toMatchObject({ frees: 0, offline_copies: 1 });
  expect((await plan()).offline).toContain(away);
});

test('sampled matches are apart from proven ones, and a button proves them', async () => {
  await addFile(photos, 'big/one.mov', 'sample first take', { proven: false });
  await addFile(backup, 'big/two.mov', 'sample first take', { proven: false });
  // The same size and samples, but other bytes.
  await addFile(backup, 'big/three.mov', 'sample other take', { proven: false });
  const before = await plan();
  expect(before.tiers.sampled).toEqual({ groups: 1, frees: 34, removed: 2 });
  const [sampled] = (await groups('?tier=sampled')).groups;
  expect(sampled).toMatchObject({ tier: 'sampled', copies: 3, frees: 34 });
  expect((await copies(sampled.key)).map(({ action }) => action)).toEqual(['keep', 'unproven', 'unproven']);
  const { job_id } = (await t.request('POST', '/duplicates/prove', {}, { as: 'write' })).json();
  expect((await t.request('POST', '/duplicates/prove', {}, { as: 'write' })).json().code).toBe('nothing_to_prove');
  expect((await plan()).proof).toMatchObject({ job_id, state: 'todo' });
  const { rows } = await sql<{ payload: never }>`select payload from jobs where id = ${job_id}`.execute(t.deps.db);
  await performTask(t.deps, proveTask(t.deps), rows[0]!.payload);
  const after = await plan();
  expect(after.tiers.sampled).toEqual({ groups: 0, frees: 0, removed: 0 });
  expect(after.tiers.proven.frees).toBe(before.tiers.proven.frees + 17);
  expect((await t.request('DELETE', '/duplicates/prove', undefined, { as: 'write' })).statusCode).toBe(204);
});

test('a script is written only for a reviewed plan, and any change needs another review', async () => {
  expect((await script()).json().code).toBe('plan_not_reviewed');
  const { digest } = await plan();
  const reviewed = await t.request('POST', '/duplicates/plan/review', { digest }, { as: 'write' });
  expect(reviewed.json()).toMatchObject({ reviewed: true, reviewed_by: expect.stringContaining('write') });
  expect((await script()).statusCode).toBe(200);
  const { rows } = await sql<{ name: string }>`select a.name from security_events e join service_accounts a on a.id = e.principal_id
    where e.event_type = 'cleanup_script_downloaded'`.execute(t.deps.db);
  expect(rows).toEqual([{ name: expect.stringContaining('write') }]);
  await setRules([{ kind: 'library', library_ids: [photos] }]);
  expect((await script()).json().code).toBe('plan_changed');
  expect((await t.request('POST', '/duplicates/plan/review', { digest }, { as: 'write' })).json().code).toBe('plan_changed');
});

test('the script moves proven copies to a holding folder, undoes that, and stops at a file that differs', async () => {
  const odd = `odd'; echo $HOME\n"name"`;
  await addFile(backup, `odd/${odd}`, 'an odd name');
  await addFile(photos, `z ${odd}`, 'an odd name');
  await setRules([{ kind: 'library', library_ids: [backup] }, { kind: 'oldest' }]);
  const { digest, removed } = await plan();
  await t.request('POST', '/duplicates/plan/review', { digest }, { as: 'write' });
  const text = (await script()).body;
  expect(text).not.toContain('cold.bin');
  const file = path.join(folder, 'cleanup.sh');
  writeFileSync(file, text);
  const hold = path.join(folder, 'hold');
  const run = (...args: string[]) => spawnSync('sh', [file, ...args], { encoding: 'utf8', env: { ...process.env, HOLD: hold } });
  expect(run('--check').stdout).toContain(`${removed} files checked. Nothing was changed.`);
  expect(existsSync(path.join(folder, 'photos', `z ${odd}`))).toBe(true);
  expect(run().stdout).toContain(`${removed} files moved`);
  expect(existsSync(path.join(folder, 'photos', `z ${odd}`))).toBe(false);
  expect(existsSync(path.join(folder, 'backup', 'odd', odd))).toBe(true);
  expect(run('--undo').stdout).toContain(`${removed} files moved back`);
  expect(execFileSync('cat', [path.join(folder, 'photos', `z ${odd}`)], { encoding: 'utf8' })).toBe('an odd name');
  writeFileSync(path.join(folder, 'backup', 'odd', odd), 'not an odd!');
  const stopped = run();
  expect(stopped.status).toBe(1);
  expect(stopped.stderr).toContain('The kept copy has changed.');
  expect(existsSync(path.join(folder, 'photos', `z ${odd}`))).toBe(true);
  const native = await t.request('GET', '/duplicates/script?paths=native', undefined, { as: 'write' });
  expect(native.body).toContain("'/mnt/host/2019/wedding.zip'");
});

test('names that are not UTF-8 are written to the script byte by byte', () => {
  expect(quoteForShell(`a\u{10fee9}'b`)).toEqual(Buffer.concat([Buffer.from("'a"), Buffer.from([0xe9]), Buffer.from("'\\''b'")]));
});

test('the plan can be downloaded as a list under the rights of the caller', async () => {
  const list = await t.request('GET', '/duplicates/plan/list?format=csv', undefined, { as: 'write' });
  expect(list.body.split('\n')[0]).toContain('action,match,group_key');
  expect(list.body).toContain('remove');
  const { key } = await addPerson(t.deps, [
    [photos, '', 'search_metadata'],
    [backup, 'laptop', 'search_metadata'],
  ]);
  // Two of three copies are visible, and nothing may be downloaded.
  expect((await copies(sha('a wedding, all originals'), key)).length).toBe(2);
  expect((await plan(key)).removed).toBe(1);
  expect((await t.request('GET', '/duplicates/plan/list', undefined, { as: key })).statusCode).toBe(403);
  expect((await t.request('POST', '/duplicates/plan/export', undefined, { as: key })).statusCode).toBe(403);
  const queued = await t.request('POST', '/duplicates/plan/export?format=xlsx', undefined, { as: 'write' });
  expect(queued.json()).toMatchObject({ title: 'Cleanup plan', source: { kind: 'duplicates' } });
});

test('totals are computed again when something changes that a plan depends on, and only then', async () => {
  const { db } = t.deps;
  const cache = createTotalsCache<number>();
  let computed = 0;
  const get = (identity = 'plan') => cache.get(db, identity, async () => ++computed);
  expect([await get(), await get(), await get('other rules'), await get()]).toEqual([1, 1, 2, 1]);
  const changes = [
    sql`update items set tags = '{seen}' where rel_path = 'links/one'`,
    sql`update items set tags = '{}' where rel_path = 'links/one'`,
    sql`update all_libraries set name = name where id = ${photos}`,
    sql`delete from duplicate_choices where key = 'none'`,
    sql`delete from photo_hashes where false`,
    sql`delete from duplicate_members where false`,
  ];
  for (const change of changes) {
    const before = await get();
    await change.execute(db);
    expect(await get()).toBeGreaterThan(before);
    expect(await get()).toBe(computed);
  }
  // What an open transaction changed is not seen until it is committed.
  const client = await t.deps.database.pool.connect();
  try {
    await client.query("begin; update items set nlink = nlink where rel_path = 'links/one'");
    // Transactions of other tests on the same server count as open ones too.
    await until(async () => {
      const before = computed;
      return (await get()) === before;
    }, 'the result to be kept');
    const during = await get();
    await client.query('commit');
    expect(await get()).toBeGreaterThan(during);
  } finally {
    client.release();
  }
  await expect(cache.get(db, 'fails', () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(await get('fails')).toBe(computed);
});

test('a sparse copy frees only what it takes up on disk', async () => {
  await setRules([{ kind: 'library', library_ids: [photos] }]);
  const { frees } = await plan();
  const text = 'sparse on the other disk';
  await addFile(photos, 'sparse/one', text);
  await addFile(backup, 'sparse/two', text);
  expect((await plan()).frees).toBe(frees + text.length);
  await sql`update items set allocated = 4 where rel_path = 'sparse/two'`.execute(t.deps.db);
  expect((await plan()).frees).toBe(frees + 4);
  await sql`delete from items where rel_path like 'sparse/%'`.execute(t.deps.db);
});

test('groups are listed by waste in pages', async () => {
  const all = (await groups()).groups as { key: string; wasted: number }[];
  expect(all.map(({ wasted }) => wasted)).toEqual(all.map(({ wasted }) => wasted).sort((a, b) => b - a));
  const first = await groups('?limit=1');
  const second = await groups(`?limit=1&cursor=${first.next_cursor}`);
  expect([...first.groups, ...second.groups].map(({ key }: { key: string }) => key)).toEqual(all.slice(0, 2).map(({ key }) => key));
  expect((await t.request('GET', '/duplicates/groups?cursor=e30')).json().code).toBe('cursor_invalid');
  expect((await t.request('GET', '/duplicates/groups/nothing')).statusCode).toBe(404);
});

test('similar photos are opt-in, follow the resolution rule, and are in no script', async () => {
  const photo = await drawPhoto(3);
  const { half, 'cropped, smaller, recompressed': small } = await photoVariants(photo);
  const add = async (relPath: string, bytes: Buffer, width: number) => {
    writeFileSync(path.join(folder, 'photos', relPath), bytes);
    const content_hash = createHash('sha256').update(bytes).digest('hex');
    return addItem(t.deps, photos, relPath, {
      size: bytes.length,
      content_hash,
      quick_hash: relPath,
      file_category: 'image',
      metadata: { width, height: (width * 3) / 4 },
    });
  };
  await add('half.jpg', half!, 320);
  await add('full.jpg', photo, 640);
  await add('small.jpg', small!, 400);
  await add('another.jpg', await drawPhoto(9), 640);
  expect((await plan()).tiers.similar.groups).toBe(0);
  expect((await t.request('POST', '/duplicates/similar', undefined, { as: 'write' })).statusCode).toBe(403);
  expect((await t.request('POST', '/duplicates/similar')).statusCode).toBe(202);
  expect((await t.request('POST', '/duplicates/similar')).json().code).toBe('similar_running');
  expect((await plan()).comparing).toMatchObject({ state: 'todo' });
  // The same task without a process of its own, which starts slowly on a busy machine.
  const pool = { run: async (_task: string, job: Source) => ({ ok: true, result: await hashPhoto(job) }) } as unknown as SandboxPool;
  expect(await findSimilar(t.deps.db, pool)).toEqual({ hashed: 4, unreadable: 0, compared: 4 });
  await setRules([{ kind: 'resolution' }]);
  const [group] = (await groups('?tier=similar')).groups;
  expect(group).toMatchObject({ tier: 'similar', copies: 3, rel_path: 'full.jpg', decided_by: 1, frees: half!.length + small!.length });
  expect((await copies(group.key)).map(({ rel_path, action }) => [rel_path, action])).toEqual([
    ['full.jpg', 'keep'],
    ['small.jpg', 'similar'],
    ['half.jpg', 'similar'],
  ]);
  const summary = await plan();
  expect(summary.tiers.similar).toMatchObject({ groups: 1, removed: 2 });
  await t.request('POST', '/duplicates/plan/review', { digest: summary.digest }, { as: 'write' });
  expect((await script()).body).not.toContain('half.jpg');
  expect((await t.request('GET', '/duplicates/plan/list', undefined, { as: 'write' })).body).toContain('half.jpg');
  // Only new photos are read; one that looks like them joins the group.
  await add('darker.jpg', (await photoVariants(photo))['darker']!, 640);
  const progress: Record<string, unknown>[] = [];
  const closed: boolean[] = [];
  const [task] = similarMaintenance(() => ({ ...pool, close: () => void closed.push(true) }));
  await performTask(t.deps, task!.task, {}, { progress: (value) => progress.push(value) });
  expect(progress.at(-1)).toEqual({ hashed: 1, unreadable: 0, compared: 1 });
  expect([task!.defaultCron, closed]).toEqual([null, [true]]);
  // A photo that could not be read in time is tried again in the next run.
  await add('slow.jpg', await drawPhoto(5), 640);
  const slow = { run: async () => ({ ok: false, kind: 'timeout', message: '' }) } as unknown as SandboxPool;
  expect(await findSimilar(t.deps.db, slow)).toEqual({ hashed: 0, unreadable: 0, compared: 0 });
  expect(await findSimilar(t.deps.db, pool)).toMatchObject({ hashed: 1 });
  expect((await groups('?tier=similar')).groups).toMatchObject([{ copies: 4 }]);
  const { key } = await addPerson(t.deps, [[photos, 'full.jpg', 'search_metadata']]);
  expect((await groups('?tier=similar', key)).groups).toEqual([]);
}, 120_000);

test('the totals of a plan are the sums of its list, whatever the rules', async () => {
  const { db } = t.deps;
  await plan();
  const access = {
    unrestricted: true,
    where: () => sql<boolean>`true`,
    whereItem: () => sql<boolean>`true`,
    split: () => ({ whole: 'all' as const, rest: null }),
    seesWhole: () => true,
    mayEnter: () => true,
  };
  const lists: KeepRule[][] = [
    [],
    [{ kind: 'annotated' }, { kind: 'oldest' }],
    [{ kind: 'library', library_ids: [backup] }, { kind: 'shortest_path' }],
    [{ kind: 'path', pattern: '*one*', avoid: true }, { kind: 'newest' }, { kind: 'resolution' }],
  ];
  for (const rules of lists)
    for (const offline of [[], [away], [backup]]) {
      const row = { id: 0, owner_id: null, rules, reviewed_digest: null, reviewed_at: null, reviewed_by: null };
      const scope = { db, access, plan: row, offline, seen: '' };
      const removed = sql`p.action in ('remove', 'unproven', 'similar')`;
      const { rows } =
        await sql`select g.tier, count(*)::int as groups, sum(g.frees)::float8 as frees, sum(g.removed)::int as removed, sum(g.annotated)::int as annotated,
          md5(sum(g.digest)::text) as digest from (
            select p.tier, sum(p.frees) as frees, count(*) filter (where ${removed}) as removed, count(*) filter (where ${removed} and p.annotated) as annotated,
              sum(hashtextextended(p.item_id || p.action, 0)) as digest
            from (${plannedCopies(scope)}) p group by p.tier, p.key having count(*) filter (where ${removed}) > 0) g
        group by g.tier order by g.tier`.execute(db);
      const totals = (await planTotals(scope)).toSorted((a, b) => (a.tier < b.tier ? -1 : 1));
      expect(totals).toMatchObject(rows);
      expect(totals).toHaveLength(rows.length);
    }
  for (const { name, run } of duplicateChecks) expect(await run(t.deps), name).toEqual([]);
});

test('catalog check finds a plan that would remove content of which it keeps no copy', async () => {
  const violations = async () => (await Promise.all(planChecks.map((check) => check.run(t.deps)))).flat();
  await plan();
  expect(await violations()).toEqual([]);
  const { rows } = await sql<{
    key: string;
    prefix: string;
  }>`select key, prefix from duplicate_groups where tier = 'content_hash' limit 1`.execute(t.deps.db);
  const { key, prefix } = rows[0]!;
  const stranger = await addFile(photos, 'stranger.jpg', 'other content');
  await sql`insert into duplicate_members (item_id, key, prefix, library_id, folder_id, filename)
    select id, ${key}, ${prefix}, library_id, folder_id, filename from items where id = ${stranger}`.execute(t.deps.db);
  expect(await violations()).toEqual([expect.stringContaining(`copies of ${key}`)]);
  await sql`delete from duplicate_members where item_id = ${stranger}`.execute(t.deps.db);
  await sql`update photo_hashes set group_id = id where id = (select max(id) from photo_hashes)`.execute(t.deps.db);
  expect(await violations()).toEqual([expect.stringContaining('similar photos')]);
});
