import { chmodSync, chownSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createTestApp, type TestApp } from '../../../test/app.ts';
import { addPerson } from '../../../test/catalog-rows.ts';
import { addLibrary, scan, write } from '../../catalog/scan/library.fixture.ts';

const isRoot = process.getuid?.() === 0;
const nobody = 65_534;
const unknown = 54_321;
let t: TestApp;
let library: string;
let root: string;
let beforeChange: Date;

type Row = Record<string, unknown> & { rel_path: string };

describe.skipIf(!isRoot)('permission reports (need root)', () => {
  beforeAll(async () => {
    t = await createTestApp();
    root = mkdtempSync(path.join(os.tmpdir(), 'permission-reports-'));
    chmodSync(root, 0o755);
    write(root, { 'open/a.txt': '1', 'open/shared.txt': '2', 'open/mine.txt': '3', 'closed/hidden.txt': '4', 'later/opened.txt': '5' });
    const at = (name: string) => path.join(root, name);
    for (const [name, mode] of [
      ['open', 0o755],
      ['open/a.txt', 0o644],
      ['open/shared.txt', 0o666],
      ['open/mine.txt', 0o600],
      ['closed', 0o700],
      ['closed/hidden.txt', 0o644],
      ['later', 0o700],
      ['later/opened.txt', 0o600],
    ] as const)
      chmodSync(at(name), mode);
    chownSync(at('open/mine.txt'), nobody, 0);
    chownSync(at('open/shared.txt'), unknown, unknown);
    library = await addLibrary(t.deps.db, root, { name: 'Office' });
    await scan(t.deps.db, library);
    await sql`update items set body_text = 'The salary list. Not a passwordless page.' where filename in ('a.txt', 'hidden.txt')`.execute(
      t.deps.db,
    );
    beforeChange = await now();
    chmodSync(at('later'), 0o755);
    chmodSync(at('later/opened.txt'), 0o644);
    await scan(t.deps.db, library);
  });
  afterAll(async () => {
    await t.close();
    rmSync(root, { recursive: true, force: true });
  });

  const now = async () => (await sql<{ now: Date }>`select clock_timestamp() as now`.execute(t.deps.db)).rows[0]!.now;
  const run = async (id: string, query = '', as = t.keys.admin): Promise<Row[]> => {
    const response = await t.request('GET', `/reports/${id}${query}`, undefined, { as });
    expect(response.statusCode, response.body).toBe(200);
    return response.json().rows;
  };
  const paths = (rows: Row[]) => rows.map(({ rel_path }) => rel_path).sort();

  test('by principal: the files a person or group owns and can effectively read and change', async () => {
    const rows = await run('permissions_by_principal');
    expect(rows.find(({ principal }) => principal === 'nobody')).toMatchObject({ readable: 1, writable: 1, owned: 1, file_count: 1 });
    expect(rows.find(({ principal_id }) => principal_id === `uid:${unknown}`)).toMatchObject({ readable: 1, owned: 1, kind: 'user' });
    expect(await run('permissions_by_principal', '?principal=nobody')).toHaveLength(1);
    expect((await t.request('GET', '/reports/permissions_by_principal?principal=no-such-one')).statusCode).toBe(422);
  });

  test('broad access is effective: a file below a closed folder is not listed, and change comes before read', async () => {
    const rows = await run('permissions_broad_access');
    expect(rows.map(({ rel_path, access }) => [rel_path, access])).toEqual([
      ['open/shared.txt', 'change'],
      ['later/opened.txt', 'read'],
      ['open/a.txt', 'read'],
    ]);
  });

  test('outliers: files whose entries their folder does not have, and folders whose children differ from them', async () => {
    const rows = await run('permissions_explicit_outliers');
    expect(rows.find(({ rel_path }) => rel_path === 'open/shared.txt')).toMatchObject({
      details: expect.stringContaining(`+allow uid:${unknown}: read, write`),
    });
    expect(paths(rows)).toEqual(['closed/hidden.txt', 'open/mine.txt', 'open/shared.txt']);
    const folders = await run('permissions_mixed_folders');
    expect(folders.find(({ folder }) => folder === 'open')).toMatchObject({ files: 2 });
    expect(folders.find(({ folder }) => folder === '')).toMatchObject({ folders: 1, example: expect.stringContaining('closed: ') });
  });

  test('changes: files and folders whose permissions changed, with what was modified', async () => {
    const rows = await run('permission_changes');
    expect(rows.map(({ rel_path, what }) => [rel_path, what]).sort()).toEqual([
      ['later', 'folder'],
      ['later/opened.txt', 'file'],
    ]);
    expect(rows.find(({ what }) => what === 'file')).toMatchObject({
      modified: 2,
      details: expect.stringContaining('~allow Everyone: nothing -> read'),
    });
    expect(await run('permission_changes', `?until=${beforeChange.toISOString()}`)).toEqual([]);
  });

  test('sensitive words in world-readable files: whole words, only files that everyone can read', async () => {
    const rows = await run('sensitive_world_readable');
    expect(rows.map(({ rel_path, words }) => [rel_path, words])).toEqual([['open/a.txt', 'salary']]);
    expect(await run('sensitive_world_readable', '?words=passwordless, page.')).toMatchObject([{ words: 'page., passwordless' }]);
  });

  test('orphaned uids and gids: identifiers without a name, and objects deleted from the directory', async () => {
    const rows = await run('permissions_orphaned');
    expect(rows.map(({ principal_id, used_as }) => [principal_id, used_as]).sort()).toEqual([
      [`gid:${unknown}`, 'group'],
      [`uid:${unknown}`, 'owner'],
    ]);
    await sql`insert into directory_sources (label) values ('test')`.execute(t.deps.db);
    await sql`insert into directory_objects (object_guid, distinguished_name, kind, uid_number, sam_account_name, domain, source_directory, sweep_id)
      values ('g1', 'cn=eve,dc=example', 'user', ${unknown}, 'eve', 'EXAMPLE', 'test', gen_random_uuid())`.execute(t.deps.db);
    expect((await run('permissions_orphaned')).map(({ principal_id }) => principal_id)).toEqual([`gid:${unknown}`]);
    await sql`update directory_objects set deleted_at = now()`.execute(t.deps.db);
    expect((await run('permissions_orphaned')).map(({ principal }) => principal)).toContain('EXAMPLE\\eve (deleted)');
    await sql`delete from directory_objects`.execute(t.deps.db);
  });

  test('what a person could read on a past date, with closed folders of that date', async () => {
    const at = `on=${encodeURIComponent(beforeChange.toISOString())}`;
    expect(paths(await run('permissions_past_access', `?${at}`))).toEqual(['open/a.txt', 'open/shared.txt']);
    expect(paths(await run('permissions_past_access', `?${at}&principal=nobody`))).toEqual([
      'open/a.txt',
      'open/mine.txt',
      'open/shared.txt',
    ]);
    const today = await run('permissions_past_access', `?on=${encodeURIComponent((await now()).toISOString())}`);
    expect(paths(today)).toEqual(['later/opened.txt', 'open/a.txt', 'open/shared.txt']);
    expect(today.every(({ still }) => still === true)).toBe(true);
  });

  test('the difference between two people: files that exactly one of them can read', async () => {
    const rows = await run('permissions_difference', '?principal=nobody&other_principal=everyone');
    expect(rows.map(({ rel_path, readable_by }) => [rel_path, readable_by])).toEqual([['open/mine.txt', 'nobody']]);
  });

  test('permission reports show nothing without the right to see permissions', async () => {
    const { key } = await addPerson(t.deps, [
      [library, '', 'search_metadata'],
      [library, '', 'search_content'],
    ]);
    for (const id of [
      'permissions_by_principal',
      'permissions_broad_access',
      'permissions_explicit_outliers',
      'permissions_mixed_folders',
      'permission_changes',
      'permissions_orphaned',
      'permissions_past_access',
      'permissions_difference',
      'sensitive_world_readable',
    ])
      expect(await run(id, '', key)).toEqual([]);
  });
});
